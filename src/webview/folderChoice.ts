import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import type { CardPort } from './card.ts';
import { shownText, type Content } from './elements.ts';
import type { FolderView } from '../host/roots/rootsQuestion.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';

/** What the folders of a question are chosen from. */
interface Offer {
  readonly id: string;
  readonly folders: readonly FolderView[];
  /** What selecting one of them means. */
  readonly meaning: string | undefined;
  readonly of?: 'folders' | 'files' | 'values' | 'anywhere';
}

/** Folders that can be shared, and what sharing them means. */
type Sharing = Pick<LaunchView, 'id' | 'folders' | 'sharing' | 'meaning'>;

/** The folders of a question, with what sharing them means until you know that. */
export function foldersOffer({ id, folders, meaning }: Sharing, { isSharingKnown }: CardPort): Offer {
  return { id, folders, meaning: isSharingKnown ? undefined : meaning };
}

/** What sharing folders means, a detail where your settings decide, or once you know it. */
export function knownMeaning({ folders, sharing, meaning }: Sharing, { isSharingKnown }: CardPort): Content {
  return sharing !== undefined || (isSharingKnown && folders.length > 0)
    ? html`<p class="hint">${meaning}</p>`
    : undefined;
}

/** The files of a launch, which are chosen as folders are. */
export function filesOffer({ id, files }: Pick<LaunchView, 'id' | 'files'>): Offer {
  return {
    id: `${id}-files`,
    folders: files,
    of: 'files',
    meaning: 'Its content is compared before each start. Files that it loads are not.',
  };
}

/** The variables in the `envFile` of a launch, which are chosen as folders are. */
export function valuesOffer({ id, values }: Pick<LaunchView, 'id' | 'values'>): Offer {
  return {
    id: `${id}-values`,
    folders: values,
    of: 'values',
    meaning:
      'For this server and this file only, until you take it back in Review Decisions, or the variable is removed.',
  };
}

/** Whether a launch is allowed in any folder, which is chosen as a folder is. */
export function anyFolderOffer({ id, anyFolder }: Pick<LaunchView, 'id' | 'anyFolder'>): Offer {
  return {
    id: `${id}-anywhere`,
    folders: anyFolder,
    of: 'anywhere',
    meaning:
      'You are not asked again in other folders, which then take the place of ${workspaceFolder}. You can take this back in Review Decisions.',
  };
}

/** The URIs of the folders that are chosen in a question: what was kept, or what is proposed. */
export function chosenFolders({ id, folders }: Omit<Offer, 'meaning'>, port: CardPort): readonly string[] {
  const kept = port.chosen(id);
  return folders
    .filter(({ uri, isProposed }) => (kept ? kept.includes(uri) : isProposed))
    .map(({ uri }) => uri);
}

/** The folders of a question, as they were chosen last, or as they are proposed; nothing where there are none. */
export function folderChoice(offer: Offer, legend: string, port: CardPort): Content {
  const chosen = chosenFolders(offer, port);
  return offer.folders.length > 0
    ? folderBoxes(offer, legend, chosen, (now) => port.keep(offer.id, now))
    : undefined;
}

/** Folders with a checkbox each; `keep` gets the URIs of those that are checked after each change. */
export function folderBoxes(
  { id, folders, meaning, of = 'folders' }: Offer,
  legend: string,
  chosen: readonly string[],
  keep: (chosen: readonly string[]) => void,
): Content {
  const all = folders.map(({ uri }) => uri);
  const toggle = (uri: string) => () =>
    keep(all.filter((one) => (one === uri ? !chosen.includes(one) : chosen.includes(one))));
  const boxes = folders.map(({ uri, name, path }) => {
    const label = [
      html`<span class="folder">${shownText(name)}</span>`,
      ' ',
      html`<span class="path">${shownText(path)}</span>`,
    ];
    return html`<vscode-checkbox .checked=${live(chosen.includes(uri))} @change=${toggle(uri)}
      >${label}</vscode-checkbox
    >`;
  });
  return html`<fieldset class=${of} aria-describedby="meaning-${id}">
    <legend>${legend}</legend>
    ${boxes}
    <p class="hint" id="meaning-${id}" ?hidden=${meaning === undefined}>${meaning}</p>
  </fieldset>`;
}
