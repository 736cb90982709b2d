import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { Event } from '../../base/lifetime/event.ts';
import { HostError } from '../errors/hostError.ts';
import { callerKey } from '../ledger/caller.ts';
import type { CallAnswer, CallQuestion } from './callQuestion.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';

/** How many requests of one caller to one server may wait for an answer at the same time. */
const MAX_WAITING = 50;

/** What ends the wait for an answer, other than the answer. */
export interface Waiting<T> {
  readonly signal: AbortSignal;
  /** After each of these, `settled` is called. */
  readonly events: readonly Event<unknown>[];
  /** The result when the question is no longer needed; undefined while it is. An exception also ends the wait. */
  readonly settled: () => T | undefined;
}

/** Asks you about requests, each until you answer, or until nobody needs the answer any longer. */
export class AskedCalls {
  readonly #questions: QuestionQueue;
  /** How many wait, by caller and server. */
  readonly #waiting = new Map<string, number>();

  constructor(questions: QuestionQueue) {
    this.#questions = questions;
  }

  /** @throws CancellationError when the signal aborted, HostError `denied` when too many wait already. */
  async ask<T>(question: CallQuestion, waiting: Waiting<T>): Promise<CallAnswer | T> {
    const place = JSON.stringify([callerKey(question.caller), question.server.definition.id]);
    const count = this.#waiting.get(place) ?? 0;
    if (count >= MAX_WAITING) {
      throw new HostError('denied', `${MAX_WAITING} requests already wait for the user's answer`);
    }
    this.#waiting.set(place, count + 1);
    try {
      return await this.#answerTo(question, waiting);
    } finally {
      const left = (this.#waiting.get(place) ?? 1) - 1;
      if (left > 0) {
        this.#waiting.set(place, left);
      } else {
        this.#waiting.delete(place);
      }
    }
  }

  async #answerTo<T>(
    question: CallQuestion,
    { signal, events, settled }: Waiting<T>,
  ): Promise<CallAnswer | T> {
    const answered = Promise.withResolvers<CallAnswer | T>();
    const store = new DisposableStore();
    const look = (): void => {
      try {
        if (signal.aborted) {
          throw new CancellationError();
        }
        const result = settled();
        if (result !== undefined) {
          answered.resolve(result);
        }
      } catch (error) {
        answered.reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    signal.addEventListener('abort', look, { once: true });
    store.add({ dispose: () => signal.removeEventListener('abort', look) });
    events.forEach((event) => store.add(event(look)));
    store.add(this.#questions.ask(question, answered.resolve));
    look();
    try {
      return await answered.promise;
    } finally {
      store.dispose();
    }
  }
}
