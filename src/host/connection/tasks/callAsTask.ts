import type { CallToolResult } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { isRecord } from '../../../base/values/record.ts';
import { whole } from '../../results/carried.ts';
import { NEVER_MS } from '../requests/sendRequest.ts';
import { callResult } from './callResult.ts';
import { cancelTask, followCall, type TaskCall } from './followCall.ts';
import { RequestedTask } from './requestedTask.ts';
import { anyResult, TaskLink } from './taskLink.ts';
import { TaskProgress } from './taskProgress.ts';
import { taskIdOf } from './taskState.ts';
import { TaskWait } from './taskWait.ts';

/** Milliseconds for which the server is asked to keep a task: work of hours, and its result for a while. */
const TTL_MS = 6 * 60 * 60_000;
/** Milliseconds in which the server can still name the task of a call that is cancelled before. */
const LATE_MS = 10_000;

/**
 * Calls a tool as a task (2025-11-25, basic/utilities/tasks), and gives its result like that of any other call. Cancelled
 * or out of time, the task is cancelled. What the server says about its state is progress of the call.
 *
 * @throws HostError; CancellationError when the signal aborted; what the SDK throws before there is a task.
 */
export async function callAsTask(
  params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  call: TaskCall,
): Promise<CallToolResult> {
  const { session, limits, tracked, tasks } = call;
  const link = new TaskLink(session, tasks);
  const progress = new TaskProgress(limits.onprogress);
  const expected = tasks.messages.expectProgress((one) => progress.take(one));
  // From the beginning: a report may come before the response that names the task has been read.
  const wait = new TaskWait(tasks.messages);
  const method = 'tools/call';
  const request = {
    method,
    params: {
      ...params,
      arguments: { ...params.arguments },
      task: { ttl: TTL_MS },
      _meta: { progressToken: expected.token },
    },
  };
  tasks.inFlight.asksForTask(tracked);
  try {
    // Not with the caller's signal: until the server has named the task, nothing can be cancelled.
    const created = session.client
      .request(request, anyResult, { signal: link.signal, timeout: NEVER_MS })
      .then(whole);
    const result = await unlessAborted(created, limits.signal).catch((error: unknown) => {
      if (limits.signal.aborted) {
        cancelLate(created, link, call);
      }
      throw error;
    });
    const task = isRecord(result) ? result['task'] : undefined;
    return task === undefined
      ? callResult(result, method)
      : await followCall(task, call, link, { wait, progress }, (id) => new RequestedTask(id, link));
  } finally {
    expected.dispose();
    wait.dispose();
  }
}

/** Cancels the task that the server may still name. */
function cancelLate(created: Promise<unknown>, link: TaskLink, { tasks }: TaskCall): void {
  const late = setTimeout(() => link.dispose(), LATE_MS).unref();
  created
    .then((result) => {
      clearTimeout(late);
      const id = taskIdOf(isRecord(result) ? result['task'] : undefined);
      tasks.ids.add(id);
      return cancelTask(id, link, tasks.logger);
    })
    .catch(() => link.dispose());
}
