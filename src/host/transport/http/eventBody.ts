import { ReadableStream } from 'node:stream/web';
import { writtenEvent, type ServerEvent } from './eventParser.ts';
import { messagesIn } from './posted.ts';

/** A response whose body is these events, one message in each. */
export function eventResponse(events: AsyncIterable<ServerEvent>, headers?: Headers): Response {
  const merged = new Headers(headers);
  merged.set('content-type', 'text/event-stream');
  // Two declarations of one class: Node's own, and the one of the web.
  const body = ReadableStream.from(encoded(events)) as unknown as ConstructorParameters<typeof Response>[0];
  return new Response(body ?? null, { headers: merged });
}

async function* encoded(events: AsyncIterable<ServerEvent>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const event of events) {
    for (const one of unbatched(event)) {
      yield encoder.encode(writtenEvent(one));
    }
  }
}

/**
 * An event as one for each of the messages in it, so that in a batch a bad one costs only itself. A response that
 * is malformed becomes an error: the SDK would drop it, and leave whoever waits for it waiting.
 */
export function unbatched(event: ServerEvent): readonly ServerEvent[] {
  const messages = event.type === undefined && event.data !== undefined ? messagesIn(event.data) : undefined;
  return messages?.map((message) => ({ ...event, data: JSON.stringify(message) })) ?? [event];
}
