import type { JSONRPCMessage, Progress } from '@modelcontextprotocol/client';
import { Emitter } from '../../../base/lifetime/event.ts';
import { isRecord } from '../../../base/values/record.ts';

/** The metadata by which a message belongs to a task (2025-11-25, basic/utilities/tasks, related task metadata). */
export const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** The ID of the task that a request or a result says it belongs to. */
export function relatedTask(message: unknown): string | undefined {
  const meta = isRecord(message) ? message['_meta'] : undefined;
  const related = isRecord(meta) ? meta[RELATED_TASK] : undefined;
  const id = isRecord(related) ? related['taskId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The answer to a request, which belongs to the same task: a MUST. */
export function inTask<T extends object>(answer: T, task: string | undefined): T {
  return task === undefined ? answer : { ...answer, _meta: { [RELATED_TASK]: { taskId: task } } };
}

/** What one server reports about its tasks, over all sessions. Nothing depends on these messages. */
export class TaskMessages {
  readonly #onDidChange = new Emitter<string>();
  /** Gets the ID of a task that has changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #progress = new Map<string, (progress: Progress) => void>();
  #tokens = 0;

  /** Call with the parameters of a notification about a task. */
  changed(params: unknown): void {
    const id = isRecord(params) ? params['taskId'] : undefined;
    if (typeof id === 'string') {
      this.#onDidChange.fire(id);
    }
  }

  /**
   * A token for progress that goes on after the response to its request (2025-11-25, basic/utilities/tasks, task progress
   * notifications): the SDK forgets its own then.
   */
  expectProgress(listener: (progress: Progress) => void): { readonly token: string; dispose(): void } {
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

  dispose(): void {
    this.#onDidChange.dispose();
  }
}
