const everyMs = 2;

/** The longest turn of the event loop, in milliseconds of processor time: a busy machine doesn't make it longer. */
export class LongestTurn {
  #longest = 0;
  #last = process.threadCpuUsage();
  readonly #timer = setInterval(() => this.#look(), everyMs).unref();

  end(): number {
    this.#look();
    clearInterval(this.#timer);
    return this.#longest;
  }

  #look(): void {
    const { user, system } = process.threadCpuUsage(this.#last);
    this.#last = process.threadCpuUsage();
    this.#longest = Math.max(this.#longest, (user + system) / 1_000);
  }
}

/** Milliseconds of processor time that parsing a text takes: the fastest of three. */
export function parseMs(text: string): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const started = process.threadCpuUsage();
      JSON.parse(text);
      const { user, system } = process.threadCpuUsage(started);
      return (user + system) / 1_000;
    }),
  );
}
