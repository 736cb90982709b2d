import type { ProtocolEra } from '../../state/connectionState.ts';

/** The states of a task, in the words of the protocol. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task of a server over HTTP: what is needed to ask for it in another session. */
export interface TaskKey {
  /** The ID, a secret between this host and the server. */
  readonly id: string;
  readonly era: ProtocolEra;
  /** Where the server was, and with which headers, as a hash: no other one is asked. */
  readonly place: string;
}

/** What is known about the task that a call has become. */
export interface TaskReport {
  /**
   * `left` if the call has ended because its server can't be asked any longer, although it may go on with the task; `gone`
   * if it no longer has the task.
   */
  readonly status: TaskStatus | 'left' | 'gone';
  /** The server's own words, without the ID. */
  readonly message?: string | undefined;
  /** Milliseconds from its creation for which the server keeps it, if it says so. */
  readonly keptMs?: number | undefined;
  /** Undefined for the task of a process, with which it ends. */
  readonly key: TaskKey | undefined;
}
