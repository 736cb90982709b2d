import { toDisposable, type Disposable } from './disposable.ts';

/** The user or the caller cancelled a request. Not an error: neither logged nor shown. */
export class CancellationError extends Error {
  constructor() {
    super('Cancelled');
    this.name = 'CancellationError';
  }
}

/** The result of `work`; throws a CancellationError as soon as the signal aborts, even while `work` goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return rejectedOnAbort(work, signal, () => new CancellationError());
}

/** As `unlessAborted`, but rejects with the signal's reason. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return rejectedOnAbort(work, signal, () => signal.reason);
}

function rejectedOnAbort<T>(work: Promise<T>, signal: AbortSignal, reasonOf: () => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reasonOf());
    const settle = (): void => signal.removeEventListener('abort', abort);
    work.then(
      (result) => {
        settle();
        resolve(result);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      // What is settled already comes first.
      queueMicrotask(abort);
    }
  });
}

/**
 * Aborts the controller as soon as the signal aborts, until the result is disposed. Unlike `AbortSignal.any` it leaves
 * nothing to the garbage collector.
 */
export function abortWith(controller: AbortController, signal: AbortSignal): Disposable {
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) {
    abort();
  } else {
    signal.addEventListener('abort', abort, { once: true });
  }
  return toDisposable(() => signal.removeEventListener('abort', abort));
}
