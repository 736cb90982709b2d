import { sha256 } from '../../../base/text/sha256.ts';
import type { TaskKey } from '../requests/taskReport.ts';
import type { ProtocolEra } from '../../state/connectionState.ts';

/** Where a server with tasks is. */
export interface TaskServer {
  /** Its address, and with which headers; undefined for a process, with which its tasks end. */
  readonly place: string | undefined;
  readonly era: ProtocolEra;
  /** Whether it has tasks at all. */
  readonly hasTasks: boolean;
}

/** What identifies a task over the sessions of its server; undefined for the task of a process. */
export function taskKeyOf(
  id: string,
  { era, place }: Pick<TaskServer, 'era' | 'place'>,
): TaskKey | undefined {
  return place === undefined ? undefined : { id, era, place: sha256(place) };
}

/** Whether the server of this session is the one that made the task, and still has tasks. */
export function isTaskOf(key: TaskKey, session: TaskServer): boolean {
  const here = taskKeyOf(key.id, session);
  return session.hasTasks && here?.place === key.place && here.era === key.era;
}
