import type { JSONRPCMessage, Progress } from '@modelcontextprotocol/client';
import { toDisposable, type Disposable } from '../../../base/lifetime/disposable.ts';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { textBounds } from '../../json/bounds.ts';

/** IDs that are kept out of texts; of a server that has had more tasks, the latest. */
const MOST_IDS = 500;

/** Reports that are kept of tasks that nothing waits for, the latest. */
const MOST_EARLY = 50;

/** Milliseconds between two looks at a task, at least, whatever the server suggests or reports … */
const LEAST_MS = 250;
/** … and at most. */
const MOST_MS = 60_000;
/** Without a suggestion, the first wait, which grows with each look … */
const FIRST_MS = 500;
const GROWTH = 1.5;
/** … up to this. */
const GROWN_MS = 10_000;

/** The tasks of one server, over all its sessions: their IDs, and what the server reports about them. */
export class ServerTasks {
  readonly #ids = new Set<string>();
  readonly #watched = new Map<string, () => void>();
  /** A report may come before the response that names the task has been read. */
  readonly #early = new Set<string>();
  readonly #progress = new Map<string, (progress: Progress) => void>();
  #tokens = 0;

  /**
   * The IDs, which are secrets: where a server knows no accounts, whoever knows an ID gets the task's result (2025-11-25,
   * basic/utilities/tasks, task isolation).
   */
  get ids(): Iterable<string> {
    return this.#ids;
  }

  /** The ID of a task, which is one of `ids` from now on. @throws HostError `protocol` */
  idOf(task: unknown): string {
    const id = taskIdOf(task);
    if (id === undefined || id === '') {
      throw new HostError('protocol', 'the server made a task without a usable ID');
    }
    addLatest(this.#ids, id, MOST_IDS);
    return id;
  }

  /** Call with the parameters of a notification about a task. Nothing depends on these. */
  changed(params: unknown): void {
    const id = taskIdOf(params);
    const listener = id === undefined ? undefined : this.#watched.get(id);
    if (listener) {
      listener();
    } else if (id !== undefined) {
      addLatest(this.#early, id, MOST_EARLY);
    }
  }

  /** Calls the listener when the server reports that the task has changed, at once if it already has. */
  watch(id: string, listener: () => void): Disposable {
    this.#watched.set(id, listener);
    if (this.#early.delete(id)) {
      listener();
    }
    return toDisposable(() => this.#watched.delete(id));
  }

  /**
   * A token for progress that goes on after the response to its request (2025-11-25, basic/utilities/tasks, task progress
   * notifications): the SDK forgets its own then.
   */
  expectProgress(listener: (progress: Progress) => void): Disposable & { readonly token: string } {
    this.#tokens += 1;
    const token = `task-${this.#tokens}`;
    this.#progress.set(token, listener);
    return { token, dispose: () => this.#progress.delete(token) };
  }

  /** True if the message is progress of a call that has become a task, and is handled. */
  takesProgress(message: JSONRPCMessage): boolean {
    if (!isRecord(message) || !('method' in message) || message.method !== 'notifications/progress') {
      return false;
    }
    const { progressToken, progress, total, message: words } = message.params ?? {};
    const listener = this.#progress.get(String(progressToken));
    if (listener && typeof progress === 'number') {
      listener({
        progress,
        ...(typeof total === 'number' && { total }),
        ...(typeof words === 'string' && { message: words }),
      });
    }
    return listener !== undefined;
  }
}

/**
 * The waits between the looks at one task (2025-11-25, basic/utilities/tasks: `pollInterval` SHOULD be respected). They
 * end early when the server reports that the task has changed; nothing depends on the report.
 */
export class TaskWait implements Disposable {
  #grown = FIRST_MS;
  #news = Promise.withResolvers<void>();
  #end = (): void => {};
  readonly #watching: Disposable;

  constructor(id: string, tasks: ServerTasks) {
    this.#watching = tasks.watch(id, () => this.#news.resolve());
  }

  /** Resolves when it is time for the next look, when there are news, or when `other` settles. */
  async next(pollMs: number | undefined, other?: Promise<unknown>): Promise<void> {
    const ms = pollMs === undefined ? this.#grown : Math.min(Math.max(pollMs, LEAST_MS), MOST_MS);
    if (pollMs === undefined) {
      this.#grown = Math.min(this.#grown * GROWTH, GROWN_MS);
    }
    const over = Promise.withResolvers<void>();
    const end = (): void => over.resolve();
    this.#end = end;
    other?.then(end, end);
    // However often a server reports news, it is asked only so often.
    const least = setTimeout(() => void this.#news.promise.then(end), LEAST_MS).unref();
    const most = setTimeout(end, ms).unref();
    await over.promise;
    clearTimeout(least);
    clearTimeout(most);
    this.#news = Promise.withResolvers();
  }

  dispose(): void {
    this.#watching.dispose();
    this.#end();
  }
}

function taskIdOf(value: unknown): string | undefined {
  const id = isRecord(value) ? value['taskId'] : undefined;
  return typeof id === 'string' && id.length <= textBounds.name ? id : undefined;
}

/** Adds a value as the latest, and forgets the oldest of more than `most`. */
function addLatest(values: Set<string>, value: string, most: number): void {
  values.delete(value);
  values.add(value);
  const [oldest = value] = values;
  if (values.size > most) {
    values.delete(oldest);
  }
}
