import { machineClock, type Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** Milliseconds counted at once: no more than that is lost to a machine that sleeps. */
const STEP_MS = 5_000;
/** Milliseconds by which a step may come late in a process that runs. */
const LATE_MS = 1_000;
/** Milliseconds left, at least, to a countdown after the process stood still. */
const GRACE_MS = 5_000;

/**
 * Does something once so many milliseconds have passed in which this process ran. What passes while the
 * machine sleeps, or while the process is held up, does not count: nothing could be heard then. Afterwards
 * there is time left for what has come meanwhile.
 */
export class Countdown implements Disposable {
  readonly #ms: number;
  readonly #work: () => void;
  readonly #clock: Clock;
  #left: number;
  #step: { readonly at: number; readonly ms: number; readonly timer: Disposable } | undefined;
  #isDisposed = false;

  /** Stands still until it is started, and again once it is over. */
  constructor(ms: number, work: () => void, clock: Clock = machineClock) {
    this.#ms = ms;
    this.#left = ms;
    this.#work = work;
    this.#clock = clock;
  }

  start(): void {
    if (!this.#isDisposed && !this.#step) {
      const ms = Math.max(0, Math.min(this.#left, STEP_MS));
      const timer = this.#clock.after(ms, () => this.#stepped());
      this.#step = { at: this.#clock.now(), ms, timer };
    }
  }

  pause(): void {
    this.#left -= this.#counted;
    this.#step?.timer.dispose();
    this.#step = undefined;
  }

  /** Counts from the beginning; one that stands still goes on standing still. It costs no timer: messages come in floods. */
  restart(): void {
    this.#left = this.#ms + this.#counted;
  }

  dispose(): void {
    this.pause();
    this.#isDisposed = true;
  }

  /** Milliseconds of the step under way that have passed. */
  get #counted(): number {
    return this.#step ? Math.min(this.#clock.now() - this.#step.at, this.#step.ms) : 0;
  }

  #stepped(): void {
    if (!this.#step) {
      return;
    }
    const { at, ms } = this.#step;
    this.#step = undefined;
    this.#left -= ms;
    if (this.#clock.now() - at - ms > LATE_MS) {
      this.#left = Math.max(this.#left, Math.min(this.#ms, GRACE_MS));
    }
    if (this.#left > 0) {
      this.start();
    } else {
      this.#left = this.#ms;
      this.#work();
    }
  }
}
