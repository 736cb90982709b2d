import type { ServerSdk } from '../sdk/loadSdk.ts';

/** How many items of a list one answer holds (server/utilities/pagination). */
const PAGE = 500;

/** The part of a list from a cursor on, and the cursor of what follows, if anything does. */
export function pageOf<T>(
  sdk: ServerSdk,
  list: readonly T[],
  cursor: string | undefined,
): { readonly items: T[]; readonly nextCursor: { readonly nextCursor?: string } } {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  }
  const start = Number(cursor ?? 0);
  const end = start + PAGE;
  return { items: list.slice(start, end), nextCursor: end < list.length ? { nextCursor: String(end) } : {} };
}
