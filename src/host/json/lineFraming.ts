import { ByteBuffer } from './byteBuffer.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Splits a byte stream into lines (basic/transports, stdio: messages are UTF-8, delimited by newlines, and
 * MUST NOT contain any). Takes time in proportion to the bytes, and memory in proportion to the line, however small the
 * chunks are. Invalid UTF-8 becomes U+FFFD; a byte order mark at the start of the stream is removed.
 */
export class LineFraming {
  readonly #maxBytes: number;
  readonly #tooLong: 'throw' | 'cut';
  /** The beginning of a line that is not complete. */
  readonly #held = new ByteBuffer();
  #isFirst = true;

  /** A line that is longer than `maxBytes` is an error, or is cut. */
  constructor(maxBytes: number, tooLong: 'throw' | 'cut') {
    this.#maxBytes = maxBytes;
    this.#tooLong = tooLong;
  }

  /** As `lines`, decoded. */
  *append(chunk: Buffer): Generator<string> {
    for (const line of this.lines(chunk)) {
      yield line.toString('utf8');
    }
  }

  /**
   * The lines that this chunk completes, without their line ends.
   *
   * @throws RangeError when a line is longer than the limit, after the lines before it; the stream ends there.
   */
  *lines(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const part = this.#fitting(chunk.subarray(start, end));
      start = end + 1;
      if (this.#held.length === 0) {
        yield this.#lineOf(part);
      } else {
        this.#held.add(part);
        yield this.#lineOf(this.#held.take());
      }
    }
    this.#held.add(this.#fitting(chunk.subarray(start)));
  }

  /** What came after the last line end, if anything. */
  rest(): string | undefined {
    return this.#held.length === 0 ? undefined : this.#lineOf(this.#held.take()).toString('utf8');
  }

  /** As much of a part as the line can still take. */
  #fitting(part: Buffer): Buffer {
    const room = this.#maxBytes - this.#held.length;
    if (part.length > room && this.#tooLong === 'throw') {
      throw new RangeError(`A line is longer than ${this.#maxBytes} bytes.`);
    }
    return part.subarray(0, room);
  }

  #lineOf(line: Buffer): Buffer {
    const whole = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst && BYTE_ORDER_MARK.equals(whole.subarray(0, BYTE_ORDER_MARK.length))
      ? whole.subarray(BYTE_ORDER_MARK.length)
      : whole;
  }
}
