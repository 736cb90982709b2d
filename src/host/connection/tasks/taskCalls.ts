import type { CallToolResult, Progress } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { cutText } from '../../../base/logging/redacting.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { textBounds } from '../../json/bounds.ts';
import { asChecked } from '../../results/checkedResult.ts';
import type { RequestInFlight } from '../requests/requestsInFlight.ts';
import { NEVER_MS, type RequestLimits } from '../requests/sendRequest.ts';
import type { TaskKey } from '../requests/taskReport.ts';
import { RequestedTask } from './requestedTask.ts';
import { ServedTask } from './servedTask.ts';
import { TaskWait } from './serverTasks.ts';
import { TaskRequests, type TaskContext, type TaskSession } from './taskRequests.ts';
import { callResult, taskStateOf, type TaskState } from './taskState.ts';

/** Milliseconds for which the server is asked to keep a task: work of hours, and its result for a while. */
const TTL_MS = 6 * 60 * 60_000;
/** Milliseconds in which the server can still name the task of a call that is cancelled before. */
const LATE_MS = 10_000;
/** Looks that may fail one after the other, while the server is restarted or the network is gone. */
const MOST_FAILURES = 5;

/** A call that is, or becomes, a task. */
export interface TaskCall {
  readonly session: TaskSession;
  readonly limits: RequestLimits;
  readonly tracked: RequestInFlight;
  readonly context: TaskContext;
  /** Milliseconds since the task was made, for one that was made in an earlier session. */
  readonly ageMs?: number;
}

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
  const { session, limits, tracked, context } = call;
  const progress = new TaskProgress(limits.onprogress);
  const expected = context.tasks.expectProgress((one) => progress.take(one));
  const method = 'tools/call';
  const _meta = { progressToken: expected.token };
  const request = { method, params: { ...params, task: { ttl: TTL_MS }, _meta } };
  context.inFlight.asksForTask(tracked);
  // Not with the caller's signal: until the server has named the task, nothing can be cancelled.
  const late = new AbortController();
  try {
    const options = { signal: late.signal, timeout: NEVER_MS };
    const created = session.client.request(request, asChecked(), options);
    const result = await unlessAborted(created, limits.signal).catch((error: unknown) => {
      if (limits.signal.aborted) {
        setTimeout(() => late.abort(), LATE_MS).unref();
        created.then((named) => cancelTask(taskIn(named), call)).catch(() => {});
      }
      throw error;
    });
    const task = taskIn(result);
    return task === undefined
      ? callResult(result, method)
      : await followTask(task, call, RequestedTask, progress);
  } finally {
    expected.dispose();
  }
}

/**
 * The result of a call of which the server has made a task (2026-07-28, extension tasks); `created` is what it answered.
 *
 * @throws HostError; CancellationError when the signal aborted.
 */
export function followServedTask(created: unknown, call: TaskCall): Promise<CallToolResult> {
  return followTask(created, call, ServedTask);
}

/**
 * The result of a task that an earlier session, or an earlier window, has made. The tool isn't called again.
 *
 * @throws as `callAsTask`; HostError `lost`, without a message to the server, if it isn't the one that made the task.
 */
export async function followKnownTask(key: TaskKey, call: TaskCall): Promise<CallToolResult> {
  const { session, limits } = call;
  const here = taskKeyOf(key.id, session);
  if (!session.hasTasks || here?.place !== key.place || here.era !== key.era) {
    limits.onTask({ status: 'gone', key });
    throw new HostError('lost', 'the server of the task is no longer the same, and was not asked about it');
  }
  // Its state is unknown until the first look, which is soon.
  const task = { taskId: key.id, status: 'working', pollInterval: 0 };
  return followTask(task, call, key.era === 'legacy' ? RequestedTask : ServedTask);
}

/** Follows the task of a call to its result, and cancels it if that is not waited for any longer. */
async function followTask(
  created: unknown,
  call: TaskCall,
  Task: typeof RequestedTask | typeof ServedTask,
  progress = new TaskProgress(call.limits.onprogress),
): Promise<CallToolResult> {
  const { session, limits, tracked, context, ageMs = 0 } = call;
  const id = context.tasks.idOf(created);
  if (!context.inFlight.becomesTask(tracked, id)) {
    throw new HostError('protocol', 'the server gave two tasks the same ID');
  }
  const key = taskKeyOf(id, session);
  const requests = new TaskRequests(id, session, context);
  const wait = new TaskWait(id, context.tasks);
  let hasEnded = false;
  const onState = ({ status, message, keptMs }: TaskState): void => {
    hasEnded = status === 'completed' || status === 'failed' || status === 'cancelled';
    limits.becomesTask(keptMs === undefined ? undefined : keptMs - ageMs);
    const words = message === undefined ? undefined : cutText(message, textBounds.words, [id]);
    progress.said(words);
    limits.onTask({ status, message: words, keptMs, key });
  };
  try {
    const first = taskStateOf(created, id);
    requests.listen();
    const result = await pollTask(new Task(requests), first, wait, onState, limits.signal);
    hasEnded = true;
    return result;
  } catch (error) {
    const status = limits.signal.aborted ? 'cancelled' : requests.end;
    if (!hasEnded && status) {
      limits.onTask({ status, key });
    }
    throw error;
  } finally {
    wait.dispose();
    if (hasEnded) {
      requests.dispose();
    } else {
      void requests.cancel();
    }
  }
}

/**
 * Looks at a task again and again until it has ended (2025-11-25, basic/utilities/tasks: requestors SHOULD poll until a
 * terminal status), and gives the result of its call. `onState` gets each state.
 *
 * @throws HostError if there will be no result; CancellationError when the signal aborted.
 */
async function pollTask(
  task: RequestedTask | ServedTask,
  first: TaskState,
  wait: TaskWait,
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
      state = await unlessAborted(task.look(state), signal);
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

/** What identifies a task over the sessions of its server; undefined for the task of a process. */
function taskKeyOf(id: string, { era, place }: Pick<TaskSession, 'era' | 'place'>): TaskKey | undefined {
  return place === undefined ? undefined : { id, era, place: sha256(place) };
}

/** Cancels the task that the server has named after the end of its call. */
function cancelTask(task: unknown, { session, context }: TaskCall): Promise<void> {
  return new TaskRequests(context.tasks.idOf(task), session, context).cancel();
}

/** What a server of 2025-11-25 says about the task of which this is the result. */
function taskIn(result: unknown): unknown {
  return isRecord(result) ? result['task'] : undefined;
}

/** The progress of a call that has become a task: what the server notifies, with what it says about the state. */
class TaskProgress {
  readonly #report: (progress: Progress) => void;
  #latest: Progress = { progress: 0 };
  #said: string | undefined;

  constructor(report: (progress: Progress) => void) {
    this.#report = report;
  }

  take(progress: Progress): void {
    this.#latest = progress;
    this.#report({ ...(this.#said !== undefined && { message: this.#said }), ...progress });
  }

  /** Call with what the server says about the task. */
  said(message: string | undefined): void {
    if (message !== undefined && message !== this.#said) {
      this.#said = message;
      this.#report({ ...this.#latest, message });
    }
  }
}
