/** Milliseconds for which something counts at most: a turn that computes may be long. */
const MOST_MS = 10;

/**
 * Remembers something for its owner as long as this process handles no other event: while one promise after the other
 * is settled, and for 10 ms at most.
 */
export class TurnMemory<T> {
  readonly #entries = new Map<object, { readonly at: number; readonly value: T }>();

  get(owner: object): T | undefined {
    const entry = this.#entries.get(owner);
    return entry && performance.now() - entry.at <= MOST_MS ? entry.value : undefined;
  }

  set(owner: object, value: T): void {
    if (this.#entries.size === 0) {
      // Node runs this before any event, once no settled promise is left.
      process.nextTick(() => this.#entries.clear());
    }
    this.#entries.set(owner, { at: performance.now(), value });
  }
}
