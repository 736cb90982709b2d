import { messageBounds } from './bounds.ts';
import {
  afterSpace,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  type JsonBounds,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  STEP,
  TooMuch,
} from './jsonBytes.ts';
import { readJsonString } from './jsonText.ts';
import { SMALL_BYTES, smallValue } from './smallValue.ts';

/** A value, and the position after it. */
export interface ReadValue {
  readonly value: unknown;
  readonly end: number;
}

/** Units of work that one value takes, in addition to its bytes. */
const VALUE_WORK = 30;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

type Open =
  | { readonly kind: 'array'; readonly value: unknown[] }
  | { readonly kind: 'object'; readonly value: Record<string, unknown>; key: string };

/**
 * As `JSON.parse` for the value that begins at `start`, in steps and without recursion; each step yields its work.
 *
 * @throws SyntaxError if the bytes aren't JSON; TooMuch as soon as they exceed the bounds.
 */
export function* parseInSteps(
  bytes: Buffer,
  start: number,
  bounds: JsonBounds = messageBounds,
): Generator<number, ReadValue> {
  const open: Open[] = [];
  let values = 0;
  let stepped = start;
  let counted = 0;
  let at = start;
  /** Where to look for a small value again. */
  let look = start;
  for (;;) {
    at = yield* afterSpace(bytes, at);
    if ((values += 1) > bounds.values) {
      throw new TooMuch(`has more than ${bounds.values.toLocaleString('en-US')} values`);
    }
    const work = Math.min(at - stepped, STEP) + (values - counted) * VALUE_WORK;
    if (work >= STEP) {
      // `readJsonString` has already yielded the work of a longer string.
      yield work;
      stepped = at;
      counted = values;
    }
    const byte = bytes[at];
    let value: unknown;
    const isOpen = byte === OPEN_ARRAY || byte === OPEN_OBJECT;
    const small =
      isOpen && at >= look ? smallValue(bytes, at, bounds, bounds.depth - open.length) : undefined;
    if (small && values - 1 + small.values <= bounds.values) {
      value = JSON.parse(bytes.toString('utf8', at, small.end));
      values += small.values - 1;
      at = small.end;
    } else if (isOpen) {
      // What is in there is read without a look, so that no byte is looked at again and again.
      look = at >= look ? at + SMALL_BYTES : look;
      if (open.length >= bounds.depth) {
        throw new TooMuch(`is nested more than ${bounds.depth.toLocaleString('en-US')} levels deep`);
      }
      const isArray = byte === OPEN_ARRAY;
      at = yield* afterSpace(bytes, at + 1);
      if (bytes[at] === (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) {
        value = isArray ? [] : {};
        at += 1;
      } else if (isArray) {
        open.push({ kind: 'array', value: [] });
        continue;
      } else {
        const name = yield* readName(bytes, at, bounds);
        open.push({ kind: 'object', value: {}, key: name.text });
        at = name.end;
        continue;
      }
    } else if (byte === QUOTE) {
      const text = yield* readJsonString(bytes, at);
      value = text.text;
      at = text.end;
    } else {
      const plain = readPlain(bytes, at, bounds);
      value = plain.value;
      at = plain.end;
    }
    // The value is complete: put it into its parent, and close every parent that ends here.
    for (;;) {
      const into = open.at(-1);
      if (!into) {
        return { value, end: at };
      }
      put(into, value);
      at = yield* afterSpace(bytes, at);
      const next = bytes[at];
      at += 1;
      if (next === COMMA) {
        if (into.kind === 'object') {
          const name = yield* readName(bytes, yield* afterSpace(bytes, at), bounds);
          into.key = name.text;
          at = name.end;
        }
        break;
      }
      if (next !== (into.kind === 'array' ? CLOSE_ARRAY : CLOSE_OBJECT)) {
        throw new SyntaxError('No comma and no end after a value');
      }
      open.pop();
      value = into.value;
    }
  }
}

/** The name of a member, up to and including its colon. */
function* readName(
  bytes: Buffer,
  start: number,
  bounds: JsonBounds,
): Generator<number, { readonly text: string; readonly end: number }> {
  if (bytes[start] !== QUOTE) {
    throw new SyntaxError('A member without a name');
  }
  const { text, end } = yield* readJsonString(bytes, start);
  if (end - start > bounds.nameBytes) {
    throw new TooMuch(
      `has a member whose name is longer than ${bounds.nameBytes.toLocaleString('en-US')} bytes`,
    );
  }
  const colon = yield* afterSpace(bytes, end);
  if (bytes[colon] !== COLON) {
    throw new SyntaxError('A name without a value');
  }
  return { text, end: colon + 1 };
}

/** A number, `true`, `false` or `null`. */
function readPlain(bytes: Buffer, start: number, bounds: JsonBounds): ReadValue {
  for (const [word, value] of literals) {
    if (bytes[start] === word.charCodeAt(0)) {
      const end = start + word.length;
      if (bytes.toString('latin1', start, end) === word) {
        return { value, end };
      }
    }
  }
  let end = start;
  // Digits, and `+ - . E e`.
  for (let byte = bytes[end] ?? 0; isOfNumber(byte); byte = bytes[end] ?? 0) {
    end += 1;
    if (end - start > bounds.numberBytes) {
      throw new TooMuch(`has a number of more than ${bounds.numberBytes.toLocaleString('en-US')} characters`);
    }
  }
  const text = bytes.toString('latin1', start, end);
  if (!NUMBER.test(text)) {
    throw new SyntaxError('Neither a value nor its end');
  }
  return { value: Number(text), end };
}

function isOfNumber(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    (byte | 0x20) === 0x65
  );
}

function put(into: Open, value: unknown): void {
  if (into.kind === 'array') {
    into.value.push(value);
  } else if (into.key === '__proto__') {
    // A member like any other, as for `JSON.parse`.
    Object.defineProperty(into.value, into.key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else {
    into.value[into.key] = value;
  }
}
