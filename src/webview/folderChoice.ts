import type { CardPort } from './card.ts';
import { element, shownText } from './elements.ts';
import type { FolderView } from '../host/roots/rootsQuestion.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';

/** Folders with a checkbox each. */
export interface FolderChoice {
  readonly node: Node;
  /** The URIs of those that are checked. */
  readonly chosen: () => readonly string[];
}

/** What the folders of a question are chosen from. */
interface Offer {
  readonly id: string;
  readonly folders: readonly FolderView[];
  /** What selecting one of them means. */
  readonly meaning: string;
  readonly of?: 'folders' | 'files' | 'values' | 'anywhere';
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

/** The folders of a question, as they were chosen last, or as they are proposed. */
export function folderChoice(offer: Offer, legend: string, port: CardPort): FolderChoice {
  const initial = chosenFolders(offer, port);
  return folderBoxes(offer, { legend, initial, keep: (chosen) => port.keep(offer.id, chosen) });
}

/** Folders with a checkbox each; `keep` gets the URIs of those that are checked after each change. */
export function folderBoxes(
  { id, folders, meaning, of = 'folders' }: Offer,
  {
    legend,
    initial,
    keep,
  }: {
    readonly legend: string;
    readonly initial: readonly string[];
    readonly keep: (chosen: readonly string[]) => void;
  },
): FolderChoice {
  const boxes = folders.map(({ uri, name, path }) => {
    const box = element(
      'vscode-checkbox',
      {},
      element('span', { class: 'folder' }, ...shownText(name)),
      ' ',
      element('span', { class: 'path' }, ...shownText(path)),
    );
    box.value = uri;
    box.checked = initial.includes(uri);
    return box;
  });
  const chosen = (): readonly string[] => boxes.filter(({ checked }) => checked).map(({ value }) => value);
  const node = element(
    'fieldset',
    { class: of, 'aria-describedby': `meaning-${id}` },
    element('legend', {}, legend),
    ...boxes,
    element('p', { class: 'hint meaning', id: `meaning-${id}` }, meaning),
  );
  node.addEventListener('change', () => keep(chosen()));
  return { node, chosen };
}
