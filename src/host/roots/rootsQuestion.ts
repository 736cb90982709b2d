import type { UnknownRecord } from '../../base/values/record.ts';
import { visibleParts } from '../../base/text/visibleText.ts';
import { pathOf, type SharedRoot } from '../folders/sharedRoot.ts';
import { bulletLines, plain, type PanelText } from '../questions/panelText.ts';
import {
  askInDialog,
  labelList,
  quotedLabels,
  quotedNames,
  type AskingServer,
  type Question,
  type QuestionKind,
  type QuestionView,
} from '../questions/question.ts';

/** A folder that can be shared, and whether that is proposed. */
export interface OfferedFolder extends SharedRoot {
  readonly isProposed: boolean;
}

/** Which folders servers can see that have asked for them and about which nothing is decided. */
export interface RootsQuestion extends Question<RootsAnswer> {
  /** At least one; all of them were offered these folders. */
  readonly servers: readonly AskingServer[];
  readonly folders: readonly OfferedFolder[];
}

/** The URIs to share, or nothing for now. */
export type RootsAnswer =
  | { readonly answer: 'share'; readonly roots: readonly string[] }
  | { readonly answer: 'notNow' };

/** A folder that can be shared, as the panel shows it. */
export interface FolderView {
  readonly uri: string;
  readonly name: PanelText;
  readonly path: PanelText;
  readonly isProposed: boolean;
}

export interface RootsQuestionView extends QuestionView {
  readonly kind: 'roots';
  readonly servers: readonly { readonly label: PanelText; readonly place: PanelText }[];
  readonly folders: readonly FolderView[];
  /** What sharing a folder means, and what not to. */
  readonly meaning: string;
  readonly meaningOfNone: string;
}

/** The question of servers that ask for folders while they run. */
export const rootsQuestions = {
  name: 'roots',
  serversOf: ({ servers }) => servers,

  view: ({ servers, folders }, { id, placeOf, isRenewed }): RootsQuestionView => ({
    kind: 'roots',
    id,
    title: visibleParts(titleFor(servers)),
    isRenewed,
    servers: servers.map(({ label, definition }) => ({
      label: visibleParts(label),
      place: visibleParts(placeOf(definition)),
    })),
    folders: folders.map(folderView),
    meaning: sharingText(servers.length),
    meaningOfNone: unsharedText(servers.length),
  }),

  text(view: RootsQuestionView): string {
    const proposed = view.folders.filter(({ isProposed }) => isProposed);
    const isChoice = proposed.length > 0 && proposed.length < view.folders.length;
    return [
      ...view.servers.map(({ label, place }) => `${plain(label)} is defined in: ${plain(place)}`),
      '',
      ...bulletLines('Folders of this workspace:', view.folders.map(folderPath)),
      ...bulletLines('Proposed:', isChoice ? proposed.map(folderPath) : []),
      view.meaning,
      view.meaningOfNone,
    ].join('\n');
  },

  readAnswer({ folders }, { answer, roots }): RootsAnswer | undefined {
    if (answer === 'notNow') {
      return { answer };
    }
    const chosen = answer === 'share' ? readRoots(folders, roots) : undefined;
    return chosen && { answer: 'share', roots: chosen };
  },

  askInDialogs({ folders }, dialogs) {
    const uris = folders.map(({ uri }) => uri);
    const proposed = folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
    const isChoice = proposed.length > 0 && proposed.length < uris.length;
    return askInDialog<RootsAnswer>(dialogs, {
      noun: 'question',
      choices: [
        { title: 'Not Now', isCloseAffordance: true, answer: { answer: 'notNow' } },
        { title: "Don't Share", answer: { answer: 'share', roots: [] } },
        ...(isChoice
          ? [{ title: 'Share Proposed', answer: { answer: 'share', roots: proposed } } as const]
          : []),
        { title: 'Share All', answer: { answer: 'share', roots: uris } },
      ],
    });
  },

  announcement: ([first, ...others]) => (first && others.length === 0 ? titleFor(first.servers) : undefined),

  answered(question, answer) {
    const labels = labelList(question);
    if (answer.answer === 'notNow') {
      return `Not decided: ${labels}.`;
    }
    return answer.roots.length === 0 ? `No folder shared: ${labels}.` : `Folders shared: ${labels}.`;
  },

  changed: (question) => `The question about the folders for ${quotedLabels(question)}`,
} as const satisfies QuestionKind<RootsQuestion, RootsAnswer>;

export function folderView(folder: OfferedFolder): FolderView {
  return {
    uri: folder.uri,
    name: visibleParts(folder.name),
    path: visibleParts(pathOf(folder)),
    isProposed: folder.isProposed,
  };
}

export function folderPath({ path }: FolderView): PanelText {
  return path;
}

/** The chosen folders in the order in which they were offered; undefined with any other folder. */
export function readRoots(
  folders: readonly OfferedFolder[],
  chosen: UnknownRecord[string],
): readonly string[] | undefined {
  const offered = folders.map(({ uri }) => uri);
  return Array.isArray(chosen) && chosen.every((uri) => offered.includes(uri))
    ? offered.filter((uri) => chosen.includes(uri))
    : undefined;
}

/** What it means to share folders: the same words everywhere. */
export function sharedText(servers: number): string {
  const [they, arent] = servers === 1 ? ['It gets', "isn't"] : ['They get', "aren't"];
  return `${they} the names and paths of these folders, and ${arent} limited to them: a local server can reach everything that you can.`;
}

/** The same where the folders can be chosen. */
export function sharingText(servers: number): string {
  return `${sharedText(servers)} Sharing all includes folders that you add later.`;
}

function unsharedText(servers: number): string {
  const [it, gets, asks] = servers === 1 ? ['it', 'gets', 'asks'] : ['they', 'get', 'ask'];
  return [
    `"Don't Share": ${it} ${gets} no folder, and you are not asked again.`,
    `"Not Now": ${it} ${gets} no folder this time, and you are asked when ${it} ${asks} again.`,
  ].join(' ');
}

function titleFor(servers: readonly AskingServer[]): string {
  return `Share folders with ${quotedNames(servers.map(({ label }) => label))}?`;
}
