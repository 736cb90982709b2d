/**
 * Splits a byte stream into lines (stdio transport: messages are delimited by newlines and MUST NOT
 * contain any). Takes time linear in the bytes, however small the chunks of one long line are.
 */
export class LineFraming {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The lines that this chunk completes, without their line ends.
   *
   * @throws RangeError when a line is longer than the limit.
   */
  *append(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#hold(chunk.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    this.#hold(chunk.subarray(start));
  }

  #hold(part: Buffer): void {
    if (part.length === 0) {
      return;
    }
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      throw new RangeError(`A message is longer than ${this.#maxBytes} bytes.`);
    }
    this.#parts.push(part);
  }

  #take(): string {
    const line = Buffer.concat(this.#parts, this.#bytes).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
