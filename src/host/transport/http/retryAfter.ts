import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../errors/hostError.ts';

/** Milliseconds that a server may ask to wait; beyond that the request fails. */
const MAX_WAIT_MS = 60_000;
const MAX_TRIES = 4;

/** The wait that `Retry-After` asks for (RFC 9110, 10.2.3: seconds or a date), in milliseconds. */
function retryAfterMs(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) {
    return Number(value) * 1_000;
  }
  // A date begins with its weekday; the parser would also take a bare number for a year.
  const date = /^[A-Z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Sends a request again that a server refused for now (429, 503 with `Retry-After`), and thus didn't handle.
 *
 * @throws HostError `refused` when the wait or the number of tries is too large, and what `send` throws.
 */
export async function whenAccepted(
  send: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await send();
    const { status } = response;
    const wait =
      status === 429 || status === 503
        ? retryAfterMs(response.headers.get('retry-after'), Date.now())
        : undefined;
    if (wait === undefined) {
      return response;
    }
    await response.body?.cancel();
    if (wait > MAX_WAIT_MS || tries === MAX_TRIES) {
      const message = `the server refused with status ${status}: it asks to wait for ${Math.ceil(wait / 1_000)} s`;
      throw new HostError('refused', message, { status });
    }
    await delay(wait, undefined, signal && { signal });
  }
}
