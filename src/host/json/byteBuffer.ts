/** Bytes up to which the buffer is kept for the next data. */
const KEPT_BYTES = 64 * 1024;
/** Bytes from which a piece is kept as it is: it holds at most a few times as much memory. */
const LARGE_PIECE = 16 * 1024;

/** Collects bytes that come in pieces, in memory in proportion to them, however small the pieces are. */
export class ByteBuffer {
  /** What comes before the small pieces. */
  readonly #pieces: Buffer[] = [];
  #pieceBytes = 0;
  /** The latest small pieces, one after the other. */
  #small = Buffer.alloc(0);
  #smallBytes = 0;

  get length(): number {
    return this.#pieceBytes + this.#smallBytes;
  }

  add(part: Buffer): void {
    if (part.length >= LARGE_PIECE) {
      this.#hold(this.#takeSmall());
      this.#hold(part);
      return;
    }
    const length = this.#smallBytes + part.length;
    if (length > this.#small.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      this.#small.copy(larger, 0, 0, this.#smallBytes);
      this.#small = larger;
    }
    part.copy(this.#small, this.#smallBytes);
    this.#smallBytes = length;
  }

  /** Returns all bytes, and forgets them. */
  take(): Buffer {
    if (this.#pieces.length === 0) {
      return this.#takeSmall();
    }
    this.#hold(this.#takeSmall());
    const pieces = this.#pieces.splice(0);
    const bytes = this.#pieceBytes;
    this.#pieceBytes = 0;
    return (pieces.length === 1 && pieces[0]) || Buffer.concat(pieces, bytes);
  }

  #hold(piece: Buffer): void {
    if (piece.length > 0) {
      this.#pieces.push(piece);
      this.#pieceBytes += piece.length;
    }
  }

  #takeSmall(): Buffer {
    const taken = this.#small.subarray(0, this.#smallBytes);
    this.#smallBytes = 0;
    if (taken.length <= KEPT_BYTES) {
      return Buffer.from(taken);
    }
    this.#small = Buffer.alloc(0);
    return taken;
  }
}
