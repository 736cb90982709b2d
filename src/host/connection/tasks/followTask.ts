import type { CallToolResult } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../base/lifetime/cancellation.ts';
import type { TaskState } from './taskState.ts';
import type { TaskWait } from './taskWait.ts';

/** A task as one revision has it. */
export interface FollowedTask {
  /** @throws HostError */
  look(): Promise<TaskState>;
  /** The result of the call, or undefined while the task goes on. @throws HostError if there will be none */
  resultOf(state: TaskState): Promise<CallToolResult | undefined>;
  /** Settles when a look is worth while before its time. */
  readonly early?: Promise<unknown> | undefined;
  /** Whether the next look may succeed after this failure. */
  isPassing(error: unknown): boolean;
}

/** Looks that may fail one after the other, while the server is restarted or the network is gone. */
const MOST_FAILURES = 5;

/**
 * Looks at a task again and again until it has ended (2025-11-25, basic/utilities/tasks: requestors SHOULD poll until a
 * terminal status), and gives the result of its call. `onState` gets each state.
 *
 * @throws HostError if there will be no result; CancellationError when the signal aborted.
 */
export async function followTask(
  task: FollowedTask,
  first: TaskState,
  wait: Pick<TaskWait, 'next'>,
  onState: (state: TaskState) => void,
  signal: AbortSignal,
): Promise<CallToolResult> {
  let state = first;
  for (let failures = 0; ;) {
    onState(state);
    try {
      const result = await unlessAborted(task.resultOf(state), signal);
      if (result) {
        return result;
      }
      await unlessAborted(wait.next(state.pollMs, task.early), signal);
      state = await unlessAborted(task.look(), signal);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (signal.aborted || failures > MOST_FAILURES || !task.isPassing(error)) {
        throw error;
      }
      await unlessAborted(wait.next(state.pollMs), signal);
    }
  }
}
