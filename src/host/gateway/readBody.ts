import type { IncomingMessage } from 'node:http';

export class BodyTooLarge extends Error {}

/**
 * A request's body as JSON.
 *
 * @throws BodyTooLarge as soon as it is known to be larger than `limit` bytes; SyntaxError when it is not JSON;
 * what the system says when the client is gone before its end.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    throw new BodyTooLarge();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // An iterator that is left early would destroy the connection before anything could be answered.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > limit) {
      throw new BodyTooLarge();
    }
    chunks.push(bytes);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}
