import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../errors/hostError.ts';
import { readEvents } from './bodies.ts';
import type { ServerEvent } from './eventParser.ts';

/** The result of opening a stream again. */
export type Opening =
  | { readonly kind: 'open'; readonly response: Response }
  /** Trying again may help. */
  | { readonly kind: 'notNow' | 'nobodyThere' }
  | { readonly kind: 'never'; readonly reason: HostError };

export interface Continuation {
  /** Opens the stream again, after the event with this id, if any. */
  open(lastEventId: string | undefined): Promise<Opening>;
  /** The reason why a stream without event ids cannot be continued; without this function, it can. */
  readonly unlessNamed?: (cause: unknown) => HostError;
  /** Whether everything that the stream is for has arrived. */
  readonly isComplete?: () => boolean;
  /** Called when the stream has ended or broken, or could not be opened. */
  readonly onEnd?: () => void;
  /** Called with the number of failures in a row, and with 0 after them. */
  readonly onOutage?: (failures: number) => void;
  /**
   * Called after each failure in a row from `MAX_FAILURES` on; resolves when another try makes sense.
   *
   * @throws HostError that says why the stream is abandoned.
   */
  readonly afterMany: (failures: number) => Promise<void>;
  /** Waits so many milliseconds, or until the signal aborts; a timer by default. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Failures in a row to open one stream; after them `afterMany` decides when to try again. */
export const MAX_FAILURES = 15;
/** Milliseconds before a stream is opened again, if the server names none; 1.5 times as long after each failure. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** Bounds of what a server may ask for, so that it is neither asked in a loop nor forgotten. */
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 10 * 60_000;
/** Milliseconds at most between streams that open and have no events: a server may want to be polled (2025-11-25). */
const MAX_POLL_MS = 5_000;

/**
 * The events of one stream, which is opened again whenever it ends or breaks (2025-11-25, basic/transports,
 * resumability and redelivery), until the signal aborts.
 *
 * @throws HostError that says why the stream cannot go on.
 */
export async function* continuedEvents(
  first: Response | undefined,
  continuation: Continuation,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let lastEventId: string | undefined;
  let retryMs: number | undefined;
  let failures = 0;
  /** Streams in a row without a message. */
  let empty = 0;
  for (let response = first; !signal.aborted;) {
    let cause: unknown;
    const openedAt = Date.now();
    if (response) {
      try {
        for await (const event of readEvents(response, (ms) => (retryMs = ms))) {
          failures = 0;
          empty = event.data?.length ? 0 : empty;
          lastEventId = event.id === undefined ? lastEventId : sendableId(event.id);
          yield event;
        }
      } catch (error) {
        // An event that is too large would be sent again.
        if (error instanceof HostError) {
          throw error;
        }
        cause = error;
      }
    }
    if (signal.aborted || continuation.isComplete?.()) {
      return;
    }
    if (!lastEventId && continuation.unlessNamed) {
      throw continuation.unlessNamed(cause);
    }
    continuation.onEnd?.();
    if (Date.now() - openedAt > MAX_WAIT_MS) {
      failures = 0;
    }
    await (continuation.wait ?? waitOut)(waitMs(retryMs, failures, empty), signal);
    failures += 1;
    empty += 1;
    if (failures > MAX_FAILURES && !signal.aborted) {
      await continuation.afterMany(failures - 1);
    }
    if (signal.aborted) {
      return;
    }
    const opening = await continuation.open(lastEventId || undefined);
    if (opening.kind === 'never') {
      throw opening.reason;
    }
    response = opening.kind === 'open' ? opening.response : undefined;
    continuation.onOutage?.(response ? 0 : failures);
  }
}

async function waitOut(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}

/**
 * Milliseconds before the next try: at least what the server asks for (`retry`), and longer after failures and streams
 * without events.
 */
function waitMs(retryMs: number | undefined, failures: number, empty: number): number {
  if (retryMs === undefined) {
    return grown(FIRST_WAIT_MS, failures, MAX_WAIT_MS);
  }
  return Math.max(
    Math.min(retryMs, MAX_RETRY_MS),
    grown(MIN_RETRY_MS, failures, MAX_WAIT_MS),
    grown(MIN_RETRY_MS, empty, MAX_POLL_MS),
  );
}

function grown(firstMs: number, times: number, mostMs: number): number {
  return Math.min(firstMs * 1.5 ** times, mostMs);
}

/** Bytes of an id that are sent back. */
const MAX_ID = 8 * 1024;

/**
 * An id for a header: in UTF-8, as a browser sends it (HTML, server-sent events). Empty for an id that no header can
 * have, or that is too long.
 */
function sendableId(id: string): string {
  const bytes = Buffer.from(id);
  const text = bytes.toString('latin1');
  // Node refuses control characters, and spaces at the ends are lost.
  const isSendable =
    bytes.length <= MAX_ID &&
    text.trim() === text &&
    !bytes.some((byte) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f);
  return isSendable ? text : '';
}
