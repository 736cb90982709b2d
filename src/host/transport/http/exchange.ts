import type { FetchLike } from '@modelcontextprotocol/client';
import type { Logger } from '../../../base/logging/logger.ts';
import { readWords } from './bodies.ts';
import type { HttpLife } from './httpLife.ts';

/** What the `fetch` under one transport needs. */
export interface GuardOptions {
  readonly life: HttpLife;
  readonly logger: Logger;
  /** Whether the definition has an `Authorization` header of its own. */
  readonly hasAuthorization: boolean;
  readonly fetch: FetchLike;
}

/** One request as the SDK makes it. */
export interface Exchange {
  readonly url: string | URL;
  readonly init: RequestInit;
  readonly sent: Headers;
}

const sessionHeader = 'mcp-session-id';

/** Whether a request belongs to a session. */
export function isInSession({ sent }: Exchange): boolean {
  return sent.has(sessionHeader);
}

/** The exchange in the session that its response starts: its stream is resumed in that session. */
export function inSessionOf({ headers }: Response, exchange: Exchange): Exchange {
  const session = headers.get(sessionHeader);
  const sent = new Headers(exchange.sent);
  if (session) {
    sent.set(sessionHeader, session);
  }
  return { ...exchange, sent };
}

export function isEventStream(response: Response): boolean {
  return response.ok && hasType(response, 'text/event-stream');
}

export function hasType({ headers }: Response, type: string): boolean {
  const [essence = ''] = (headers.get('content-type') ?? '').split(';');
  return essence.trim().toLowerCase() === type;
}

/** A response with this text in place of its body. */
export function withText({ status, statusText, headers }: Response, text: string): Response {
  const isBodiless = [204, 205, 304].includes(status);
  return new Response(isBodiless ? null : text, { status, statusText, headers });
}

/**
 * A response that is not successful, with the beginning of its body. The session id is removed, because the text may be
 * logged (2025-06-18, basic/transports: handle session ids securely).
 */
export async function withWords(
  response: Response,
  { sent }: Exchange,
): Promise<{ readonly response: Response; readonly words: string }> {
  const session = sent.get(sessionHeader);
  const all = await readWords(response);
  const words = session ? all.replaceAll(session, '…') : all;
  return { response: withText(response, words), words };
}

/** A signal that aborts when one of the two does. */
export function either(one: AbortSignal | null | undefined, other: AbortSignal): AbortSignal {
  return one ? AbortSignal.any([one, other]) : other;
}
