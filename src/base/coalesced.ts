/** Runs one piece of work for each key at a time; what is asked for meanwhile is done once, after it. */
export class Coalesced<K> {
  readonly #work: (key: K) => Promise<void>;
  readonly #running = new Map<K, Promise<void>>();
  readonly #isAskedAgain = new Set<K>();

  constructor(work: (key: K) => Promise<void>) {
    this.#work = async (key) => work(key);
  }

  /** Resolves when work has been done that began after this call; rejects with its failure. */
  run(key: K): Promise<void> {
    const running = this.#running.get(key);
    if (running) {
      this.#isAskedAgain.add(key);
      return running;
    }
    const run = this.#runUntilDone(key);
    this.#running.set(key, run);
    return run;
  }

  /** The work for a key that is under way. */
  running(key: K): Promise<void> | undefined {
    return this.#running.get(key);
  }

  async #runUntilDone(key: K): Promise<void> {
    try {
      do {
        this.#isAskedAgain.delete(key);
        await this.#work(key);
      } while (this.#isAskedAgain.has(key));
    } finally {
      // In the same step as the last look: what is asked for from here on is another run.
      this.#running.delete(key);
    }
  }
}
