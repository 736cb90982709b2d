import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { isSameRoots, type SharedRoot } from '../folders/sharedRoot.ts';

/** Milliseconds without a further event after which a change is told. */
const QUIET_MS = 50;
/** Milliseconds after the first event at which a change is told at the latest. */
const LATEST_MS = 250;

/**
 * Tells one legacy server when its own list of roots has changed (2025-11-25, client/roots: clients
 * that declare `listChanged` MUST send `notifications/roots/list_changed`).
 *
 * The list is compared with what the server was last told: its last answer to `roots/list`, the last
 * notification, or the list at `notifications/initialized`. A list that is back where it was says
 * nothing, and nothing is sent before `initialized`.
 */
export class RootsAnnouncer implements Disposable {
  readonly #current: () => readonly SharedRoot[];
  readonly #announce: () => void;
  readonly #settling = new Gathered(LATEST_MS, () => this.#settled(), QUIET_MS);
  #told: readonly SharedRoot[] | undefined;
  /** The list at the last event. */
  #latest: readonly SharedRoot[] | undefined;
  /** How many answers are being prepared: what they tell needs no telling. */
  #answering = 0;
  /** A change has settled meanwhile. */
  #isDue = false;

  constructor(current: () => readonly SharedRoot[], announce: () => void) {
    this.#current = current;
    this.#announce = announce;
  }

  /** Call when `notifications/initialized` is sent. */
  initialized(): void {
    this.#told = this.#current();
  }

  /** Runs what prepares an answer and gives it: a change is not told before. */
  async whileAnswering<T>(answer: () => Promise<T>): Promise<T> {
    this.#answering += 1;
    try {
      return await answer();
    } finally {
      this.#answering -= 1;
      if (this.#isDue) {
        this.#settled();
      }
    }
  }

  /** Call to answer `roots/list`: what is answered is what the server knows from then on. */
  answer(): readonly SharedRoot[] {
    const roots = this.#current();
    if (this.#told) {
      this.#told = roots;
    }
    return roots;
  }

  /** Call when the workspace's folders, or what is shared of them, may have changed. */
  changed(): void {
    const roots = this.#current();
    // After an event, definitions are read again, which seldom changes the list: nothing waits for that.
    if (!this.#latest || !isSameRoots(this.#latest, roots)) {
      this.#latest = roots;
      this.#settling.soon();
    }
  }

  #settled(): void {
    this.#isDue = this.#answering > 0;
    if (this.#isDue) {
      return;
    }
    const roots = this.#current();
    if (this.#told && !isSameRoots(this.#told, roots)) {
      this.#told = roots;
      this.#announce();
    }
  }

  dispose(): void {
    this.#settling.dispose();
    this.#told = undefined;
  }
}
