/** IDs that are kept out of texts; of a server that has had more tasks, the latest. */
const MOST = 500;

/**
 * The IDs of one server's tasks, which are secrets: where a server knows no accounts, whoever knows an ID gets the task's
 * result (2025-11-25, basic/utilities/tasks, task isolation).
 */
export class TaskIds implements Iterable<string> {
  readonly #ids = new Set<string>();

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MOST) {
        return;
      }
      this.#ids.delete(oldest);
    }
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#ids.values();
  }
}
