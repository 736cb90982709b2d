import type { Disposable } from '../../base/disposable.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { SamplingSource } from '../connection/samplingSource.ts';

/**
 * How long anybody waits for the answer to a request: until the server gives it up, its session ends, or everything
 * that it was working on has ended.
 */
export class RequestLife implements Disposable {
  readonly #over = new AbortController();
  /** Aborts when nobody waits any more. */
  readonly signal = this.#over.signal;
  readonly #ends: readonly (() => void)[];
  readonly #label: string;
  readonly #askedAt: number;
  readonly #now: () => number;
  #why = '';

  constructor(source: SamplingSource, askedAt: number, now: () => number) {
    this.#label = source.server().label;
    this.#askedAt = askedAt;
    this.#now = now;
    const { signal, ended, requests } = source;
    const calls = requests.map((request) => request.ended);
    const look = (): void => {
      if (ended.aborted) {
        this.#end((label, seconds) => `'${label}' has stopped; it had waited for ${seconds} s.`);
      } else if (signal.aborted) {
        this.#end((label, seconds) => `'${label}' stopped waiting after ${seconds} s.`);
      } else if (calls.length > 0 && calls.every(({ aborted }) => aborted)) {
        this.#end((label, seconds) => `What '${label}' was working on ended after ${seconds} s.`);
      }
    };
    const watched = [signal, ended, ...calls];
    watched.forEach((one) => one.addEventListener('abort', look));
    this.#ends = watched.map((one) => () => one.removeEventListener('abort', look));
    look();
  }

  /** Why nobody waits any more, in a sentence. */
  get why(): string {
    return this.#why;
  }

  /** @throws SamplingFailure `over`. */
  check(): void {
    if (this.signal.aborted) {
      throw new SamplingFailure('over', this.#why);
    }
  }

  dispose(): void {
    this.#ends.forEach((end) => end());
  }

  #end(sentence: (label: string, seconds: number) => string): void {
    if (!this.signal.aborted) {
      this.#why = sentence(this.#label, Math.round((this.#now() - this.#askedAt) / 1_000));
      this.#over.abort(new SamplingFailure('over', this.#why));
    }
  }
}
