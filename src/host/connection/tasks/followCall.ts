import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Logger } from '../../../base/logging/logger.ts';
import { cutText } from '../../../base/logging/redacting.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { textBounds } from '../../json/bounds.ts';
import type { RequestInFlight, RequestsInFlight } from '../requests/requestsInFlight.ts';
import type { RequestLimits } from '../requests/sendRequest.ts';
import { followTask, type FollowedTask } from './followTask.ts';
import { ServedTask } from './servedTask.ts';
import type { TaskIds } from './taskIds.ts';
import { TaskLink, type TaskSession, type TaskSessions } from './taskLink.ts';
import type { TaskMessages } from './taskMessages.ts';
import { TaskProgress } from './taskProgress.ts';
import { taskIdOf, taskStateOf } from './taskState.ts';
import { TaskWait } from './taskWait.ts';

/** What one server's tasks share. */
export interface ServerTasks extends TaskSessions {
  readonly inFlight: RequestsInFlight;
  readonly messages: TaskMessages;
  readonly ids: TaskIds;
  readonly logger: Logger;
}

/** A call that is, or becomes, a task. */
export interface TaskCall {
  readonly session: TaskSession;
  readonly limits: RequestLimits;
  readonly tracked: RequestInFlight;
  readonly tasks: ServerTasks;
  /** Milliseconds since the task was made, for one that was made in an earlier session. */
  readonly ageMs?: number;
}

/**
 * The result of a call of which the server has made a task (2026-07-28, extension tasks); `created` is what it answered.
 *
 * @throws HostError; CancellationError when the signal aborted.
 */
export async function followServedTask(created: unknown, call: TaskCall): Promise<CallToolResult> {
  const { session, limits, tasks } = call;
  const link = new TaskLink(session, tasks);
  const wait = new TaskWait(tasks.messages);
  try {
    const progress = new TaskProgress(limits.onprogress);
    return await followCall(created, call, link, { wait, progress }, (id) => {
      session.listenToTask(id, link.signal);
      return new ServedTask(id, created, link);
    });
  } finally {
    wait.dispose();
  }
}

/** Follows the task of a call to its result, and cancels it if that is not waited for any longer. */
export async function followCall(
  task: unknown,
  { limits, tracked, tasks, ageMs = 0 }: TaskCall,
  link: TaskLink,
  { wait, progress }: { readonly wait: TaskWait; readonly progress: TaskProgress },
  open: (id: string) => FollowedTask,
): Promise<CallToolResult> {
  const id = taskIdOf(task);
  tasks.ids.add(id);
  if (!tasks.inFlight.becomesTask(tracked, id)) {
    throw new HostError('protocol', 'the server gave two tasks the same ID');
  }
  wait.isFor(id);
  const key = link.keyOf(id);
  let hasEnded = false;
  try {
    const first = taskStateOf(task, id);
    const result = await followTask(
      open(id),
      first,
      wait,
      ({ status, message, keptMs }) => {
        hasEnded = status === 'completed' || status === 'failed' || status === 'cancelled';
        limits.becomesTask(keptMs === undefined ? undefined : keptMs - ageMs);
        const words = message === undefined ? undefined : cutText(message, textBounds.words, [id]);
        progress.said(words);
        limits.onTask({ status, message: words, keptMs, key });
      },
      limits.signal,
    );
    link.dispose();
    return result;
  } catch (error) {
    if (hasEnded) {
      link.dispose();
    } else {
      if (limits.signal.aborted) {
        limits.onTask({ status: 'cancelled', key });
      } else if (link.end) {
        limits.onTask({ status: link.end, key });
      }
      void cancelTask(id, link, tasks.logger);
    }
    throw error;
  }
}

/** Tells the server that the task isn't wanted any longer, as far as it can be told. */
export async function cancelTask(id: string, link: TaskLink, logger: Logger): Promise<void> {
  try {
    if (link.cancelsTasks) {
      await link.ask('tasks/cancel', { taskId: id });
    }
  } catch (error) {
    logger.log('debug', `A task could not be cancelled: ${messageOf(error)}`);
  } finally {
    link.dispose();
  }
}
