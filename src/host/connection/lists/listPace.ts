import type { After } from '../../../base/after.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { ListAudience } from './listAudience.ts';

/** Milliseconds before a list is read again that came back equal once; twice as long after each further time. */
const FIRST_MS = 500;
const MAX_MS = 60_000;
/** How often in a row a list comes back equal before its server counts as one that repeats itself. */
const REPEATS = 3;
/** How many lists that differ are read one right after the other; those after them wait, too. */
const MAX_CHANGES = 20;
/** Milliseconds after which a further change is no longer one of those. */
const CALM_MS = 1_000;

export interface ListPaceContext {
  readonly audience: ListAudience;
  readonly now: () => number;
  readonly after: After;
  /** Reads the list: see `begins` and `ended`. */
  readonly read: () => void;
  /** Called when `isRepeating` is different. */
  readonly repeats: () => void;
}

/**
 * When one list is read that its server says has changed. Some servers say so whenever they are listed, and would be
 * listed forever: a list that comes back equal doubles the wait before the next, to a minute, and one that differs
 * ends it. The list of a server that repeats itself is only read while somebody watches, looks or calls.
 */
export class ListPace implements Disposable {
  readonly #context: ListPaceContext;
  readonly #store = new DisposableStore();
  /** Lists in a row that the server asked for and that were as before. */
  #equals = 0;
  /** Lists in a row that were different, each soon after the one before. */
  #changes = 0;
  #isReading = false;
  #endedAt = -Infinity;
  /** The server has said that the list has changed since it was last asked for it. */
  #isDue = false;
  #wasDue = false;
  #wait: Disposable | undefined;

  constructor(context: ListPaceContext) {
    this.#context = context;
    this.#store.add(context.audience.onDidBegin(() => this.#schedule()));
  }

  /** The server has said again and again that this list has changed. */
  get isRepeating(): boolean {
    return this.#steps >= REPEATS;
  }

  /** The server says that the list has changed, and it is not read at once. */
  get isHeldUp(): boolean {
    return this.#isDue && this.#steps > 0;
  }

  /** Call when the server says that the list has changed. */
  told(): void {
    const { now } = this.#context;
    const since = this.#isReading ? 0 : now() - this.#endedAt;
    this.#change(() => {
      if (since >= MAX_MS) {
        this.#equals = 0;
      }
      if (since >= this.#waitMs + CALM_MS) {
        this.#changes = 0;
      }
    });
    this.#isDue = true;
    this.#schedule();
  }

  /** Call when somebody looks at the list. */
  looked(): void {
    this.#schedule(true);
  }

  /** Call when the list is asked for, whoever wants it. */
  begins(): void {
    this.#isReading = true;
    this.#wasDue = this.#isDue;
    this.#isDue = false;
    this.#wait?.dispose();
    this.#wait = undefined;
  }

  /** Call when the list has come, or could not be read. */
  ended(isDifferent: boolean): void {
    this.#isReading = false;
    this.#endedAt = this.#context.now();
    this.#change(() => {
      if (isDifferent) {
        this.#equals = 0;
        this.#changes += this.#wasDue ? 1 : 0;
      } else if (this.#wasDue) {
        this.#equals += 1;
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
    return Math.max(this.#equals, this.#changes - MAX_CHANGES);
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
    const { audience, now, after, read } = this.#context;
    const isWanted = !this.isRepeating || audience.isWatching || isLookedAt;
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
