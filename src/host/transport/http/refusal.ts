import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import { errorIn, refusalWords } from './refusalWords.ts';

/** What is known of a refused request besides the status. */
interface Refused {
  /** Whether it had the `Authorization` header of the definition. */
  readonly authorization?: boolean;
  /** Where the server has pointed to, in words. */
  readonly redirect?: string | undefined;
  /** What the server says. */
  readonly body?: string | undefined;
  /** What was refused, when that is not what everybody would think of. */
  readonly method?: string | undefined;
}

/**
 * Says of a status that is no success what the person can do about it, and what the server says, which stands last. A
 * JSON-RPC error is told as such, unless it is about rights, which the status tells as well.
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
  const what = method === undefined ? '' : ` '${method}'`;
  // What has answered before is there.
  const advice = method === undefined ? adviceFor(status, refused) : '';
  const words = redirect === undefined ? refusalWords(body) : undefined;
  const why = words === undefined ? advice : advice === '' ? `: ${words}` : `${advice} (it says: ${words})`;
  return `the server refused${what} with status ${status}${why}`;
}

function errorText({ error: { code, message } }: JSONRPCErrorResponse, method: string | undefined): string {
  const words = refusalWords(JSON.stringify(message));
  return `the server answered${method === undefined ? '' : ` '${method}'`}: ${words ?? 'an error'} (${code})`;
}

/** Whether a status is about what this client may do, whatever the body says. */
export function isAboutRights(status: number): boolean {
  return [401, 403, 407].includes(status);
}

function adviceFor(status: number, { authorization, redirect }: Refused): string {
  if (redirect !== undefined) {
    return `: ${redirect}`;
  }
  switch (status) {
    case 401:
      return authorization
        ? ': it does not accept the Authorization header of its definition; check or replace it'
        : ': it wants authorization; give it an Authorization header in its definition';
    case 403:
      return authorization
        ? ': the Authorization header of its definition does not entitle to this; check or replace it'
        : ': check the headers of its definition';
    case 404:
      return ': check the address of its definition';
    case 407:
      return ': the proxy on the way to it wants credentials';
    case 405:
    case 410:
      return ': there is no MCP server at the address of its definition';
    case 429:
      return ': too many requests';
    default:
      return status >= 500 ? ': the fault is on its side' : '';
  }
}

/** The code of JSON-RPC for a method that a server does not have, which it says in a session that it knows. */
const METHOD_NOT_FOUND = -32601;

/**
 * Whether a server says by refusing that it does not know the session: 404 by the specification
 * (2025-03-26, basic/transports, session management). Widely copied servers say 400 in words: "No valid
 * session ID provided", "Server not initialized", "No transport found for sessionId".
 */
export function saysUnknownSession(status: number, words: string): boolean {
  return (
    (status === 404 && errorIn(words)?.error.code !== METHOD_NOT_FOUND) ||
    (status === 400 &&
      (/server not initialized/i.test(words) ||
        (/session/i.test(words) && /\b(no|not|invalid|unknown|expired|missing|terminated)\b/i.test(words))))
  );
}

/** Whether the same request may be answered another time: it was refused for now, or for want of rights. */
export function isRefusedForNow(status: number): boolean {
  return status >= 500 || [401, 403, 408, 429].includes(status);
}
