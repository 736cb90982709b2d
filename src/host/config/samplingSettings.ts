import type { Event } from '../../base/event.ts';
import type { SamplingProposal } from './serverDefinition.ts';

/**
 * What becomes of a server's request: each is reviewed; the first one of a session is, and what the person then
 * sends allows the rest; none is; or each is refused.
 */
export type SamplingPolicy = SamplingProposal;

/** Whether a server asked while it worked on a request of ours, or by itself. */
export type SamplingOccasion = 'inCall' | 'unasked';

/** The person's settings for model access, read at the moment of use. */
export interface SamplingSettings {
  /** `mcpHost.sampling.policy` and `mcpHost.sampling.unaskedPolicy`. */
  policyFor(occasion: SamplingOccasion): SamplingPolicy;
  /** `mcpHost.sampling.reviewResponses`: answers to what was reviewed itself (`asked`), all, or none. */
  readonly reviewResponses: 'asked' | 'always' | 'never';
  /** `mcpHost.sampling.models`: patterns for models that may be used, the preferred first; empty for all. */
  readonly models: readonly string[];
  /** `mcpHost.sampling.maxRequestsPerMinute`, for each server. */
  readonly maxRequestsPerMinute: number;
  /** `mcpHost.sampling.maxTokensPerRequest`: of the request and its answer together, estimated. */
  readonly maxTokensPerRequest: number;
  /** `mcpHost.sampling.maxTokensPerDay`, for each server, estimated. */
  readonly maxTokensPerDay: number;
  readonly onDidChange: Event<void>;
}
