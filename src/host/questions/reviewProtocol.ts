import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import type { QuestionView } from './question.ts';

/** The whole state. */
export interface ShowMessage {
  readonly type: 'show';
  readonly questions: readonly QuestionView[];
  /** What has just happened; a screen reader says it. */
  readonly status: string;
  /** You know what sharing a folder means: a detail from now on. */
  readonly isSharingKnown: boolean;
  /** The question to go to, because you asked for it. */
  readonly focus?: string;
  /** The focus stays where you are: the question is only brought into sight. */
  readonly keepsFocus?: boolean;
}

/** What changes in one card while it is shown; its kind knows the content. */
export interface UpdateMessage {
  readonly type: 'update';
  readonly id: string;
  readonly update: unknown;
  readonly status: string;
}

/** What the extension sends to the panel. */
export type ToPanel = ShowMessage | UpdateMessage;

/** Allows several questions, each by the id under which it was shown. */
export interface AllowSelectedMessage {
  readonly type: 'allowSelected';
  readonly questions: readonly ({ readonly id: string } & UnknownRecord)[];
}

/** The answer to a question, or an act on it; its kind checks the other fields. */
export type AnswerMessage = { readonly type: 'answer' | 'act'; readonly id: string } & UnknownRecord;

/** What the panel sends to the extension. */
export type FromPanel =
  | { readonly type: 'ready' }
  | { readonly type: 'openDefinition'; readonly id: string }
  | AnswerMessage
  | AllowSelectedMessage;

/** Checks what came from the panel, as far as that is the same for all kinds of questions. */
export function readFromPanel(message: unknown): FromPanel | undefined {
  if (!isRecord(message)) {
    return undefined;
  }
  const { type, id, questions } = message;
  switch (type) {
    case 'ready':
      return { type };
    case 'allowSelected':
      return areEachOnce(questions) ? { type, questions } : undefined;
    case 'openDefinition':
      return typeof id === 'string' ? { type, id } : undefined;
    case 'answer':
    case 'act':
      return typeof id === 'string' ? { ...message, type, id } : undefined;
    default:
      return undefined;
  }
}

function areEachOnce(questions: unknown): questions is AllowSelectedMessage['questions'] {
  return (
    Array.isArray(questions) &&
    questions.every((one) => isRecord(one) && typeof one['id'] === 'string') &&
    new Set(questions.map((one: { readonly id: string }) => one.id)).size === questions.length
  );
}
