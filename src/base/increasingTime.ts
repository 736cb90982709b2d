/** The time in milliseconds since the epoch, later each time it is asked for. */
export class IncreasingTime {
  #last = 0;

  next(): number {
    this.#last = Math.max(Date.now(), this.#last + 1);
    return this.#last;
  }
}
