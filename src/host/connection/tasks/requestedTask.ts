import type { CallToolResult } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import type { TaskRequests } from './taskRequests.ts';
import { callResult, endedTask, type TaskState } from './taskState.ts';

/** A task of 2025-11-25 (basic/utilities/tasks), whose result comes by `tasks/result`. */
export class RequestedTask {
  readonly #requests: TaskRequests;
  /** The `tasks/result` under way: the server sends its own requests while it waits for the end of the task. */
  #waiting: Promise<void> | undefined;
  #result: CallToolResult | undefined;

  constructor(requests: TaskRequests) {
    this.#requests = requests;
  }

  /** Settles when a look is worth while before its time. */
  get early(): Promise<unknown> | undefined {
    return this.#waiting;
  }

  /** Whether the next look may succeed after this failure. */
  isPassing(error: unknown): boolean {
    return this.#requests.isPassing(error);
  }

  /** The state after this one. @throws HostError */
  async look(latest: TaskState): Promise<TaskState> {
    return this.#result ? latest : this.#requests.look();
  }

  /** The result of the call, or undefined while the task goes on. @throws HostError if there will be none */
  async resultOf({ status, message }: TaskState): Promise<CallToolResult | undefined> {
    if (this.#result) {
      return this.#result;
    }
    switch (status) {
      case 'working':
        return undefined;
      case 'input_required':
        this.#waiting ??= this.#waitForResult();
        return undefined;
      case 'completed':
        return this.#ended();
      case 'failed':
        return this.#failed(message);
      case 'cancelled':
        throw endedTask('was cancelled by the server', message);
    }
  }

  /** "When the requestor encounters the `input_required` status, it SHOULD preemptively call `tasks/result`." */
  async #waitForResult(): Promise<void> {
    try {
      this.#result = await this.#ask(true);
    } catch {
      // The next look tells how the task is; then its result is asked for again.
    } finally {
      this.#waiting = undefined;
    }
  }

  /** The result of a task that has ended, which a request that waits for it gets first. */
  async #ended(): Promise<CallToolResult> {
    if (this.#waiting) {
      await this.#requests.soon(this.#waiting);
    }
    return this.#result ?? this.#ask(false);
  }

  /** A tool that failed has a result nevertheless: "exactly what the underlying request would have returned". */
  async #failed(message: string | undefined): Promise<CallToolResult> {
    try {
      return { ...(await this.#ended()), isError: true };
    } catch (error) {
      throw error instanceof HostError && error.code === 'protocol'
        ? endedTask('failed', message ?? error.message, { cause: error })
        : error;
    }
  }

  async #ask(waits: boolean): Promise<CallToolResult> {
    const method = 'tasks/result';
    return callResult(await this.#requests.ask(method, {}, { waits }), method);
  }
}
