import type { CallToolResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';
import { cutTo } from '../../../base/text/words.ts';
import { HostError } from '../../errors/hostError.ts';
import { textBounds } from '../../json/bounds.ts';
import type { TaskStatus } from '../requests/taskReport.ts';

/** What a server says about one of its tasks (2025-11-25, basic/utilities/tasks; 2026-07-28, extension tasks). */
export interface TaskState {
  readonly status: TaskStatus;
  /** The server's own words. */
  readonly message: string | undefined;
  /** Milliseconds from its creation for which the server keeps it; undefined if it doesn't say, or sets no limit. */
  readonly keptMs: number | undefined;
  /** Milliseconds between two looks at it, as the server suggests. */
  readonly pollMs: number | undefined;
  /** Of a task of 2026-07-28, unchecked: its result, its error, and what it requires. */
  readonly result: unknown;
  readonly error: unknown;
  readonly inputRequests: unknown;
}

/** The metadata by which a message belongs to a task (2025-11-25, basic/utilities/tasks, related task metadata). */
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** Members of results that say which kind they are, or that only the protocol needs. */
const envelope: ReadonlySet<string> = new Set(['resultType', '_meta']);

const statuses: readonly TaskStatus[] = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

/**
 * The state of the task with this ID.
 *
 * @throws HostError `protocol` for the state of another task, or one that the specification doesn't have.
 */
export function taskStateOf(task: unknown, id: string): TaskState {
  const { taskId, status, statusMessage, ...more } = isRecord(task) ? task : {};
  if (taskId !== id) {
    throw new HostError('protocol', 'the server was asked about one task, and answered about another');
  }
  const known = statuses.find((one) => one === status);
  if (known === undefined) {
    const said = typeof status === 'string' ? `'${cutTo(status, textBounds.words)}'` : 'missing';
    throw new HostError('protocol', `the status of the server's task is not one of the protocol's: ${said}`);
  }
  return {
    status: known,
    message: typeof statusMessage === 'string' ? cutTo(statusMessage, textBounds.sentence) : undefined,
    // The members of 2026-07-28, or those of 2025-11-25.
    keptMs: milliseconds(more['ttlMs'] ?? more['ttl']),
    pollMs: milliseconds(more['pollIntervalMs'] ?? more['pollInterval']),
    result: more['result'],
    error: more['error'],
    inputRequests: more['inputRequests'],
  };
}

/** That a task ended without a result, in the server's words if there are any. */
export function endedTask(
  how: 'failed' | 'was cancelled by the server',
  words?: string,
  options?: ErrorOptions,
): HostError {
  return new HostError(
    'protocol',
    `the server's task ${how}${words === undefined ? '' : `: ${words}`}`,
    options,
  );
}

/**
 * The result of a tool that ran as a task, as it comes without one; its content is sound, see `SoundMessages`.
 *
 * @throws HostError `protocol` if the server answered the method with something else.
 */
export function callResult(result: unknown, method: string): CallToolResult {
  const { content = [], _meta: meta } = isRecord(result) ? result : { content: undefined };
  if (!isRecord(result) || !Array.isArray(content) || 'task' in result) {
    throw new HostError(
      'protocol',
      `the server answered '${method}' with something that is no result of a tool`,
    );
  }
  const others = Object.entries(isRecord(meta) ? meta : {}).filter(([name]) => name !== RELATED_TASK);
  return {
    ...Object.fromEntries(Object.entries(result).filter(([name]) => !envelope.has(name))),
    content,
    ...(others.length > 0 && { _meta: Object.fromEntries(others) }),
  };
}

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

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
