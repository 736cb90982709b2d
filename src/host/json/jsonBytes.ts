/** Character codes of JSON. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const COMMA = 0x2c;
export const COLON = 0x3a;

/** Bytes of one step. */
export const STEP = 64 * 1024;

/** What a JSON value may consist of. */
export interface JsonBounds {
  readonly depth: number;
  readonly values: number;
  readonly nameBytes: number;
  readonly numberBytes: number;
}

/** A JSON message that exceeds the bounds. */
export class TooMuch extends Error {}

/** The position of the next byte that isn't white space. */
export function* afterSpace(bytes: Buffer, start: number): Generator<number, number> {
  let at = start;
  for (let step = start; ; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
      return at;
    }
    if (at - step >= STEP) {
      step = at;
      yield STEP;
    }
  }
}

/** Whether a byte continues the character before it. */
export function isContinued(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
