import type { RequestId } from '@modelcontextprotocol/client';
import { Slices } from '../../../base/slices.ts';
import { readReceived, type Received } from '../../json/receivedLine.ts';
import { readMessage } from './bodies.ts';
import { eventResponse } from './eventBody.ts';
import type { ServerEvent } from './eventParser.ts';
import { withText } from './exchange.ts';
import { handOn } from './handOn.ts';
import { lostAnswer, type HttpLife } from './httpLife.ts';
import { isAnswerTo } from './posted.ts';

/** Bytes of a body that is no message which the SDK is shown. */
const MAX_SHOWN = 2 ** 16;

/**
 * The answer of a request in a JSON body: each message by itself, so that a bad one costs only itself. What has no
 * answer for it in it, never will have. An error that a server could address to nobody is that request's.
 */
export async function jsonAnswer(id: RequestId, response: Response, life: HttpLife): Promise<Response> {
  const bytes = await readMessage(response);
  const received = readReceived(bytes, id);
  const slices = new Slices();
  const first = await slices.run(nextOf(received));
  const second = first?.kind === 'noise' ? await slices.run(nextOf(received)) : undefined;
  const isEmptyBatch = first?.kind === 'noise' && /^\s*\[\s*\]\s*$/.test(first.text);
  if (first?.kind === 'noise' && !second && !isEmptyBatch) {
    // The SDK says what it is instead.
    return withText(response, bytes.toString('utf8', 0, MAX_SHOWN));
  }
  const begun = isEmptyBatch ? [] : [first, second].filter((one) => one !== undefined);
  return eventResponse(handedOn(id, [begun, received], life), response.headers);
}

function* nextOf(received: Iterator<Received | number>): Generator<number, Received | undefined> {
  for (;;) {
    const step = received.next();
    if (step.done) {
      return undefined;
    }
    if (typeof step.value !== 'number') {
      return step.value;
    }
    yield step.value;
  }
}

/** The events that the SDK has of it, which are none. */
async function* handedOn(
  id: RequestId,
  parts: readonly Iterable<Received | number>[],
  life: HttpLife,
): AsyncGenerator<ServerEvent> {
  let isAnswered = false;
  for (const part of parts) {
    await handOn(part, life, (message) => {
      if (isAnswerTo(id, message)) {
        isAnswered = true;
        life.settled(id);
      }
    });
  }
  if (!isAnswered) {
    life.failed(id, lostAnswer());
  }
  yield* [];
}
