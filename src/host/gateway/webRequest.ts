import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { AdmittedRequest } from './loopbackListener.ts';

/** The request as the SDK's handlers take it, without its body. Its signal aborts when the client is gone. */
export function webRequestOf({ path, method, headers, response }: AdmittedRequest): Request {
  const gone = new AbortController();
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      copy.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
  }
  const request = new Request(`http://127.0.0.1${path}`, { method, headers: copy, signal: gone.signal });
  response.on('close', () => {
    gone.abort();
    // The signal of a request that is no longer referenced may never abort.
    void request.signal;
  });
  return request;
}

export async function sendWebResponse(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  // Node and the browser have each a type for the same stream.
  const stream: unknown = answer.body;
  if (stream) {
    await pipeline(Readable.fromWeb(stream as WebStream), response);
  } else {
    response.end();
  }
}
