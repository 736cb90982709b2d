import { authScheme } from '../../base/text/secretShapes.ts';

/** The header of a token for which you name no other. */
const AUTHORIZATION = 'Authorization';

/** A header that a request carries. */
export interface SentHeader {
  readonly header: string;
  readonly value: string;
}

/** The headers of the protocol, which a token can't replace. */
const reserved =
  /^(?:accept|accept-encoding|connection|content-.*|dpop|host|last-event-id|mcp-.*|te|transfer-encoding|upgrade)$/i;

/** What is wrong with a token as it was entered, in one sentence without the token. */
export function problemOfToken(typed: string): string | undefined {
  return /^[\x20-\x7E]*$/.test(typed.trim())
    ? undefined
    : 'A token is one line of letters, digits and punctuation.';
}

/** What is wrong with the name of a header, in one sentence. */
export function problemOfHeader(name: string): string | undefined {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
    ? undefined
    : 'A header needs a name of letters, digits and hyphens.';
}

/** What is wrong with the header of a token as it was entered, in one sentence; empty means the usual one. */
export function problemOfTokenHeader(typed: string): string | undefined {
  const name = typed.trim();
  return reserved.test(name)
    ? 'The protocol uses this header for something else.'
    : name === ''
      ? undefined
      : problemOfHeader(name);
}

/** How a token is sent: after `Bearer` in `Authorization`, unless you name another header or type a scheme yourself. */
export function sentHeader(typedHeader: string, typedToken: string): SentHeader {
  const header = typedHeader.trim() || AUTHORIZATION;
  const token = typedToken.trim();
  const isBare = isAuthorization(header) && !authScheme.test(token);
  return { header, value: isBare ? `Bearer ${token}` : token };
}

function isAuthorization(header: string): boolean {
  return header.toLowerCase() === AUTHORIZATION.toLowerCase();
}

/** Whether headers have one of this name. */
export function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((one) => one.toLowerCase() === name.toLowerCase());
}

/** What must appear in no log and no failure: the value of the header, and the token in it. */
export function secretsOfHeader({ value }: SentHeader): readonly string[] {
  return [value, value.replace(authScheme, '')];
}
