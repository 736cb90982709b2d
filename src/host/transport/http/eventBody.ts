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

/** An event that carries a batch as one for each message, so that a bad one costs only itself. */
export function unbatched(event: ServerEvent): readonly ServerEvent[] {
  if (event.type !== undefined || !event.data?.trimStart().startsWith('[')) {
    return [event];
  }
  return messagesIn(event.data)?.map((message) => ({ data: JSON.stringify(message) })) ?? [event];
}
