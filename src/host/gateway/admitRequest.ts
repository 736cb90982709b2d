import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The HTTP status with which a request is refused; undefined for one that may be served. A web page
 * that reaches this port, also through a name that it resolves to it, is recognized by `Origin` or `Host`
 * (basic/transports, security warning). Without the token nothing is there: a 401 or 403 would
 * make the editor open a sign-in dialog.
 */
export function refusalOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  port: number,
  authorization: string,
): 403 | 404 | undefined {
  const { host, origin, authorization: given = '' } = headers;
  if (origin !== undefined || (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)) {
    return 403;
  }
  return isSame(Buffer.from(given, 'latin1'), Buffer.from(authorization, 'latin1')) ? undefined : 404;
}

/** Takes the same time for each text of the right length, which isn't secret. */
function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
