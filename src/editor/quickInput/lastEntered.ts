import type { ServerId } from '../../host/config/serverDefinition.ts';

/** Tools, prompts or templates whose last values are kept. */
const MAX_KEPT = 50;

/** The values last entered for what servers offer, in this window. The least recently used are dropped. */
export class LastEntered<Argument, Value> {
  readonly #kept = new Map<string, Map<Argument, Value>>();

  /** The values by argument, which the caller may change. */
  of(serverId: ServerId, name: string): Map<Argument, Value> {
    const key = JSON.stringify([serverId, name]);
    const entered = this.#kept.get(key) ?? new Map<Argument, Value>();
    this.#kept.delete(key);
    this.#kept.set(key, entered);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    return entered;
  }
}
