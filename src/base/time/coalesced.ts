/** Runs one piece of work at a time for each key; all requests that come meanwhile lead to one more run. */
export class Coalesced<K> {
  readonly #work: (key: K) => Promise<void>;
  readonly #running = new Map<K, Promise<void>>();
  readonly #isAskedAgain = new Set<K>();

  constructor(work: (key: K) => Promise<void>) {
    this.#work = async (key) => work(key);
  }

  /** Resolves when work that began after this call is done; rejects with its failure. */
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

  /** The work in progress for a key. */
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
      // In the same step as the last check: a request from here on starts another run.
      this.#running.delete(key);
    }
  }
}
