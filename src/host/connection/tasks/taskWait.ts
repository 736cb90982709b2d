import type { Disposable } from '../../../base/lifetime/disposable.ts';
import type { TaskMessages } from './taskMessages.ts';

/** Milliseconds between two looks at a task, at least, whatever the server suggests or reports … */
const LEAST_MS = 250;
/** … and at most. */
const MOST_MS = 60_000;
/** Without a suggestion, the first wait, which grows with each look … */
const FIRST_MS = 500;
const GROWTH = 1.5;
/** … up to this. */
const GROWN_MS = 10_000;

/** Reports that are kept until the ID of the task is known. */
const MOST_EARLY = 50;

/**
 * The waits between the looks at one task (2025-11-25, basic/utilities/tasks: `pollInterval` SHOULD be respected). They end
 * early when the server reports that the task has changed; nothing depends on such a report.
 */
export class TaskWait implements Disposable {
  #grown = FIRST_MS;
  #news = Promise.withResolvers<void>();
  #id: string | undefined;
  readonly #early = new Set<string>();
  readonly #ended = new AbortController();
  readonly #listening: Disposable;

  constructor({ onDidChange }: Pick<TaskMessages, 'onDidChange'>) {
    this.#listening = onDidChange((id) => {
      if (id === this.#id) {
        this.#news.resolve();
      } else if (this.#id === undefined && this.#early.size < MOST_EARLY) {
        // A report may come before the response that names the task has been read.
        this.#early.add(id);
      }
    });
  }

  /** Call as soon as the ID of the task is known. */
  isFor(id: string): void {
    this.#id = id;
    if (this.#early.has(id)) {
      this.#news.resolve();
    }
    this.#early.clear();
  }

  /** Resolves when it is time for the next look, when there are news, or when `other` settles. */
  async next(pollMs: number | undefined, other?: Promise<unknown>): Promise<void> {
    const ms = pollMs === undefined ? this.#grown : Math.min(Math.max(pollMs, LEAST_MS), MOST_MS);
    if (pollMs === undefined) {
      this.#grown = Math.min(this.#grown * GROWTH, GROWN_MS);
    }
    // However often a server reports news, it is asked only so often.
    await this.#either(LEAST_MS, other);
    await this.#either(ms - LEAST_MS, this.#news.promise, other);
    this.#news = Promise.withResolvers();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#ended.abort();
  }

  /** Resolves after so many milliseconds, when one of the promises settles, or at the end. */
  async #either(ms: number, ...others: readonly (Promise<unknown> | undefined)[]): Promise<void> {
    const { signal } = this.#ended;
    const time = Promise.withResolvers<void>();
    const end = (): void => time.resolve();
    const timer = setTimeout(end, ms).unref();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) {
      end();
    }
    try {
      await Promise.race([
        time.promise,
        ...others.flatMap((other) => (other ? [other.catch(() => {})] : [])),
      ]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }
}
