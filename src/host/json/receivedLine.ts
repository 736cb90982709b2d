import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { AT_ONCE_BYTES, messageBounds, turnBounds } from './bounds.ts';
import { afterSpace, CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT, TooMuch } from './jsonBytes.ts';
import { parseInSteps } from './parseInSteps.ts';
import { setReceivedBytes } from './receivedBytes.ts';
import { skipInSteps } from './skipInSteps.ts';
import { asMessage } from './receivedMessage.ts';

/** How many invalid elements of one batch are shown: millions fit into a line. */
const SHOWN_ELEMENTS = 100;
/** Bytes of invalid output that are shown. */
const SHOWN_BYTES = 16 * 1024;

/** Units of work that passing on a message takes, in addition to reading it. */
export const MESSAGE_WORK = turnBounds.work / turnBounds.messages;

/** What a server sent as a message. */
export type Received =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  /** Not a message, as it would be shown. */
  | { readonly kind: 'noise'; readonly text: string }
  /** A message that exceeds the bounds, and isn't a response; `reason` is a clause such as "has more than 10 values". */
  | { readonly kind: 'tooMuch'; readonly reason: string };

/**
 * Reads what a server sent as one message (basic/transports), in steps; a number is the work of one step. An array is a
 * batch (2025-03-26, basic: clients MUST support receiving them), whose elements are read one by one: an invalid element
 * doesn't affect the others, and each one is yielded as soon as it is read. A response that exceeds the bounds becomes
 * an error, so that its request fails at once. So does a batch that is too large for the elements to be passed on: the
 * whole of it is the response to `addressee`. An error without an id goes to `addressee`, if there is one. A message that
 * is read in steps knows its `receivedBytes`.
 */
export function* readReceived(bytes: Buffer, addressee?: RequestId): Generator<Received | number, void> {
  const start = yield* afterSpace(bytes, 0);
  if (start >= bytes.length) {
    return;
  }
  // A line of log output isn't JSON from its first character on: that needs no exception for each line.
  if (bytes[start] !== OPEN_ARRAY && bytes[start] !== OPEN_OBJECT) {
    yield noise(bytes);
    return;
  }
  if (bytes[start] === OPEN_ARRAY && bytes.length - start > messageBounds.batchBytes) {
    yield refused(addressee, 'is a batch of more than 8 MiB');
    return;
  }
  const whole = bytes.length - start <= AT_ONCE_BYTES ? parsedAtOnce(bytes, start) : undefined;
  if (whole === undefined) {
    yield* readInSteps(bytes, start, addressee);
    return;
  }
  yield bytes.length;
  const { value } = whole;
  if (Array.isArray(value) && value.length > 0) {
    yield* readBatch(value, addressee);
  } else {
    const message = asMessage(value, addressee);
    yield message ? { kind: 'message', message } : noise(bytes);
  }
}

/** The value, or no value if the text isn't JSON; undefined if it must be parsed in steps. */
function parsedAtOnce(bytes: Buffer, start: number): { readonly value?: unknown } | undefined {
  const text = bytes.toString('utf8', start);
  if (text.length > messageBounds.depth && isDeeperThan(text, messageBounds.depth)) {
    return undefined;
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}

function* readBatch(
  elements: readonly unknown[],
  addressee: RequestId | undefined,
): Generator<Received, void> {
  const others = new OtherElements();
  for (const element of elements) {
    const message = asMessage(element, addressee);
    if (message) {
      yield { kind: 'message', message };
    } else {
      yield* others.shown(element);
    }
  }
  yield* others.rest();
}

function* readInSteps(
  bytes: Buffer,
  start: number,
  addressee: RequestId | undefined,
): Generator<Received | number, void> {
  if (bytes[start] === OPEN_ARRAY && bytes[yield* afterSpace(bytes, start + 1)] !== CLOSE_ARRAY) {
    yield* readBatchInSteps(bytes, start, addressee);
    return;
  }
  const one = yield* readOne(bytes, start);
  if (one.kind !== 'json') {
    yield one.kind === 'none' ? noise(bytes) : one.received;
    return;
  }
  const isWhole = (yield* afterSpace(bytes, one.end)) === bytes.length;
  const message = isWhole ? asMessage(one.value, addressee) : undefined;
  yield message ? sized(message, one.end - start) : noise(bytes);
}

function* readBatchInSteps(
  bytes: Buffer,
  start: number,
  addressee: RequestId | undefined,
): Generator<Received | number, void> {
  const others = new OtherElements();
  for (let at = start + 1; ;) {
    const began = yield* afterSpace(bytes, at);
    const one = yield* readOne(bytes, began);
    if (one.kind === 'none') {
      yield noise(bytes);
      break;
    }
    const message = one.kind === 'json' ? asMessage(one.value, addressee) : undefined;
    if (one.kind === 'tooMuch') {
      yield one.received;
    } else if (message) {
      yield sized(message, one.end - began);
    } else {
      yield* others.shown(one.value);
    }
    at = yield* afterSpace(bytes, one.end);
    if (bytes[at] !== COMMA) {
      if (bytes[at] !== CLOSE_ARRAY) {
        yield noise(bytes.subarray(at));
      }
      break;
    }
    at += 1;
  }
  yield* others.rest();
}

function sized(message: JSONRPCMessage, bytes: number): Received {
  return { kind: 'message', message: setReceivedBytes(message, bytes) };
}

type One =
  | { readonly kind: 'json'; readonly value: unknown; readonly end: number }
  | { readonly kind: 'tooMuch'; readonly received: Received; readonly end: number }
  | { readonly kind: 'none' };

function* readOne(bytes: Buffer, start: number): Generator<number, One> {
  try {
    return { kind: 'json', ...(yield* parseInSteps(bytes, start)) };
  } catch (error) {
    if (!(error instanceof TooMuch)) {
      return { kind: 'none' };
    }
    const { end, answers } = yield* skipInSteps(bytes, start);
    return { kind: 'tooMuch', end, received: refused(answers, error.message) };
  }
}

/** What takes the place of a message that exceeds the bounds; `reason` completes "The response …". */
function refused(answers: string | number | undefined, reason: string): Received {
  return answers === undefined
    ? { kind: 'tooMuch', reason }
    : { kind: 'message', message: refusedAnswer(answers, reason) };
}

export function refusedAnswer(id: string | number, reason: string): JSONRPCMessage {
  const message = `The response ${reason}, which is too much.`;
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}

/** What the log says about a message that exceeds the bounds. */
export function tooMuchText(reason: string): string {
  return `A message from the server was dropped: it ${reason}, which is too much.`;
}

function noise(bytes: Buffer): Received {
  return { kind: 'noise', text: bytes.toString('utf8', 0, SHOWN_BYTES) };
}

/** The invalid elements of a batch: the first are shown, the others are counted. */
class OtherElements {
  #count = 0;

  *shown(value: unknown): Generator<Received, void> {
    if (++this.#count <= SHOWN_ELEMENTS) {
      yield { kind: 'noise', text: (JSON.stringify(value) ?? '').slice(0, SHOWN_BYTES) };
    }
  }

  *rest(): Generator<Received, void> {
    if (this.#count > SHOWN_ELEMENTS) {
      yield { kind: 'noise', text: `${this.#count - SHOWN_ELEMENTS} more elements of a batch` };
    }
  }
}

/** Whether arrays and objects of a JSON text are nested deeper than that, without recursion. */
function isDeeperThan(text: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > max) {
          return true;
        }
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
    }
  }
  return false;
}

/** The position of the closing quote of the string that begins here, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') {
      before -= 1;
    }
    if ((end - before) % 2 === 0) {
      return end;
    }
  }
  return text.length;
}
