import type { RequestId } from '@modelcontextprotocol/client';
import { Slices } from '../../../base/time/slices.ts';
import { readReceived, type Received } from '../../json/receivedLine.ts';
import { readMessage } from './bodies.ts';
import { eventResponse, type ServerEvent } from './eventParser.ts';
import { withText } from './exchange.ts';
import { handOn } from './handOn.ts';
import { lostAnswer, type HttpLife } from './httpLife.ts';
import { isAnswerTo, type PostedRequest } from './posted.ts';

/** For the SDK, this request ends with its stream. */
const LISTEN = 'subscriptions/listen';
/** Bytes of an invalid body that the SDK gets. */
const MAX_SHOWN = 2 ** 16;

/**
 * The response to a request in a JSON body, whose messages are handled one by one. If the response isn't among them, the
 * request fails. An error without an id belongs to this request.
 */
export async function jsonAnswer(
  { id, method }: Pick<PostedRequest, 'id' | 'method'>,
  response: Response,
  life: HttpLife,
): Promise<Response> {
  const bytes = await readMessage(response);
  const received = readReceived(bytes, id);
  const slices = new Slices();
  const first = await slices.run(nextOf(received));
  const second = first?.kind === 'noise' ? await slices.run(nextOf(received)) : undefined;
  const isEmptyBatch = first?.kind === 'noise' && /^\s*\[\s*\]\s*$/.test(first.text);
  if (first?.kind === 'noise' && !second && !isEmptyBatch) {
    // The SDK says what is wrong with it.
    return withText(response, bytes.toString('utf8', 0, MAX_SHOWN));
  }
  const begun = isEmptyBatch ? [] : [first, second].filter((one) => one !== undefined);
  const handing = (): Promise<void> => handedOn(id, [begun, received], life);
  if (method === LISTEN) {
    return eventResponse(afterwards(handing), response);
  }
  // The SDK takes the session from the headers first. A stream for no event would take longer than most of the rest.
  setImmediate(() => void handing());
  return new Response(null, { status: 202, headers: response.headers });
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

/** Gives the messages to the transport. */
async function handedOn(
  id: RequestId,
  parts: readonly Iterable<Received | number>[],
  life: HttpLife,
): Promise<void> {
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
}

/** No event, once the work is done. */
async function* afterwards(work: () => Promise<void>): AsyncGenerator<ServerEvent> {
  await work();
  yield* [];
}
