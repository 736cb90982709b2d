import { toDisposable } from '../../../src/base/lifetime/disposable.ts';
import type { After } from '../../../src/base/time/clock.ts';

/** A clock that goes when the test says so. */
export class FakeClock {
  #now = 0;
  readonly #due = new Set<{ readonly at: number; readonly work: () => void }>();
  #set = 0;

  /** Milliseconds since the clock began. */
  readonly now = (): number => this.#now;

  readonly after: After = (ms, work) => {
    const entry = { at: this.#now + ms, work };
    this.#due.add(entry);
    this.#set += 1;
    return toDisposable(() => this.#due.delete(entry));
  };

  /** How much is still to come. */
  get pending(): number {
    return this.#due.size;
  }

  /** How many timers were set so far. */
  get set(): number {
    return this.#set;
  }

  /** The machine sleeps: what falls due is done late. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  /** Lets so many milliseconds pass, and what they set off. */
  async tick(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) {
        break;
      }
      this.#now = Math.max(this.#now, next.at);
      this.#due.delete(next);
      next.work();
    }
    this.#now = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
