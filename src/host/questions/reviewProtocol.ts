import { callSpans, type CallAnswer, type CallSpan } from './callAnswer.ts';
import type { LaunchRow } from '../launch/question/launchText.ts';
import type { LongText, PanelText } from './panelText.ts';
import {
  readAct,
  type SamplingActMessage,
  type SamplingNow,
  type SamplingView,
} from '../sampling/samplingProtocol.ts';

/** A folder that may be shared. */
export interface FolderView {
  readonly uri: string;
  readonly name: PanelText;
  readonly path: PanelText;
  readonly isProposed: boolean;
}

/** A file that a launch runs, by its absolute path. */
export type FileView = FolderView;

/** A launch as the panel shows it. */
export interface LaunchView {
  readonly kind: 'launch';
  /** Names this question, and no other, for as long as it waits; nobody can guess it. */
  readonly id: string;
  readonly title: PanelText;
  /** What the server is called. */
  readonly label: PanelText;
  /** Where the definition stands. */
  readonly place: PanelText;
  /** It took the place of a question that this panel has shown. */
  readonly isRenewed: boolean;
  /** Whether the overview of several offers to allow it: nothing in it has to be looked at first. */
  readonly canAllowUnopened: boolean;
  readonly warnings: readonly PanelText[];
  readonly notes: readonly PanelText[];
  readonly changes: readonly PanelText[];
  readonly rows: readonly {
    readonly kind: LaunchRow['kind'] | 'variables' | 'told';
    readonly title: string;
    /** It is the same for every server of that file, and need not be said in an overview. */
    readonly isUsual: boolean;
    readonly values: readonly PanelText[];
  }[];
  readonly folders: readonly FolderView[];
  /** What is shared, and by what, where nothing is left to choose. */
  readonly sharing?: PanelText;
  /** What sharing a folder means. */
  readonly meaning: string;
  /** Files whose changes may ask again. */
  readonly files: readonly FileView[];
}

/** Servers that ask for folders as the panel shows them. */
export interface RootsQuestionView {
  readonly kind: 'roots';
  /** As for a launch. */
  readonly id: string;
  readonly title: PanelText;
  readonly isRenewed: boolean;
  readonly servers: readonly { readonly label: PanelText; readonly place: PanelText }[];
  readonly folders: readonly FolderView[];
  /** What sharing a folder means, and what not to. */
  readonly meaning: string;
  readonly meaningOfNone: string;
}

/** A request to a server as the panel shows it. */
export interface CallView {
  readonly kind: 'call';
  /** As for a launch. */
  readonly id: string;
  readonly title: PanelText;
  readonly isRenewed: boolean;
  /** The extension that asks, as the editor names it: anyone can call theirs as another is called. */
  readonly asker?: PanelText;
  /** Where the server is defined. */
  readonly place: PanelText;
  readonly warnings: readonly PanelText[];
  /** What the server says of it: its title and description. */
  readonly description: readonly LongText[];
  /** What the server claims of it, and that nobody has checked that; empty for nothing. */
  readonly claims: PanelText;
  /** The URI of the resource that is to be read. */
  readonly resource?: LongText;
  readonly arguments: readonly { readonly name: PanelText; readonly value: LongText }[];
  /** For how long an answer may be remembered: nothing to choose with one. */
  readonly spans: readonly { readonly value: CallSpan; readonly label: string }[];
  /** False where it is not known who asks: nobody could be refused the next time. */
  readonly canRefuseAlways: boolean;
  /** What a remembered answer may be about: nothing to choose with one. */
  readonly scopes: readonly { readonly value: CallAnswer['scope']; readonly label: PanelText }[];
  /** What the answers mean beyond this request. */
  readonly hint: PanelText;
}

/** What the panel shows of one question: a kind for each kind of question. */
export type QuestionView = LaunchView | RootsQuestionView | CallView | SamplingView;

/** The whole state. */
export interface ShowMessage {
  readonly type: 'show';
  readonly questions: readonly QuestionView[];
  /** What has just happened, said to a screen reader, too. */
  readonly status: string;
  /** What sharing folders means, said once for several launches. */
  readonly meaning?: string;
  /** The question to go to, because the person asked for it. */
  readonly focus?: string;
  /** The person asked for no certain question: the overview comes first, if there is one. */
  readonly isFromTop?: boolean;
}

/** What the extension says to the panel. */
export type ToPanel =
  | ShowMessage
  /** How one request for a model stands. */
  | { readonly type: 'now'; readonly id: string; readonly now: SamplingNow; readonly status: string }
  /** What a model has said so far. */
  | { readonly type: 'progress'; readonly id: string; readonly phase: number; readonly text: PanelText };

/** An answer of the panel: each kind of question has its own. */
export type PanelAnswer =
  /** Not to launch; or to decide nothing about folders now. */
  | { readonly answer: 'deny' | 'notNow' }
  | {
      /** To launch; or to share, which may be nothing. */
      readonly answer: 'allow' | 'share';
      /** The URIs of the folders to share, out of those that were offered. */
      readonly roots: readonly string[];
      /** Of a launch: the files whose changes ask again, out of those that were offered. */
      readonly files?: readonly string[];
    }
  | CallAnswer;

/** Allows several launches, each by the id under which the overview showed it, with the folders it showed. */
export interface AllowSelectedMessage {
  readonly type: 'allowSelected';
  readonly launches: readonly {
    readonly id: string;
    readonly roots: readonly string[];
    readonly files?: readonly string[];
  }[];
}

/** What the panel says to the extension. */
export type FromPanel =
  | { readonly type: 'ready' }
  | AllowSelectedMessage
  | ({ readonly type: 'answer'; readonly id: string } & PanelAnswer)
  | SamplingActMessage
  | { readonly type: 'openDefinition'; readonly id: string };

/** Checks what came from the panel; undefined for anything that is not exactly a message of it. */
export function readFromPanel(message: unknown): FromPanel | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) {
    return undefined;
  }
  if (message.type === 'ready') {
    return { type: 'ready' };
  }
  if (message.type === 'allowSelected') {
    return readAllowSelected(message);
  }
  if (!('id' in message) || typeof message.id !== 'string') {
    return undefined;
  }
  const { type, id } = message;
  if (type === 'openDefinition') {
    return { type, id };
  }
  if (type === 'act') {
    return readAct(message, id);
  }
  const answer = type === 'answer' ? readAnswer(message) : undefined;
  return answer && { type: 'answer', id, ...answer };
}

/** Each launch once; nothing of what came is kept but the ids and the folders. */
function readAllowSelected(message: object): AllowSelectedMessage | undefined {
  const given: unknown = 'launches' in message ? message.launches : undefined;
  if (!Array.isArray(given)) {
    return undefined;
  }
  const launches = given.map(readSelected).filter((one) => one !== undefined);
  const isEachOnce = new Set(launches.map(({ id }) => id)).size === given.length;
  return isEachOnce ? { type: 'allowSelected', launches } : undefined;
}

function readSelected(value: unknown): AllowSelectedMessage['launches'][number] | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('roots' in value)) {
    return undefined;
  }
  const { id, roots } = value;
  const files = 'files' in value ? value.files : undefined;
  return typeof id === 'string' && isTexts(roots) && (files === undefined || isTexts(files))
    ? { id, roots: [...roots], ...(files && { files: [...files] }) }
    : undefined;
}

function readAnswer(message: object): PanelAnswer | undefined {
  const answer: unknown = 'answer' in message ? message.answer : undefined;
  const roots: unknown = 'roots' in message ? message.roots : undefined;
  const files: unknown = 'files' in message ? message.files : undefined;
  switch (answer) {
    case 'deny':
    case 'notNow':
      return { answer };
    case 'share':
      return isTexts(roots) ? { answer, roots } : undefined;
    case 'allow':
      return isTexts(roots) && (files === undefined || isTexts(files))
        ? { answer, roots, ...(files && { files }) }
        : undefined;
    case 'run':
    case 'refuse':
      return readCallAnswer(answer, message);
    default:
      return undefined;
  }
}

function readCallAnswer(answer: 'run' | 'refuse', message: object): CallAnswer | undefined {
  const scope =
    'scope' in message && (message.scope === 'one' || message.scope === 'server') && message.scope;
  const span = 'span' in message && callSpans.find((one) => one === message.span);
  if (!scope || !span) {
    return undefined;
  }
  if (answer === 'run') {
    return { answer, span, scope };
  }
  return span === 'once' || span === 'always' ? { answer, span, scope } : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
