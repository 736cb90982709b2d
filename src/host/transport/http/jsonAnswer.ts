import type { RequestId } from '@modelcontextprotocol/client';
import { readMessage } from './bodies.ts';
import { eventResponse } from './eventBody.ts';
import type { ServerEvent } from './eventParser.ts';
import { withText } from './exchange.ts';
import { lostAnswer, type HttpLife } from './httpLife.ts';
import { answeredBy, isAnswerTo, messagesIn } from './posted.ts';

/**
 * The answer of a request in a JSON body: each message in an event of its own, so that a bad one costs
 * only itself. What has no answer for it in it, never will have.
 */
export async function jsonAnswer(id: RequestId, response: Response, life: HttpLife): Promise<Response> {
  const text = await readMessage(response);
  const messages = text.trim() === '' ? [] : messagesIn(text);
  if (!messages || (messages.length === 1 && !isMessage(messages[0]))) {
    // The SDK says what it is instead.
    return withText(response, text);
  }
  const addressed = messages.map((message) => addressedTo(id, message));
  if (addressed.some((message) => isAnswerTo(id, message))) {
    life.settled(id);
  } else {
    life.failed(id, lostAnswer());
  }
  return eventResponse(asEvents(addressed), response.headers);
}

function isMessage(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

/** An error that a server could address to nobody, in the answer to one request, is that request's. */
function addressedTo(id: RequestId, message: unknown): unknown {
  return isMessage(message) && 'error' in message && answeredBy(message) === null
    ? { ...message, id }
    : message;
}

async function* asEvents(messages: readonly unknown[]): AsyncGenerator<ServerEvent> {
  for (const message of messages) {
    yield { data: JSON.stringify(message) };
  }
}
