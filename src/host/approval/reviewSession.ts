import { randomUUID } from 'node:crypto';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { questionView } from './questionView.ts';
import type { LaunchAnswer, Question, QuestionQueue } from './questionQueue.ts';
import { readFromPanel, type ToPanel } from './reviewProtocol.ts';
import { visibleText } from '../../base/visibleText.ts';

/** Where a session is shown, and what it cannot do itself. */
export interface ReviewSurface {
  post(message: ToPanel): void;
  /** The file that a question's definition stands in, as the person calls it. */
  placeOf(question: Question): string;
  openDefinition(question: Question): void;
  /** The person has answered the last question. */
  finished(): void;
  /** What should show the questions did not say in time that it does. */
  failed(): void;
}

/** Milliseconds in which a panel must report that it is ready. */
const READY_MS = 5_000;

/**
 * One review panel's side in the host: what it shows, and what its messages mean. An answer counts only for
 * the very question that was shown under its id, and only while that question waits.
 */
export class ReviewSession implements Disposable {
  readonly #queue: QuestionQueue;
  readonly #surface: ReviewSurface;
  readonly #readyMs: number;
  readonly #store = new DisposableStore();
  readonly #ids = new Map<Question, string>();
  /** Servers whose question was shown here and withdrawn: the next one about them is another. */
  readonly #withdrawn = new Set<ServerId>();
  readonly #renewed = new Set<Question>();
  #shown: readonly Question[] = [];
  #answered = 0;
  #status = '';
  #focus: ServerId | undefined;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(queue: QuestionQueue, surface: ReviewSurface, readyMs: number = READY_MS) {
    this.#queue = queue;
    this.#surface = surface;
    this.#readyMs = readyMs;
    this.#store.add(queue.onDidChange(() => this.#changed()));
  }

  dispose(): void {
    this.hidden();
    this.#store.dispose();
  }

  /** True while the panel shows what waits. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** The panel comes into sight: from now on it has some seconds to report that it is ready. */
  opened(): void {
    this.#timer ??= setTimeout(() => this.#surface.failed(), this.#readyMs);
  }

  /** The panel is out of sight, and its content gone. */
  hidden(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReady = false;
  }

  /** Goes to the question about a server; without one, to the first. */
  goTo(id: ServerId | undefined): void {
    this.#focus = id ?? this.#queue.questions[0]?.definition.id;
    this.#update();
  }

  /** Takes a message of the panel; what is none, or is about a question that waits no more, is ignored. */
  receive(received: unknown): void {
    const message = readFromPanel(received);
    if (message?.type === 'ready') {
      clearTimeout(this.#timer);
      this.#isReady = true;
      this.#update();
      return;
    }
    const question = this.#queue.questions.find((one) => message && this.#ids.get(one) === message.id);
    if (!message || !question) {
      return;
    }
    if (message.type === 'openDefinition') {
      this.#surface.openDefinition(question);
    } else if (message.answer === 'deny') {
      this.#answer(question, { answer: 'deny' }, 'Not allowed');
    } else {
      const offered = question.folders.map(({ uri }) => uri);
      if (message.roots.every((uri) => offered.includes(uri))) {
        const roots = offered.filter((uri) => message.roots.includes(uri));
        this.#answer(question, { answer: 'allow', roots }, 'Allowed');
      }
    }
  }

  #answer(question: Question, answer: LaunchAnswer, word: string): void {
    this.#answered += 1;
    this.#ids.delete(question);
    const left = this.#queue.questions.length - 1;
    this.#status =
      left === 0
        ? `${word}: ${visibleText(question.label)}.`
        : `${word}: ${visibleText(question.label)}. ${left} of ${this.#answered + left} left.`;
    this.#queue.answer(question, answer);
    if (this.#queue.questions.length === 0) {
      this.#surface.finished();
    }
  }

  #changed(): void {
    const waiting = this.#queue.questions;
    for (const question of this.#shown) {
      // What was answered has no id any more.
      if (!waiting.includes(question) && this.#ids.delete(question)) {
        this.#withdrawn.add(question.definition.id);
        this.#status = `The question about '${visibleText(question.label)}' was withdrawn.`;
      }
    }
    for (const question of waiting) {
      if (this.#withdrawn.delete(question.definition.id)) {
        this.#renewed.add(question);
        this.#status = `The launch of '${visibleText(question.label)}' has changed. Read it again.`;
      }
    }
    this.#update();
  }

  #update(): void {
    if (!this.#isReady) {
      return;
    }
    this.#shown = this.#queue.questions;
    const focus = this.#shown.find(({ definition }) => definition.id === this.#focus);
    this.#focus = undefined;
    this.#surface.post({
      type: 'show',
      questions: this.#shown.map((question) =>
        questionView(question, {
          id: this.#idOf(question),
          place: this.#surface.placeOf(question),
          isRenewed: this.#renewed.has(question),
        }),
      ),
      status: this.#status,
      ...(focus && { focus: this.#idOf(focus) }),
    });
    this.#status = '';
  }

  #idOf(question: Question): string {
    const id = this.#ids.get(question) ?? randomUUID();
    this.#ids.set(question, id);
    return id;
  }
}
