/** Keeps the first few of the items added, sorted; equal items stay in the order in which they were added. */
export class FirstOf<T> {
  readonly #limit: number;
  readonly #compare: (a: T, b: T) => number;
  readonly #kept: T[] = [];

  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  get items(): readonly T[] {
    return this.#kept;
  }

  add(item: T): void {
    const last = this.#kept.at(-1);
    const isFull = this.#kept.length >= this.#limit;
    if (isFull && (last === undefined || this.#compare(item, last) >= 0)) {
      return;
    }
    this.#kept.splice(this.#placeOf(item), 0, item);
    if (isFull) {
      this.#kept.pop();
    }
  }

  /** After all items that are not greater. */
  #placeOf(item: T): number {
    let [from, to] = [0, this.#kept.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#compare(this.#kept[middle] as T, item) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
