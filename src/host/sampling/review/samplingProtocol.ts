import type { TextEdit, SamplingDraft } from '../request/samplingRequest.ts';
import type { LongText, PanelText } from '../../questions/panelText.ts';
import { isRecord, type UnknownRecord } from '../../../base/values/record.ts';
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
  /** It is in a list behind the button of the choice before it. */
  readonly isBehind: boolean;
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
    /** One of the numbers, which are among the details. */
    readonly isDetail: boolean;
  }[];
  readonly now: SamplingNow;
}

/** What you have entered in a card: the request as you have edited it, and your edits of the answer. */
export interface SamplingEdits {
  readonly draft: SamplingDraft;
  readonly edits: readonly TextEdit[];
}

/** What you have entered in a phase of the review, and the choice whose button you press. */
export interface SamplingAct extends SamplingEdits {
  readonly phase: number;
  readonly choice?: string;
}

/** What changes in a card while it is shown. */
export type SamplingUpdate =
  /** The request as it is now. */
  | { readonly kind: 'now'; readonly now: SamplingNow }
  /** The text of the model so far. */
  | { readonly kind: 'progress'; readonly phase: number; readonly text: PanelText };

/** The most texts and edited characters in a message. */
const MAX_EDITS = 20_000;
const MAX_CHARACTERS = 4_000_000;
/** The place of a text, as in `TextEdit`. */
const PLACE = /^(?:system|\d{1,6}(?:\/\d{1,6})?)$/;

/** Checks a message of the panel; undefined for anything that is not exactly an act. */
export function readAct({ phase, draft, edits, choice }: UnknownRecord): SamplingAct | undefined {
  const { modelId, edits: inRequest } = isRecord(draft) ? draft : {};
  const [requestEdits, answerEdits] = [readEdits(inRequest), readEdits(edits)];
  if (typeof phase !== 'number' || !Number.isSafeInteger(phase) || typeof modelId !== 'string') {
    return undefined;
  }
  const isChoice = choice === undefined || typeof choice === 'string';
  return isChoice && requestEdits && answerEdits
    ? {
        phase,
        draft: { modelId, edits: requestEdits },
        edits: answerEdits,
        ...(choice !== undefined && { choice }),
      }
    : undefined;
}

/** Each place once; only the places and texts are kept. */
function readEdits(value: unknown): readonly TextEdit[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_EDITS) {
    return undefined;
  }
  const edits = new Map<string, TextEdit>();
  let characters = 0;
  for (const one of value as readonly unknown[]) {
    const { at, text } = isRecord(one) ? one : {};
    if (typeof at !== 'string' || !PLACE.test(at) || edits.has(at) || typeof text !== 'string') {
      return undefined;
    }
    edits.set(at, { at, text });
    characters += text.length;
  }
  return characters > MAX_CHARACTERS ? undefined : [...edits.values()];
}
