import type { IncomingMessage } from 'node:http';

export class BodyTooLarge extends Error {}

/**
 * A request's body as JSON.
 *
 * @throws BodyTooLarge as soon as it is known to be larger than `limit` bytes; SyntaxError when it is not JSON;
 * what the system says when the client is gone before its end.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const body = Promise.withResolvers<unknown>();
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    body.reject(new BodyTooLarge());
    return body.promise;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > limit) {
      request.pause();
      body.reject(new BodyTooLarge());
    }
  });
  request.once('error', body.reject);
  request.once('end', () => {
    try {
      body.resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    } catch (error) {
      body.reject(error);
    }
  });
  return body.promise;
}
