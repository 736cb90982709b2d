import { ReadableStream } from 'node:stream/web';
import { writtenEvent, type ServerEvent } from './eventParser.ts';

/**
 * A response that lasts as long as the events do. Of these it has only those that are no messages: `handOn` gives
 * the messages to the transport itself, which would parse them once more, and each in one go.
 */
export function eventResponse(events: AsyncIterable<ServerEvent>, headers?: Headers): Response {
  const merged = new Headers(headers);
  merged.set('content-type', 'text/event-stream');
  merged.delete('content-length');
  // Two declarations of one class: Node's own, and the one of the web.
  const body = ReadableStream.from(encoded(events)) as unknown as ConstructorParameters<typeof Response>[0];
  return new Response(body ?? null, { headers: merged });
}

async function* encoded(events: AsyncIterable<ServerEvent>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const event of events) {
    if (event.type !== undefined) {
      yield encoder.encode(writtenEvent(event));
    }
  }
}
