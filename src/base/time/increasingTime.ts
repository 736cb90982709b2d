/** Milliseconds since the epoch, a greater number each time. */
export class IncreasingTime {
  #last = 0;

  next(): number {
    this.#last = Math.max(Date.now(), this.#last + 1);
    return this.#last;
  }
}
