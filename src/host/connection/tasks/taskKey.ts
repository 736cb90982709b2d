import { sha256 } from '../../../base/text/sha256.ts';
import type { TaskKey } from '../requests/taskReport.ts';
import type { TaskSession } from './taskLink.ts';

/** What identifies a task over the sessions of its server; undefined for the task of a process. */
export function taskKeyOf(
  id: string,
  { era, place }: Pick<TaskSession, 'era' | 'place'>,
): TaskKey | undefined {
  return place === undefined ? undefined : { id, era, place: sha256(place) };
}

/** Whether the server of this session is the one that made the task, and still has tasks. */
export function isTaskOf(key: TaskKey, session: Pick<TaskSession, 'era' | 'place' | 'hasTasks'>): boolean {
  const here = taskKeyOf(key.id, session);
  return session.hasTasks && here?.place === key.place && here.era === key.era;
}
