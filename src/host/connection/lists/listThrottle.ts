import type { After } from '../../../base/time/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import type { ListWatchers } from './listWatchers.ts';

/** Milliseconds before a list is read again that has not changed once; doubled each further time. */
const FIRST_MS = 500;
const MAX_MS = 60_000;
/** A server repeats itself when its list has not changed this often in a row. */
const REPEATS = 3;
/** How many changed lists in a row are read without a wait. */
const MAX_CHANGES = 20;
/** Milliseconds after which a further change does not count as in a row. */
const CALM_MS = 1_000;

interface ListThrottleContext {
  readonly watchers: ListWatchers;
  readonly now: () => number;
  readonly after: After;
  /** Reads the list: see `begins` and `ended`. */
  readonly read: () => void;
  /** Called when `isRepeating` has changed. */
  readonly repeats: () => void;
}

/**
 * Limits how often one list is read when its server says that it has changed. Some servers say so whenever they are
 * listed, and would be listed forever: each list that has not changed doubles the wait before the next, up to a minute,
 * and one that has changed ends it. If a server repeats itself, its list is read only while it is watched, shown or
 * used by a call.
 */
export class ListThrottle implements Disposable {
  readonly #context: ListThrottleContext;
  readonly #store = new DisposableStore();
  /** Lists in a row that had not changed although the server said so. */
  #unchanged = 0;
  /** Lists in a row that had changed, each soon after the one before. */
  #changes = 0;
  #isReading = false;
  #endedAt = -Infinity;
  /** The server has said that the list has changed since the last reading began. */
  #isDue = false;
  #wasDue = false;
  #wait: Disposable | undefined;

  constructor(context: ListThrottleContext) {
    this.#context = context;
    this.#store.add(context.watchers.onDidBegin(() => this.#schedule()));
  }

  /** Whether the server keeps saying that this list has changed. */
  get isRepeating(): boolean {
    return this.#steps >= REPEATS;
  }

  /** Whether the list must be read, but not yet. */
  get isDelayed(): boolean {
    return this.#isDue && this.#steps > 0;
  }

  /** Call when the server says that the list has changed. */
  notified(): void {
    const { now } = this.#context;
    const since = this.#isReading ? 0 : now() - this.#endedAt;
    this.#change(() => {
      if (since >= MAX_MS) {
        this.#unchanged = 0;
      }
      if (since >= this.#waitMs + CALM_MS) {
        this.#changes = 0;
      }
    });
    this.#isDue = true;
    this.#schedule();
  }

  /** Call when the list is shown. */
  looked(): void {
    this.#schedule(true);
  }

  /** Call when the list is requested, for whatever reason. */
  begins(): void {
    this.#isReading = true;
    this.#wasDue = this.#isDue;
    this.#isDue = false;
    this.#wait?.dispose();
    this.#wait = undefined;
  }

  /** Call when the list has been read, or could not be. */
  ended(isDifferent: boolean): void {
    this.#isReading = false;
    this.#endedAt = this.#context.now();
    this.#change(() => {
      if (isDifferent) {
        this.#unchanged = 0;
        this.#changes += this.#wasDue ? 1 : 0;
      } else if (this.#wasDue) {
        this.#unchanged += 1;
      }
    });
    this.#schedule();
  }

  dispose(): void {
    this.#isDue = false;
    this.#wait?.dispose();
    this.#store.dispose();
  }

  get #steps(): number {
    return Math.max(this.#unchanged, this.#changes - MAX_CHANGES);
  }

  get #waitMs(): number {
    return this.#steps > 0 ? Math.min(FIRST_MS * 2 ** (this.#steps - 1), MAX_MS) : 0;
  }

  #change(change: () => void): void {
    const before = this.isRepeating;
    change();
    if (this.isRepeating !== before) {
      this.#context.repeats();
    }
  }

  #schedule(isLookedAt = false): void {
    const { watchers, now, after, read } = this.#context;
    const isWanted = !this.isRepeating || watchers.areThere || isLookedAt;
    if (!this.#isDue || this.#isReading || this.#wait || !isWanted) {
      return;
    }
    const left = this.#endedAt + this.#waitMs - now();
    if (left <= 0) {
      read();
      return;
    }
    this.#wait = after(left, () => {
      this.#wait = undefined;
      this.#schedule(isLookedAt);
    });
  }
}
