import type { CreateMessageResult, CreateMessageResultWithTools } from '@modelcontextprotocol/client';
import type { RequestInFlight } from './requests/requestsInFlight.ts';
import type { AskingServer } from '../questions/question.ts';

/** Where a server's request for a language model comes from. */
export interface SamplingSource {
  /** The server with its definition and label of this moment. */
  readonly server: () => AskingServer;
  /** The negotiated revision, such as `2025-11-25`. */
  readonly revision: string;
  /** Aborts when the server cancels the request, or when the modern call that requires it has ended. */
  readonly signal: AbortSignal;
  /** Aborts when the server's session ends. */
  readonly ended: AbortSignal;
  /** What the server was working on when it sent the request: each of these may be the reason. */
  readonly requests: readonly RequestInFlight[];
}

/** What a request of a server says about why it is sent. */
export interface InTask {
  /** The ID of the task that it belongs to. */
  readonly task: string | undefined;
}

export type SamplingResult = CreateMessageResult | CreateMessageResultWithTools;

/** Model access for one server. */
export interface ConnectionSampling {
  /** Whether the server is offered model access (`sampling` in the client's capabilities). Called before each start. */
  isOffered(): boolean;
  /**
   * Answers `sampling/createMessage`, or the same as input that a modern call requires.
   *
   * @throws SamplingFailure.
   */
  createMessage(request: Omit<SamplingSource, 'server'>, params: unknown): Promise<SamplingResult>;
}

/** Model access for all servers. */
export interface ServerSampling {
  forServer(server: () => AskingServer): ConnectionSampling;
}
