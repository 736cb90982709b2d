import type { ServerId } from '../config/serverDefinition.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';

/** So many requests of one server may wait for those before them. */
const MAX_WAITING = 100;

interface Waiting {
  readonly signal: AbortSignal;
  enter(): void;
  fail(failure: SamplingFailure): void;
}

/** Where requests wait: one of each server is looked at, the others follow in their order. */
export class SamplingLine {
  /** Those that wait, of each server that has one which is looked at. */
  readonly #lines = new Map<ServerId, Waiting[]>();

  /**
   * Resolves when it is this request's turn; the result ends the turn, and may be called twice.
   *
   * @throws SamplingFailure: the signal's reason, `limited` when too many wait, or what `turnAway` was given.
   */
  async enter(id: ServerId, signal: AbortSignal): Promise<() => void> {
    const line = this.#lines.get(id);
    if (line && line.length >= MAX_WAITING) {
      throw new SamplingFailure(
        'limited',
        `${MAX_WAITING} requests of this server wait for an answer already.`,
      );
    }
    if (line) {
      await this.#wait(line, signal);
    } else {
      this.#lines.set(id, []);
    }
    let isOver = false;
    return () => {
      if (!isOver) {
        isOver = true;
        this.#next(id);
      }
    };
  }

  /** None of those that wait gets its turn. */
  turnAway(failure: SamplingFailure): void {
    for (const line of this.#lines.values()) {
      line.splice(0).forEach((waiting) => waiting.fail(failure));
    }
  }

  async #wait(line: Waiting[], signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { signal, enter: turn.resolve, fail: turn.reject };
    const leave = (): void => {
      const index = line.indexOf(waiting);
      if (index >= 0) {
        line.splice(index, 1);
        turn.reject(signal.reason);
      }
    };
    line.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) {
      leave();
    }
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #next(id: ServerId): void {
    const next = this.#lines.get(id)?.shift();
    if (next) {
      next.enter();
    } else {
      this.#lines.delete(id);
    }
  }
}
