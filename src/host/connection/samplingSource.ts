import type { CreateMessageResult, CreateMessageResultWithTools } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { RequestInFlight } from './requests/requestsInFlight.ts';
import type { AskingServer } from '../questions/question.ts';

/** Where a request for a model comes from. */
export interface SamplingSource {
  /** As it is configured, and called, at this moment. */
  readonly server: () => AskingServer;
  /** The negotiated revision, such as `2025-11-25`. */
  readonly revision: string;
  /** Aborts when the server has given the request up, or the modern call that it belongs to has ended. */
  readonly signal: AbortSignal;
  /** Aborts when the server's session ends. */
  readonly ended: AbortSignal;
  /** What the server was working on when it asked: any one of these may be the reason. */
  readonly requests: readonly RequestInFlight[];
}

export type SamplingResult = CreateMessageResult | CreateMessageResultWithTools;

/** How servers come by the editor's language models. */
export interface ServerSampling {
  /** Whether this server is told that it may ask (`sampling` in the client's capabilities). */
  isOffered(definition: ServerDefinition): boolean;
  /**
   * Answers `sampling/createMessage`, or the same as input that a modern call requires.
   *
   * @throws SamplingFailure.
   */
  createMessage(source: SamplingSource, params: unknown): Promise<SamplingResult>;
}
