import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../errors/hostError.ts';
import { readEvents } from './bodies.ts';
import type { ServerEvent } from './eventParser.ts';

/** What became of opening a stream once more. */
export type Opening =
  | { readonly kind: 'open'; readonly response: Response }
  /** Asking again may help. */
  | { readonly kind: 'notNow' | 'nobodyThere' }
  | { readonly kind: 'never'; readonly reason: HostError };

export interface Continuation {
  /** Opens the stream again, after the event of this id if there is one. */
  open(lastEventId: string | undefined): Promise<Opening>;
  /** Why the stream cannot be continued when no event of it had an id; without one, it can. */
  readonly unlessNamed?: (cause: unknown) => HostError;
  /** Whether all has come that the stream is for. */
  readonly isComplete?: () => boolean;
  /** Failures of opening, one after the other, and the end of them. */
  readonly onOutage?: (failures: number) => void;
  /**
   * Called after each failure in a row from `MAX_FAILURES` on: resolves when another try is worth it.
   *
   * @throws HostError that says why the stream is given up.
   */
  readonly afterMany: (failures: number) => Promise<void>;
  /** Waits so many milliseconds, or until the signal aborts; without it, by the clock. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Failures to open one stream, one after the other, after which it is not tried again by the clock. */
export const MAX_FAILURES = 15;
/** Milliseconds before a stream is opened again, if the server names none; half as long again each time. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** Bounds of what a server may ask for: it is not asked in a loop, and not forgotten. */
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 10 * 60_000;
/** Milliseconds at most between streams that open and bring nothing: a server may want to be polled (2025-11-25). */
const MAX_POLL_MS = 5_000;

/**
 * The events of one stream that is opened again whenever it ends or breaks (2025-11-25, basic/transports,
 * resumability and redelivery), until the signal aborts.
 *
 * @throws HostError that says why it cannot go on.
 */
export async function* continuedEvents(
  first: Response | undefined,
  continuation: Continuation,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let lastEventId: string | undefined;
  let retryMs: number | undefined;
  let failures = 0;
  /** Streams in a row that brought no message. */
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
        // An event that is too large would come again.
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
 * Milliseconds before the next try. What a server proposes (`retry`) is waited for at least; failures, and streams
 * that bring nothing, make it longer whatever that is.
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
 * An id as a header can have it: in UTF-8, as a browser sends it (HTML, server-sent events). One that no header can
 * have, or that is too long for it, is as good as none.
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
