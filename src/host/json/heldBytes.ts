/** Bytes up to which the buffer is kept for the next data. */
const KEPT_BYTES = 64 * 1024;

/** Collects bytes that come in pieces, in memory in proportion to them, however small the pieces are. */
export class HeldBytes {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    part.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Returns all bytes, and forgets them. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    if (taken.length <= KEPT_BYTES) {
      return Buffer.from(taken);
    }
    this.#bytes = Buffer.alloc(0);
    return taken;
  }
}
