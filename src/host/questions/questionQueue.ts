import { toDisposable, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { Question } from './question.ts';

interface Entry {
  readonly question: Question;
  // A method: an entry takes only answers to its own kind of question, which `ask` ensures.
  answered(answer: unknown): void;
}

/**
 * The one queue of everything that you are asked. A question stays until it is answered or withdrawn; closing the panel
 * is not an answer.
 */
export class QuestionQueue {
  readonly #entries: Entry[] = [];
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  /** How many calls of `inOneChange` run, and whether something has changed in them. */
  #depth = 0;
  #hasChanged = false;

  get questions(): readonly Question[] {
    return this.#entries.map(({ question }) => question);
  }

  /** What `work` asks, withdraws and answers is reported once, at its end. */
  inOneChange(work: () => void): void {
    this.#depth += 1;
    try {
      work();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0 && this.#hasChanged) {
        this.#changed();
      }
    }
  }

  /** Adds a question; disposing the result withdraws it, and then it is never answered. */
  ask<A>(question: Question<A>, answered: (answer: A) => void): Disposable {
    this.#entries.push({ question, answered });
    this.#changed();
    return toDisposable(() => this.#take(question));
  }

  /** Answers a question; false when it no longer waits. */
  answer<A>(question: Question<A>, answer: A): boolean {
    const entry = this.#take(question);
    entry?.answered(answer);
    return entry !== undefined;
  }

  #take(question: Question): Entry | undefined {
    const index = this.#entries.findIndex((entry) => entry.question === question);
    const [entry] = index < 0 ? [] : this.#entries.splice(index, 1);
    if (entry) {
      this.#changed();
    }
    return entry;
  }

  #changed(): void {
    this.#hasChanged = this.#depth > 0;
    if (!this.#hasChanged) {
      this.#onDidChange.fire();
    }
  }
}
