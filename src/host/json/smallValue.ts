import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  type JsonBounds,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './jsonBytes.ts';

/** Bytes of an array or object that `JSON.parse` reads at once, in far less time than steps take. */
export const SMALL_BYTES = 4 * 1024;

/** Where a small array or object ends, and how many values it has, itself included. */
interface SmallValue {
  readonly end: number;
  readonly values: number;
}

/**
 * The end of the array or object that begins at `start`, as far as its brackets and quotes say; undefined if it isn't
 * small, or may exceed the bounds. `levels` are left of its depth.
 */
export function smallValue(
  bytes: Buffer,
  start: number,
  bounds: JsonBounds,
  levels: number,
): SmallValue | undefined {
  const limit = Math.min(bytes.length, start + SMALL_BYTES);
  let depth = 0;
  let values = 1;
  let isEmpty = false;
  /** The last byte before the number, word or white space at this place. */
  let plain = start;
  for (let at = start; at < limit; at += 1) {
    switch (bytes[at]) {
      case QUOTE: {
        const quote = at;
        at += 1;
        for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
          at += byte === BACKSLASH ? 2 : 1;
          if (at >= limit) {
            return undefined;
          }
        }
        if (at + 1 - quote > bounds.nameBytes) {
          return undefined;
        }
        isEmpty = false;
        break;
      }
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > levels) {
          return undefined;
        }
        isEmpty = true;
        // Its first value, which is taken back if it has none.
        values += 1;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        values -= isEmpty ? 1 : 0;
        isEmpty = false;
        if (depth === 0) {
          return { end: at + 1, values };
        }
        break;
      case COMMA:
        values += 1;
        break;
      case COLON:
        break;
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        continue;
      default:
        isEmpty = false;
        if (at - plain > bounds.numberBytes) {
          return undefined;
        }
        continue;
    }
    plain = at;
  }
  return undefined;
}
