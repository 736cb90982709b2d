import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { AT_ONCE_BYTES, messageBounds, turnBounds } from '../errors/bounds.ts';
import { afterSpace, CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT, TooMuch } from './jsonBytes.ts';
import { parseInSteps } from './parseInSteps.ts';
import { skipInSteps } from './skipInSteps.ts';
import { asMessage } from './receivedMessage.ts';

/** Elements of one batch that are shown though they are no messages; millions fit into a line. */
const SHOWN_ELEMENTS = 100;
/** Bytes that are shown of what is no message. */
const SHOWN_BYTES = 16 * 1024;

/** Units of work that a message takes which is handed on, besides reading it. */
export const MESSAGE_WORK = turnBounds.work / turnBounds.messages;

/** What a server has written where a message belongs. */
export type Received =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  /** No message, as it would be shown. */
  | { readonly kind: 'noise'; readonly text: string }
  /** A message that is more than is taken, and answers nothing; a clause that says what of it. */
  | { readonly kind: 'tooMuch'; readonly reason: string };

/**
 * Reads what a server has sent as one message (basic/transports), in steps: a number says how much work one took. An
 * array is a batch (2025-03-26, basic: clients MUST support receiving them), in which each element stands for itself:
 * one that is no message costs no other, and each is told as soon as it is read. An answer that is more than is taken
 * becomes an error, so that whoever waits for it hears so at once. An error that a server could address to nobody goes
 * to `addressee`, where there is one.
 */
export function* readReceived(bytes: Buffer, addressee?: RequestId): Generator<Received | number, void> {
  const start = yield* afterSpace(bytes, 0);
  if (start >= bytes.length) {
    return;
  }
  // A server's greeting is no JSON from its first character on: not worth an exception for each line.
  if (bytes[start] !== OPEN_ARRAY && bytes[start] !== OPEN_OBJECT) {
    yield noise(bytes);
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

/** The value, or none where it is no JSON; undefined where only a closer look can tell. */
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
  yield message ? { kind: 'message', message } : noise(bytes);
}

function* readBatchInSteps(
  bytes: Buffer,
  start: number,
  addressee: RequestId | undefined,
): Generator<Received | number, void> {
  const others = new OtherElements();
  for (let at = start + 1; ;) {
    const one = yield* readOne(bytes, yield* afterSpace(bytes, at));
    if (one.kind === 'none') {
      yield noise(bytes);
      break;
    }
    const message = one.kind === 'json' ? asMessage(one.value, addressee) : undefined;
    if (one.kind === 'tooMuch') {
      yield one.received;
    } else if (message) {
      yield { kind: 'message', message };
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

/** What becomes of a message that is more than is taken, for the reason that completes "The answer …". */
function refused(answers: string | number | undefined, reason: string): Received {
  return answers === undefined
    ? { kind: 'tooMuch', reason }
    : { kind: 'message', message: refusedAnswer(answers, reason) };
}

export function refusedAnswer(id: string | number, reason: string): JSONRPCMessage {
  const message = `The answer ${reason}, which is more than is taken.`;
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}

function noise(bytes: Buffer): Received {
  return { kind: 'noise', text: bytes.toString('utf8', 0, SHOWN_BYTES) };
}

/** The elements of a batch that are no messages: the first are shown, the others are counted. */
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

/** Whether arrays and objects of a JSON text are nested deeper than that, found without recursion. */
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

/** Where the string that begins here ends: its closing quote, or the end of the text. */
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
