import { HIDDEN } from '../../base/logging/redacting.ts';

/** For `JSON.stringify`: IDs of tasks are secrets, whichever server has made them. */
export function withoutTaskIds(name: string, value: unknown): unknown {
  return name === 'taskId' || name === 'taskIds' ? HIDDEN : value;
}
