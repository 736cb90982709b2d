import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  STEP,
} from './jsonBytes.ts';

/** What is known about a message that was skipped without being parsed. */
export interface Skipped {
  /** The position after it. */
  readonly end: number;
  /** The id of its request, if it is a response. */
  readonly answers: string | number | undefined;
}

/** Bytes of an id; no request of ours has a longer one. */
const MAX_ID = 100;

/** Skips the value that begins at `start`, however deep and large, in steps; it need not be valid. */
export function* skipInSteps(bytes: Buffer, start: number): Generator<number, Skipped> {
  let depth = 0;
  let stepped = start;
  let name = '';
  let id: string | number | undefined;
  let isRequest = false;
  let text = '';
  let at = start;
  for (; at < bytes.length; at += 1) {
    if (at - stepped >= STEP) {
      yield at - stepped;
      stepped = at;
    }
    switch (bytes[at]) {
      case QUOTE: {
        const from = at;
        for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
          if (at - stepped >= STEP) {
            yield at - stepped;
            stepped = at;
          }
          if (bytes[at] === BACKSLASH) {
            at += 1;
          }
        }
        text = depth === 1 && at - from < MAX_ID ? bytes.toString('utf8', from, at + 1) : '';
        break;
      }
      case COLON:
        if (depth === 1) {
          name = text;
          isRequest ||= name === '"method"';
          if (name === '"id"') {
            id = idAt(bytes, at + 1);
          }
        }
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      default:
    }
    if (depth === 0) {
      at += 1;
      break;
    }
  }
  return { end: at, answers: isRequest ? undefined : id };
}

function idAt(bytes: Buffer, start: number): string | number | undefined {
  const [, id] = /^\s*("[^"\\]*"|-?\d+)\s*[,}]/.exec(bytes.toString('latin1', start, start + MAX_ID)) ?? [];
  return id === undefined ? undefined : (JSON.parse(id) as string | number);
}
