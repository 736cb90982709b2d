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

/** Processor time is counted in steps of about a millisecond: what is shorter is repeated. */
const leastMs = 50;

/** Milliseconds of processor time that parsing a text takes. */
export function parseMs(text: string): number {
  const started = process.threadCpuUsage();
  for (let times = 1; ; times += 1) {
    JSON.parse(text);
    const { user, system } = process.threadCpuUsage(started);
    const ms = (user + system) / 1_000;
    if (ms >= leastMs) {
      return ms / times;
    }
  }
}
