import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { untilSeen } from './until.ts';

/**
 * What keeps this process going: its sockets, listeners, pipes, children and timers, by their kind. What the
 * system keeps without waiting for it (an idle connection of a pool, a timer that is `unref`ed) is not among them.
 */
export class Leftovers {
  readonly #before = counted();
  readonly #warnings: string[] = [];
  readonly #warn = ({ name, message }: Error): void => {
    if (name === 'MaxListenersExceededWarning') {
      this.#warnings.push(message);
    }
  };

  private constructor() {
    process.on('warning', this.#warn);
  }

  /** Call, and `check`, in a hook that is asynchronous: its own timer is then there both times. */
  static async begin(): Promise<Leftovers> {
    await setImmediate();
    return new Leftovers();
  }

  /** Expects that nothing has come since this was made, and that no listeners have gathered meanwhile. */
  async check(): Promise<void> {
    await untilSeen(() => this.#left().length === 0, 'nothing is left').catch(() => {});
    process.off('warning', this.#warn);
    assert.deepEqual(this.#left(), [], 'something was left behind');
    assert.deepEqual(this.#warnings, [], 'listeners have gathered');
  }

  #left(): readonly string[] {
    return [...counted()]
      .map(([kind, count]) => [kind, count - (this.#before.get(kind) ?? 0)] as const)
      .filter(([, more]) => more > 0)
      .map(([kind, more]) => `${more} ${kind}`);
  }
}

function counted(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
