import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { isSameRoots, type SharedRoot } from '../folders/sharedRoot.ts';

/** Milliseconds without a further event after which a change is announced. */
const QUIET_MS = 50;
/** Milliseconds after the first event at which a change is announced at the latest. */
const LATEST_MS = 250;

/**
 * Notifies one legacy server when its own list of roots has changed (2025-11-25, client/roots: clients
 * that declare `listChanged` MUST send `notifications/roots/list_changed`).
 *
 * The list is compared with what the server last got: the last answer to `roots/list`, the last
 * notification, or the list at `notifications/initialized`. For a list that has changed back,
 * nothing is sent, and nothing before `initialized`.
 */
export class RootsAnnouncer implements Disposable {
  readonly #current: () => readonly SharedRoot[];
  readonly #announce: () => void;
  readonly #settling = new Gathered(LATEST_MS, () => this.#settled(), QUIET_MS);
  #told: readonly SharedRoot[] | undefined;
  /** The list at the last event. */
  #latest: readonly SharedRoot[] | undefined;
  /** How much is under way that a change waits for. */
  #holding = 0;
  /** A change has settled meanwhile. */
  #isDue = false;
  /** Whether the server has asked since the last notification. */
  #hasAsked = false;
  /** Whether it is notified again unless it has asked. */
  #isUnsure = false;

  constructor(current: () => readonly SharedRoot[], announce: () => void) {
    this.#current = current;
    this.#announce = announce;
  }

  /** Call when `notifications/initialized` is sent. */
  initialized(): void {
    this.#told = this.#current();
    this.#hasAsked = false;
  }

  /** Call when the server can ask again, but could not when it was notified. */
  canAskAgain(): void {
    this.#isUnsure = true;
    this.#settling.soon();
  }

  /** Runs what prepares an answer and gives it: what is in it is not announced. */
  whileAnswering<T>(answer: () => Promise<T>): Promise<T> {
    this.#hasAsked = true;
    return this.holdWhile(answer);
  }

  /** Runs something before whose end no change is announced. */
  async holdWhile<T>(work: () => Promise<T>): Promise<T> {
    this.#holding += 1;
    try {
      return await work();
    } finally {
      this.#holding -= 1;
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
    this.#isDue = this.#holding > 0;
    if (this.#isDue) {
      return;
    }
    const roots = this.#current();
    const isMissed = this.#isUnsure && !this.#hasAsked;
    this.#isUnsure = false;
    if (this.#told && (isMissed || !isSameRoots(this.#told, roots))) {
      this.#told = roots;
      this.#hasAsked = false;
      this.#announce();
    }
  }

  dispose(): void {
    this.#settling.dispose();
    this.#told = undefined;
  }
}
