import type { ElicitResult } from '@modelcontextprotocol/client';
import type { AskingServer } from '../questions/question.ts';
import type { SamplingSource } from './samplingSource.ts';

/** Where a server's form comes from. */
export type ElicitationSource = SamplingSource;

/** The forms of one server. */
export interface ConnectionElicitation {
  /** Whether the server may ask (`elicitation` in the client's capabilities). Called before each start. */
  isOffered(): boolean;
  /**
   * Answers `elicitation/create`, or the same as input that a modern call requires.
   *
   * @throws ElicitationFailure.
   */
  elicit(request: Omit<ElicitationSource, 'server'>, params: unknown): Promise<ElicitResult>;
}

/** The forms of all servers. */
export interface ServerElicitation {
  forServer(server: () => AskingServer): ConnectionElicitation;
}
