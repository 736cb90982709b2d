import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { Answer } from './launchApproval.ts';

/** Whether a server may be launched as its definition says. */
export interface LaunchQuestion {
  readonly kind: 'launch';
  readonly definition: ServerDefinition;
  /** What the server is called before the person. */
  readonly label: string;
  readonly workingDirectory: string;
}

export type Question = LaunchQuestion;

interface Entry {
  readonly question: Question;
  readonly answered: (answer: Answer) => void;
}

/**
 * The one queue of everything that the person is asked. A question stays until it is answered or
 * withdrawn; looking away from it is no answer.
 */
export class QuestionQueue {
  readonly #entries: Entry[] = [];
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;

  get questions(): readonly Question[] {
    return this.#entries.map(({ question }) => question);
  }

  /** Adds a question; disposing the result withdraws it, after which it is never answered. */
  ask(question: Question, answered: (answer: Answer) => void): Disposable {
    this.#entries.push({ question, answered });
    this.#onDidChange.fire();
    return toDisposable(() => this.#take(question));
  }

  /** Gives the person's answer; false when the question was withdrawn meanwhile. */
  answer(question: Question, answer: Answer): boolean {
    const entry = this.#take(question);
    entry?.answered(answer);
    return entry !== undefined;
  }

  #take(question: Question): Entry | undefined {
    const index = this.#entries.findIndex((entry) => entry.question === question);
    const [entry] = index < 0 ? [] : this.#entries.splice(index, 1);
    if (entry) {
      this.#onDidChange.fire();
    }
    return entry;
  }
}
