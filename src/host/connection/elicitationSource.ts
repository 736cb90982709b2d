import type { ElicitResult } from '@modelcontextprotocol/client';
import type { AskingServer } from '../questions/question.ts';
import type { InTask, SamplingSource } from './samplingSource.ts';

/** Where a server's form or address comes from. */
export type ElicitationSource = SamplingSource;

/** How a server may ask you (client/elicitation): by a form, or by an address that you open. */
export type ElicitationMode = 'form' | 'url';

/** The forms and addresses of one server. */
export interface ConnectionElicitation {
  /** How the server may ask (`elicitation` in the client's capabilities); empty if it can't. Called before each start. */
  modes(): readonly ElicitationMode[];
  /**
   * Answers `elicitation/create`, or the same as input that a modern call requires.
   *
   * @throws ElicitationFailure.
   */
  elicit(request: Omit<ElicitationSource, 'server'>, params: unknown): Promise<ElicitResult>;
  /**
   * Has you open the addresses in the data of error -32042 (2025-11-25, client/elicitation); `request` has the request
   * that the server refused. Resolves with `accept` when all are done.
   *
   * @throws ElicitationFailure.
   */
  openRequired(request: Omit<ElicitationSource, 'server'>, data: unknown): Promise<ElicitResult['action']>;
  /** Call for `notifications/elicitation/complete`. */
  completed(id: string): void;
}

/** How a server asks you in one session. */
export interface SessionElicitation {
  /** What was declared to the server in this session; not empty. */
  readonly modes: readonly ElicitationMode[];
  /** See `ConnectionElicitation.elicit`. */
  elicit(
    request: Pick<ElicitationSource, 'revision' | 'signal' | 'ended'> & InTask,
    params: unknown,
  ): Promise<ElicitResult>;
}

/** The forms and addresses of all servers. */
export interface ServerElicitation {
  forServer(server: () => AskingServer): ConnectionElicitation;
}
