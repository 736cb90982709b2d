import type { CallToolResult } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import type { TaskKey } from '../requests/taskReport.ts';
import { followCall, type TaskCall } from './followCall.ts';
import { RequestedTask } from './requestedTask.ts';
import { ServedTask } from './servedTask.ts';
import { TaskLink } from './taskLink.ts';
import { TaskProgress } from './taskProgress.ts';
import { isTaskOf } from './taskKey.ts';
import { TaskWait } from './taskWait.ts';

/**
 * The result of a task that an earlier session, or an earlier window, has made. The tool isn't called again.
 *
 * @throws as `callAsTask`; HostError `lost`, without a message to the server, if it isn't the one that made the task.
 */
export async function followKnownTask(key: TaskKey, call: TaskCall): Promise<CallToolResult> {
  const { session, limits, tasks } = call;
  if (!isTaskOf(key, session)) {
    limits.onTask({ status: 'gone', key });
    throw new HostError('lost', 'the server of the task is no longer the same, and was not asked about it');
  }
  const link = new TaskLink(session, tasks);
  const wait = new TaskWait(tasks.messages);
  // Its state is unknown until the first look, which is soon.
  const task = { taskId: key.id, status: 'working', pollInterval: 0 };
  try {
    const progress = new TaskProgress(limits.onprogress);
    return await followCall(task, call, link, { wait, progress }, (id) => {
      if (key.era === 'legacy') {
        return new RequestedTask(id, link);
      }
      session.listenToTask(id, link.signal);
      return new ServedTask(id, task, link);
    });
  } finally {
    wait.dispose();
  }
}
