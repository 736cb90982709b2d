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

async function rejectedOnAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reasonOf: () => unknown,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(reasonOf());
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) {
    abort();
  }
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
