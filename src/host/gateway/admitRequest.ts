import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The HTTP status with which a request is turned away, or undefined for one that may be served. A web page
 * that reaches this port, also through a name that it has pointed here, betrays itself by `Origin` or `Host`
 * (basic/transports, security warning). Whoever lacks the token is told of nothing here: a 401 or 403 would
 * have the editor open a dialog for a log-in.
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
  return timingSafeEqual(digestOf(given), digestOf(authorization)) ? undefined : 404;
}

/** Of one length, whatever was given. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
