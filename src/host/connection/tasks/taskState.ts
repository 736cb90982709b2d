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
}

const statuses: readonly TaskStatus[] = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

/** The ID of a task, which is a secret. @throws HostError `protocol` */
export function taskIdOf(task: unknown): string {
  const id = isRecord(task) ? task['taskId'] : undefined;
  if (typeof id !== 'string' || id === '' || id.length > textBounds.name) {
    throw new HostError('protocol', 'the server made a task without a usable ID');
  }
  return id;
}

/**
 * The state of the task with this ID.
 *
 * @throws HostError `protocol` for the state of another task, or one that the specification doesn't have.
 */
export function taskStateOf(task: unknown, id: string): TaskState {
  const { taskId, status, statusMessage, ...times } = isRecord(task) ? task : {};
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
    keptMs: milliseconds(times['ttlMs'] ?? times['ttl']),
    pollMs: milliseconds(times['pollIntervalMs'] ?? times['pollInterval']),
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

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
