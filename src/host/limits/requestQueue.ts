import type { ServerId } from '../config/serverDefinition.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';

/** Requests of one server that may wait. */
const MAX_WAITING = 100;

/** A request that waits: `enter` begins it, and `fail` ends its wait. */
interface Waiting {
  enter(): void;
  fail(failure: unknown): void;
}

/** The queue of each server: one request is handled at a time, the others wait in their order. */
export class RequestQueue {
  /** The waiting requests of each server whose request is being handled. */
  readonly #queues = new Map<ServerId, Waiting[]>();

  /**
   * Handles a request when it is next.
   *
   * @throws what `handle` throws; SamplingFailure: the signal's reason while it waits, `limited` when too many wait, or
   * the failure given to `rejectWaiting`.
   */
  async handle<T>(id: ServerId, signal: AbortSignal, handle: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(id);
    if (queue && queue.length >= MAX_WAITING) {
      throw new SamplingFailure(
        'limited',
        `${MAX_WAITING} requests of this server are already waiting for an answer.`,
      );
    }
    if (queue) {
      await untilNext(queue, signal);
    } else {
      this.#queues.set(id, []);
    }
    try {
      return await handle();
    } finally {
      const next = this.#queues.get(id)?.shift();
      if (next) {
        next.enter();
      } else {
        this.#queues.delete(id);
      }
    }
  }

  /** Fails all requests that wait. */
  rejectWaiting(failure: SamplingFailure): void {
    for (const queue of this.#queues.values()) {
      queue.splice(0).forEach((waiting) => waiting.fail(failure));
    }
  }
}

async function untilNext(queue: Waiting[], signal: AbortSignal): Promise<void> {
  const next = Promise.withResolvers<void>();
  const waiting: Waiting = { enter: next.resolve, fail: next.reject };
  const leave = (): void => {
    const index = queue.indexOf(waiting);
    if (index >= 0) {
      queue.splice(index, 1);
      next.reject(signal.reason);
    }
  };
  queue.push(waiting);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) {
    leave();
  }
  try {
    await next.promise;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
