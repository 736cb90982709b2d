import type { TextEdit, RequestDraft } from '../request/samplingRequest.ts';
import { reviewChoices } from './reviewChoices.ts';
import type { LongText, PanelText } from '../../questions/panelText.ts';
import type { UnknownRecord } from '../../../base/values/record.ts';
import type { QuestionView } from '../../questions/question.ts';

/** A text that you can edit. */
export interface TextView {
  /** Its place, as in `TextEdit`. */
  readonly at: string;
  /** What it is called in a sentence, such as `message 1`. */
  readonly name: string;
  /** Character by character. */
  readonly original: string;
  readonly shown: LongText;
  /** What is unusual in it, a sentence each. */
  readonly notes: readonly string[];
}

/** A text with your edits. */
export type EditedView = Pick<TextView, 'at' | 'shown' | 'notes'> & { readonly text: string };

/** A part of a message or of an answer; `data` is read-only. */
export type SamplingPartView =
  | { readonly kind: 'text'; readonly text: TextView }
  | {
      readonly kind: 'image';
      /** Its type and size. */
      readonly words: string;
      /** A `data:` URI; none for a type that is not shown. */
      readonly source?: string;
    }
  | { readonly kind: 'data'; readonly title: PanelText; readonly text: LongText };

export interface AnswerView {
  /** Identifies this answer. */
  readonly id: string;
  readonly title: PanelText;
  readonly parts: readonly SamplingPartView[];
  /** Why it ends where it ends, a sentence each. */
  readonly notes: readonly string[];
  readonly edited: readonly EditedView[];
}

/** The state of the review, as the panel shows it. */
export type SamplingStateView =
  | { readonly kind: 'request'; readonly problem?: PanelText }
  | { readonly kind: 'generating'; readonly text: PanelText }
  | { readonly kind: 'answer'; readonly answer: AnswerView }
  | {
      readonly kind: 'ended';
      readonly why: PanelText;
      readonly answer?: AnswerView;
    };

/** A button of the card. */
export interface ChoiceView {
  readonly id: string;
  readonly label: string;
  readonly isPrimary: boolean;
  readonly isDisabled: boolean;
  /** A second click does nothing until the card changes. */
  readonly isOnce: boolean;
}

/** The part of a card that changes during the review. */
export interface SamplingNow {
  /** Counts the states: an act of an earlier state does nothing. */
  readonly phase: number;
  /** The title of the question in this state. */
  readonly title: PanelText;
  readonly state: SamplingStateView;
  /** How long the server has waited. */
  readonly waitedMs: number;
  readonly edited: readonly EditedView[];
  readonly models: readonly { readonly id: string; readonly label: string }[];
  readonly modelId: string;
  /** About how many tokens it takes, in words. */
  readonly estimate: string;
  /** Why it can't be sent. */
  readonly obstacle?: PanelText;
  readonly choices: readonly ChoiceView[];
  /** What the choices mean. */
  readonly hint: PanelText;
}

/** A request for a language model as the panel shows it. */
export interface SamplingView extends QuestionView {
  readonly kind: 'sampling';
  /** Where the server is defined. */
  readonly place: PanelText;
  /** What the server was working on. */
  readonly why: PanelText;
  readonly warnings: readonly PanelText[];
  readonly system?: TextView;
  readonly messages: readonly { readonly title: string; readonly parts: readonly SamplingPartView[] }[];
  readonly tools: readonly {
    readonly name: PanelText;
    readonly description: LongText;
    readonly schema: LongText;
  }[];
  /** The other parameters of the request, such as the length of the answer. */
  readonly facts: readonly {
    readonly title: string;
    readonly values: readonly PanelText[];
    /** The values are quotes of the server. */
    readonly isQuoted: boolean;
  }[];
  readonly now: SamplingNow;
}

/** What you do in a card. */
export type SamplingAct =
  /** You edit the request, or the answer. */
  | { readonly act: 'draft'; readonly draft: RequestDraft }
  | { readonly act: 'draftAnswer'; readonly edits: readonly TextEdit[] }
  /** You press a button; `draft` and `edits` where the choice uses them. */
  | {
      readonly act: 'choose';
      readonly choice: string;
      readonly draft?: RequestDraft;
      readonly edits?: readonly TextEdit[];
    };

/** An act, and the state of the review it was made in. */
export type SamplingActMessage = { readonly phase: number } & SamplingAct;

/** What changes in a card while it is shown. */
export type SamplingUpdate =
  /** The request as it is now. */
  | { readonly kind: 'now'; readonly now: SamplingNow }
  /** The text of the model so far. */
  | { readonly kind: 'progress'; readonly phase: number; readonly text: PanelText };

/** The most texts and edited characters in a message. */
const MAX_EDITS = 20_000;
const MAX_CHARACTERS = 4_000_000;

/** Checks a message of the panel; undefined for anything that is not exactly an act. */
export function readAct(fields: UnknownRecord): SamplingActMessage | undefined {
  const { phase } = fields;
  const act = readActFields(fields);
  return act && typeof phase === 'number' && Number.isSafeInteger(phase) ? { phase, ...act } : undefined;
}

function readActFields(fields: UnknownRecord): SamplingAct | undefined {
  const { act } = fields;
  const draft = readDraft(fields['draft']);
  const edits = readEdits(fields['edits']);
  switch (act) {
    case 'draft':
      return draft && { act, draft };
    case 'draftAnswer':
      return edits && { act, edits };
    case 'choose': {
      const choice = reviewChoices.find(({ id }) => id === fields['choice']);
      const given = { ...(draft && { draft }), ...(edits && { edits }) };
      const used = choice?.uses ?? [];
      return choice && used.every((field) => field in given)
        ? { act, choice: choice.id, ...Object.fromEntries(used.map((field) => [field, given[field]])) }
        : undefined;
    }
    default:
      return undefined;
  }
}

function readDraft(value: unknown): RequestDraft | undefined {
  if (typeof value !== 'object' || value === null || !('modelId' in value) || !('edits' in value)) {
    return undefined;
  }
  const edits = readEdits(value.edits);
  return typeof value.modelId === 'string' && edits ? { modelId: value.modelId, edits } : undefined;
}

/** Each place once; only the places and texts are kept. */
function readEdits(value: unknown): readonly TextEdit[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_EDITS) {
    return undefined;
  }
  const edits = new Map<string, TextEdit>();
  let characters = 0;
  for (const one of value as readonly unknown[]) {
    const edit = readEdit(one);
    characters += edit?.text.length ?? 0;
    if (!edit || edits.has(edit.at) || characters > MAX_CHARACTERS) {
      return undefined;
    }
    edits.set(edit.at, edit);
  }
  return [...edits.values()];
}

function readEdit(value: unknown): TextEdit | undefined {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('text' in value)) {
    return undefined;
  }
  const { at, text } = value;
  return typeof at === 'string' && /^(?:system|\d{1,6}(?:\/\d{1,6})?)$/.test(at) && typeof text === 'string'
    ? { at, text }
    : undefined;
}
