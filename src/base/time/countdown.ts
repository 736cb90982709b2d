import { machineClock, type Clock } from './clock.ts';
import type { Disposable } from '../lifetime/disposable.ts';

/** Milliseconds of one step by default: a machine that sleeps costs at most this. */
const STEP_MS = 5_000;
/** Milliseconds by which a step may be late in a process that runs. */
const LATE_MS = 1_000;
/** Milliseconds that are left, at least, after the process stood still. */
const GRACE_MS = 5_000;

/**
 * Does something once this process has run for so many milliseconds. Time in which the machine sleeps, or the process
 * is blocked, doesn't count: no message could be read then. Afterwards there is time for those that came meanwhile.
 */
export class Countdown implements Disposable {
  readonly #ms: number;
  readonly #work: () => void;
  readonly #clock: Clock;
  readonly #stepMs: number;
  #left: number;
  #step: { readonly at: number; readonly ms: number; readonly timer: Disposable } | undefined;
  #isDisposed = false;

  /** Stopped until `start`, and again after the end. */
  constructor(ms: number, work: () => void, clock: Clock = machineClock, stepMs = STEP_MS) {
    this.#ms = ms;
    this.#left = ms;
    this.#work = work;
    this.#clock = clock;
    this.#stepMs = stepMs;
  }

  start(): void {
    if (!this.#isDisposed && !this.#step) {
      const ms = Math.max(0, Math.min(this.#left, this.#stepMs));
      const timer = this.#clock.after(ms, () => this.#stepped());
      this.#step = { at: this.#clock.now(), ms, timer };
    }
  }

  pause(): void {
    this.#left -= this.#counted;
    this.#step?.timer.dispose();
    this.#step = undefined;
  }

  /** Counts from the beginning, without starting a stopped countdown. Sets no timer, because messages come in floods. */
  restart(): void {
    this.#left = this.#ms + this.#counted;
  }

  dispose(): void {
    this.pause();
    this.#isDisposed = true;
  }

  /** Milliseconds of the current step that have passed. */
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
