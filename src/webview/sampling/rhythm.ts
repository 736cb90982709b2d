/** Whether something is due: at most once in `everyMs`, and not at the start. */
export class Rhythm {
  readonly #everyMs: number;
  readonly #now: () => number;
  #last: number;

  constructor(everyMs: number, now: () => number) {
    this.#everyMs = everyMs;
    this.#now = now;
    this.#last = now();
  }

  isDue(): boolean {
    const isDue = this.#now() - this.#last >= this.#everyMs;
    if (isDue) {
      this.#last = this.#now();
    }
    return isDue;
  }
}

/** How long something has taken, such as `12 s` or `3 min 05 s`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const rest = seconds % 60;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(rest).padStart(2, '0')} s`;
}
