import { isRecord } from '../../base/values/record.ts';
import type { Entered, FormField } from '../../form/formField.ts';
import type { KeptFields } from '../../form/keptFields.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import { isEntered } from '../forms/checkForm.ts';
import type { LongText, PanelText } from '../questions/panelText.ts';
import type { ResultView } from './resultView.ts';

/** What a form is for. */
export type RequestKind = 'tool' | 'prompt' | 'template';

/** A tool or a prompt by its name, or a template by its text, of one server. */
export interface RequestTarget {
  readonly kind: RequestKind;
  readonly server: string;
  readonly name: string;
}

/** What the editor keeps of a page while the window is reloaded: never a value that may be a secret. */
export interface KeptPage extends RequestTarget {
  readonly fields: KeptFields;
  /** What is written while the arguments are edited as JSON. */
  readonly json?: string;
}

/** The words of a form that depend on what it is for: labels, and sentences. */
export interface RequestWords {
  /** The button that sends the request. */
  readonly send: string;
  /** After the keys that send it. */
  readonly keys: string;
  readonly noArguments: string;
  /** The button that takes back what is proposed. */
  readonly reset: string;
  readonly proposed: string;
  readonly stillRunning: string;
  /** The pointer was pressed just after a result. */
  readonly again: string;
  readonly noContent: string;
  /** The label of what is requested with what is entered so far; undefined if nothing is shown. */
  readonly preview?: string;
}

/** What is above the form, and the words of its kind. */
export interface RequestHead {
  readonly title: PanelText;
  /** What it is, and of which server. */
  readonly place: PanelText;
  readonly description?: LongText;
  readonly words: RequestWords;
}

/** A problem of a text, and where it is. */
export interface TextProblemView {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** In UTF-16 code units from the beginning. */
  readonly offset: number;
  readonly length: number;
  readonly message: PanelText;
}

/** How the arguments are entered. */
export type EditView =
  | {
      readonly kind: 'form';
      readonly form: FormField;
      readonly entered: Entered;
      /** What is entered are the arguments of the last call. */
      readonly isProposed: boolean;
      /** The same can be edited as JSON. */
      readonly hasJson: boolean;
      /** The server suggests values for its texts. */
      readonly hasSuggestions: boolean;
    }
  | {
      readonly kind: 'json';
      readonly text: string;
      /** The form can't show more than this one text. */
      readonly isWhole: boolean;
      /** Fields whose values stay in the form, because they may be secrets. */
      readonly hidden: readonly PanelText[];
    }
  /** The server doesn't list it now. */
  | { readonly kind: 'missing'; readonly reason: PanelText; readonly remedies: readonly RemedyName[] };

/** What helps after a failure: commands about the server. */
export type RemedyName = 'reviewChange' | 'signIn' | 'setToken' | 'startServer' | 'showLog';

/** What a request of a form waits for: one question, or several. */
export interface AskedView {
  /** A sentence. */
  readonly text: PanelText;
  /** What to know about it. */
  readonly hint: string;
  /** How long the first has waited. */
  readonly waitedMs: number;
}

/** The call, or the last one. */
export type RunView =
  | { readonly kind: 'none' | 'cancelled' }
  | {
      readonly kind: 'running';
      readonly elapsedMs: number;
      readonly progress: ProgressView;
      /** Undefined while the server works. */
      readonly asked?: AskedView | undefined;
    }
  | { readonly kind: 'failed'; readonly message: PanelText; readonly remedies: readonly RemedyName[] }
  | {
      readonly kind: 'result';
      readonly result: ResultView;
      readonly took: string;
      /** What happened during the call, a sentence each. */
      readonly notes: readonly PanelText[];
      readonly actions: readonly ActionView[];
    };

/** What you can do with a result; `missed` reviews what the server asked for meanwhile. */
export type ResultAction = 'missed' | 'send' | 'document' | 'copy' | 'insert';

export interface ActionView {
  readonly action: ResultAction;
  readonly label: string;
}

/** A value that the server suggests for a field: as it is entered, and to look at. */
export interface SuggestionView {
  readonly value: string;
  readonly shown: PanelText;
}

export interface ProgressView {
  /** From 0 to 1; undefined while the server says no total. */
  readonly share?: number;
  readonly message?: PanelText;
}

export type ToRequestForm =
  | {
      readonly type: 'show';
      readonly head: RequestHead;
      readonly edit: EditView;
      readonly run: RunView;
      readonly status: string;
    }
  | { readonly type: 'edit'; readonly edit: EditView; readonly status: string }
  /** Problems of what is entered, as the page shows it. */
  | { readonly type: 'problems'; readonly problems: readonly FieldProblem[]; readonly status: string }
  | { readonly type: 'textProblems'; readonly problems: readonly TextProblemView[]; readonly status: string }
  | { readonly type: 'run'; readonly run: RunView; readonly status: string }
  | { readonly type: 'progress'; readonly progress: ProgressView }
  /** What the request that runs waits for now; undefined if the server goes on. */
  | { readonly type: 'asked'; readonly asked?: AskedView | undefined; readonly status: string }
  /** The answer to `suggest` with that number. */
  | {
      readonly type: 'suggestions';
      readonly number: number;
      readonly values: readonly SuggestionView[];
      readonly hasMore: boolean;
    }
  /** What is requested with what is entered so far. */
  | { readonly type: 'preview'; readonly text: PanelText }
  | { readonly type: 'keep'; readonly page: KeptPage };

/** What you choose about a request that is under way, or its result. */
export type RunMessage =
  | { readonly type: 'cancel' | 'review' }
  | { readonly type: 'use'; readonly action: ResultAction }
  | { readonly type: 'open'; readonly index: number };

export type FromRequestForm =
  | { readonly type: 'ready' }
  | { readonly type: 'defaults' }
  | RunMessage
  /** What is entered: kept, run, or edited in the other way. */
  | { readonly type: 'enter' | 'run' | 'switch'; readonly entered: Entered }
  | { readonly type: 'enter' | 'run' | 'switch'; readonly json: string }
  /** Asks what the server suggests for a field, by its name. */
  | {
      readonly type: 'suggest';
      readonly number: number;
      readonly field: string;
      readonly entered: Entered;
    }
  | { readonly type: 'remedy'; readonly remedy: RemedyName };

/** Characters of JSON that a page can send. */
const MAX_JSON = 5_000_000;

const plainTypes = ['ready', 'cancel', 'defaults', 'review'] as const;
const editTypes = ['enter', 'run', 'switch'] as const;
const kinds: readonly RequestKind[] = ['tool', 'prompt', 'template'];
const actions: readonly ResultAction[] = ['missed', 'send', 'document', 'copy', 'insert'];
const remedies: readonly RemedyName[] = ['reviewChange', 'signIn', 'setToken', 'startServer', 'showLog'];

/** Checks what came from the page; undefined for anything that is not exactly a message of it. */
export function readFromRequestForm(message: unknown): FromRequestForm | undefined {
  if (!isRecord(message)) {
    return undefined;
  }
  const { entered, json, index, number, field } = message;
  const plain = plainTypes.find((type) => type === message['type']);
  if (plain) {
    return { type: plain };
  }
  const type = editTypes.find((one) => one === message['type']);
  if (type) {
    if (typeof json === 'string') {
      return json.length <= MAX_JSON ? { type, json } : undefined;
    }
    return isEntered(entered) ? { type, entered } : undefined;
  }
  switch (message['type']) {
    case 'suggest':
      return typeof number === 'number' && typeof field === 'string' && isEntered(entered)
        ? { type: 'suggest', number, field, entered }
        : undefined;
    case 'open':
      return typeof index === 'number' ? { type: 'open', index } : undefined;
    case 'use': {
      const action = actions.find((one) => one === message['action']);
      return action && { type: 'use', action };
    }
    case 'remedy': {
      const remedy = remedies.find((one) => one === message['remedy']);
      return remedy && { type: 'remedy', remedy };
    }
    default:
      return undefined;
  }
}

/** Reads what the editor kept of a page; undefined for anything else. */
export function readKeptPage(kept: unknown): KeptPage | undefined {
  const { kind: wanted, server, name, fields, json } = isRecord(kept) ? kept : {};
  const kind = kinds.find((one) => one === wanted);
  return kind &&
    typeof server === 'string' &&
    typeof name === 'string' &&
    isRecord(fields) &&
    Object.values(fields).every((one) => isEntered(one)) &&
    (json === undefined || typeof json === 'string')
    ? // Each value was just checked.
      { kind, server, name, fields: fields as KeptFields, ...(json !== undefined && { json }) }
    : undefined;
}
