/** Bytes up to which the room for a line in pieces is kept for the next one. */
const KEPT_BYTES = 1024 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Splits a byte stream into lines (basic/transports, stdio: messages are UTF-8, delimited by newlines, and
 * MUST NOT contain any). Takes time linear in the bytes, and memory in proportion to the line, however small
 * the chunks are. Bytes that are no UTF-8 become U+FFFD; a byte order mark at the start of the stream is
 * left out.
 */
export class LineFraming {
  readonly #maxBytes: number;
  readonly #tooLong: 'throw' | 'cut';
  /** The beginning of the line that is not complete; only the first `#bytes` of it count. */
  #held = Buffer.alloc(0);
  #bytes = 0;
  #isFirst = true;

  /** A line longer than the limit is an error, or is cut at it and goes on with the next one. */
  constructor(maxBytes: number, tooLong: 'throw' | 'cut') {
    this.#maxBytes = maxBytes;
    this.#tooLong = tooLong;
  }

  /** As `lines`, as texts. */
  *append(chunk: Buffer): Generator<string> {
    for (const line of this.lines(chunk)) {
      yield line.toString('utf8');
    }
  }

  /**
   * The lines that this chunk completes, without their line ends, each of which stays as it is until the next one is
   * asked for.
   *
   * @throws RangeError when a line is longer than the limit, after those before it; the stream ends there.
   */
  *lines(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      if (this.#bytes === 0) {
        yield this.#lineOf(part.subarray(0, this.#roomFor(part)));
      } else {
        this.#hold(part);
        yield this.#lineOf(this.#held.subarray(0, this.#bytes));
        this.#drop();
      }
    }
    this.#hold(chunk.subarray(start));
  }

  /** What came after the last line end; undefined when nothing did. */
  rest(): string | undefined {
    if (this.#bytes === 0) {
      return undefined;
    }
    const line = this.#lineOf(this.#held.subarray(0, this.#bytes)).toString('utf8');
    this.#drop();
    return line;
  }

  #hold(part: Buffer): void {
    const room = this.#roomFor(part);
    const bytes = this.#bytes + room;
    if (bytes > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes, 2 * bytes));
      this.#held.copy(larger, 0, 0, this.#bytes);
      this.#held = larger;
    }
    part.copy(this.#held, this.#bytes, 0, room);
    this.#bytes = bytes;
  }

  /** How many bytes of a part still belong to the line. */
  #roomFor(part: Buffer): number {
    const room = this.#maxBytes - this.#bytes;
    if (part.length > room && this.#tooLong === 'throw') {
      throw new RangeError(`A line is longer than ${this.#maxBytes} bytes.`);
    }
    return Math.min(part.length, room);
  }

  #drop(): void {
    this.#bytes = 0;
    if (this.#held.length > KEPT_BYTES) {
      this.#held = Buffer.alloc(0);
    }
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
