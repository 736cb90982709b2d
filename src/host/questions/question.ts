import type { UnknownRecord } from '../../base/values/record.ts';
import type { Event } from '../../base/lifetime/event.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { PanelText } from './panelText.ts';

/** A server as a question names it. */
export interface AskingServer {
  readonly definition: ServerDefinition;
  /** What the server is called in the editor. */
  readonly label: string;
}

/** What waits for an answer of the type `A`. */
export interface Question<A = unknown> {
  readonly kind: QuestionKind<Question, A>;
}

/** What the panel shows of a question. Each kind adds what its card needs. */
export interface QuestionView {
  /** The name of the kind: the panel finds the card by it. */
  readonly kind: string;
  /** Identifies this question while it waits; nobody can guess it. */
  readonly id: string;
  readonly title: PanelText;
  /** It replaces a question that this panel has shown. */
  readonly isRenewed: boolean;
  readonly warnings?: readonly PanelText[];
  /** It no longer waits, and stays to be read. */
  readonly isOver?: boolean;
}

/** What a view needs besides the question. */
export interface ViewContext {
  readonly id: string;
  /** The name of the file that a definition is in. */
  readonly placeOf: (definition: ServerDefinition) => string;
  readonly isRenewed: boolean;
}

/** Everything about one kind of question; the queue, the panel and the dialogs know no kind themselves. */
export interface QuestionKind<Q extends Question, A> {
  /** Names the card in the panel. */
  readonly name: string;
  serversOf(question: Q): readonly AskingServer[];

  /** The whole question: nothing cut, nothing invisible. */
  view(question: Q, context: ViewContext): QuestionView;
  /** The same as plain text, for a read-only document or a dialog. */
  text(view: QuestionView): string;

  /** The panel's answer; undefined for anything that is not an answer to this question. */
  readAnswer(question: Q, given: UnknownRecord): A | undefined;
  /** As `readAnswer`, where several questions are allowed without being opened; without it, each is answered in its card. */
  readUnopened?(question: Q, given: UnknownRecord, isRenewed: boolean): A | undefined;
  /** Asks without the panel. False when you close a dialog without an answer. */
  askInDialogs(question: Q, dialogs: Dialogs<A>): Promise<boolean>;

  /** What a notification says where only questions of this kind wait; undefined for the usual words. */
  announcement?(questions: readonly Q[]): string | undefined;
  /** Each is announced as a question of its own, not only by its server. */
  readonly isCountedAlone?: boolean;
  /** For questions that you are asked in steps: what to announce now, and when that may be another step. */
  readonly steps?: { current(question: Q): object; changes(question: Q): Event<void> };
  /** What the status says after an answer. */
  answered(question: Q, answer: A): string;
  /** What the status says when the question was withdrawn, and whether that was your answer; undefined for the usual words. */
  withdrawn?(question: Q): { readonly words: string; readonly isAnswered: boolean } | undefined;
  /** What has changed when another question about the same server follows; without it, each question is one of its own. */
  changed?(question: Q): string;
}

/** A button of a dialog. */
export interface DialogChoice {
  readonly title: string;
  readonly isCloseAffordance?: boolean;
}

export interface Dialog<C extends DialogChoice> {
  /** What is asked about, in one word. */
  readonly noun: string;
  /** Instead of the question's title. */
  readonly title?: string;
  /** The first is what Enter presses. The dialog may appear while you type, so it allows nothing. */
  readonly choices: readonly C[];
  /** The text is written by others and may look like anything: it is shown in a document, never in the dialog. */
  readonly isForeign?: boolean;
}

/** How a question is asked without the panel. */
export interface Dialogs<A> {
  /** Shows the question as it is now; undefined when the dialog is closed. */
  show<C extends DialogChoice>(dialog: Dialog<C>): Promise<C | undefined>;
  answer(answer: A): void;
}

/** Asks in one dialog whose buttons are answers. */
export async function askInDialog<A>(
  dialogs: Dialogs<A>,
  dialog: Dialog<DialogChoice & { readonly answer: A }>,
): Promise<boolean> {
  const chosen = await dialogs.show(dialog);
  if (chosen) {
    dialogs.answer(chosen.answer);
  }
  return chosen !== undefined;
}

export function serversOf(question: Question): readonly AskingServer[] {
  return question.kind.serversOf(question);
}

/** How many servers wait for an answer. */
export function waitingServers(questions: readonly Question[]): number {
  return new Set(questions.flatMap(serversOf).map(({ definition }) => definition.id)).size;
}

export function isAbout(question: Question, id: ServerId): boolean {
  return serversOf(question).some(({ definition }) => definition.id === id);
}

/** The names of the servers of a question, separated by commas. */
export function labelList(question: Question): string {
  return serversOf(question)
    .map(({ label }) => visibleText(label))
    .join(', ');
}

/** The names of the servers of a question in a sentence. */
export function quotedLabels(question: Question): string {
  return quotedNames(serversOf(question).map(({ label }) => visibleText(label)));
}

/** Names in a sentence: `'git'`, `'git' and 'files'`, `'git', 'files' and 'web'`. */
export function quotedNames(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
}
