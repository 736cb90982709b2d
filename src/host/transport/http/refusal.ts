import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import { errorIn, refusalWords } from './refusalWords.ts';

/** What is known about a refused request, apart from the status. */
interface Refused {
  /** Whether it had the `Authorization` header of the definition. */
  readonly authorization?: boolean;
  /** The address that the server redirects to. */
  readonly redirect?: string | undefined;
  /** The body of the response. */
  readonly body?: string | undefined;
  /** The method that was refused, if it isn't obvious. */
  readonly method?: string | undefined;
}

/**
 * The failure for a status that isn't a success: what the user can do about it, and then the server's own words. For a
 * JSON-RPC error, that error, unless it is about permissions, which the status explains better.
 */
export function refusal(status: number, refused: Refused, cause?: unknown): HostError {
  const { body = '', method } = refused;
  const error = isAboutRights(status) ? undefined : errorIn(body);
  return new HostError('refused', error ? errorText(error, method) : textOf(status, refused), {
    status,
    cause,
  });
}

function textOf(status: number, refused: Refused): string {
  const { redirect, body = '', method } = refused;
  if (redirect !== undefined) {
    return `the server redirects to ${redirect}, which is not followed (status ${status}): if it is the server that you want, use that address in its definition`;
  }
  const what = method === undefined ? '' : ` '${method}'`;
  // The address is right if the server responded before.
  const advice = method === undefined ? adviceFor(status, refused) : '';
  const words = refusalWords(body);
  const why = words === undefined ? advice : advice === '' ? `: ${words}` : `${advice} (it says: ${words})`;
  return `the server refused${what} with status ${status}${why}`;
}

function errorText({ error: { code, message } }: JSONRPCErrorResponse, method: string | undefined): string {
  const words = refusalWords(JSON.stringify(message));
  return `the server answered${method === undefined ? '' : ` '${method}'`}: ${words ?? 'an error'} (${code})`;
}

/** Whether a status is about permissions, whatever the body says. */
export function isAboutRights(status: number): boolean {
  return [401, 403, 407].includes(status);
}

function adviceFor(status: number, { authorization }: Refused): string {
  switch (status) {
    case 401:
      return authorization
        ? ': it does not accept the Authorization header of its definition; check or replace it'
        : ': it requires authorization; add an Authorization header to its definition';
    case 403:
      return authorization
        ? ': the Authorization header of its definition does not allow this; check or replace it'
        : ': check the headers of its definition';
    case 404:
      return ': check the address of its definition';
    case 407:
      return ': the proxy requires credentials';
    case 405:
    case 410:
      return ': there is no MCP server at the address of its definition';
    case 429:
      return ': too many requests';
    default:
      return status >= 500 ? ': the problem is on the server' : '';
  }
}

/** JSON-RPC: an unknown method. A server that says so knows the session. */
export const METHOD_NOT_FOUND = -32601;

/**
 * Whether a server refuses because it doesn't know the session: 404 by the specification (2025-03-26, basic/transports,
 * session management). Widely copied servers respond with 400 and a text: "No valid session ID provided", "Server not
 * initialized", "No transport found for sessionId".
 */
export function saysUnknownSession(status: number, words: string): boolean {
  return (
    (status === 404 && errorIn(words)?.error.code !== METHOD_NOT_FOUND) ||
    (status === 400 &&
      (/server not initialized/i.test(words) ||
        (/session/i.test(words) && /\b(no|not|invalid|unknown|expired|missing|terminated)\b/i.test(words))))
  );
}

/** Whether the same request may succeed later: it was refused for now, or for missing permissions. */
export function isRefusedForNow(status: number): boolean {
  return status >= 500 || [401, 403, 408, 429].includes(status);
}

/** A session that is unknown at the end of its handshake gets a message of its own. */
export function forgottenAtOnce(error: unknown): unknown {
  return error instanceof HostError && error.code === 'sessionLost'
    ? new HostError('sessionLost', 'the server does not know the session that it just started', {
        detail: error.detail,
        cause: error,
      })
    : error;
}
