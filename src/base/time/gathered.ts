import type { Disposable } from '../lifetime/disposable.ts';

/**
 * Does something once for all that happens within `ms` milliseconds of the first event; with `quietMs`, as soon as
 * nothing more has happened for so long.
 */
export class Gathered implements Disposable {
  readonly #ms: number;
  readonly #quietMs: number;
  readonly #act: () => void;
  #firstAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, act: () => void, quietMs = ms) {
    this.#ms = ms;
    this.#quietMs = quietMs;
    this.#act = act;
  }

  soon(): void {
    if (!this.#timer) {
      this.#firstAt = Date.now();
    } else if (this.#quietMs === this.#ms) {
      return;
    }
    clearTimeout(this.#timer);
    const left = this.#firstAt + this.#ms - Date.now();
    this.#timer = setTimeout(() => this.now(), Math.max(0, Math.min(this.#quietMs, left)));
  }

  /** Does it at once, for everything gathered so far. */
  now(): void {
    this.dispose();
    this.#act();
  }

  /** Forgets what was gathered. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
