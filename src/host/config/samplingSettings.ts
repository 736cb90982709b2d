import type { Event } from '../../base/event.ts';
import type { SamplingProposal } from './serverDefinition.ts';

/**
 * What happens to a server's requests: you review each; you review the first of a session, which allows the rest if
 * you send it; all are allowed; or all are denied.
 */
export type SamplingPolicy = SamplingProposal;

/** Whether a server asks while it handles a request of ours, or at any other time. */
export type SamplingOccasion = 'inCall' | 'unasked';

/** The settings for model access, read at the moment of use. */
export interface SamplingSettings {
  /** `mcpHost.sampling.policy` and `mcpHost.sampling.unaskedPolicy`. */
  policyFor(occasion: SamplingOccasion): SamplingPolicy;
  /** `mcpHost.sampling.reviewResponses`: review answers to requests that were reviewed (`asked`), all, or none. */
  readonly reviewResponses: 'asked' | 'always' | 'never';
  /** `mcpHost.sampling.models`: patterns for models that may be used, in order of preference; empty for all. */
  readonly models: readonly string[];
  /** `mcpHost.sampling.maxRequestsPerMinute`, for each server. */
  readonly maxRequestsPerMinute: number;
  /** `mcpHost.sampling.maxTokensPerRequest`: of the request and its answer together, estimated. */
  readonly maxTokensPerRequest: number;
  /** `mcpHost.sampling.maxTokensPerDay`, for each server, estimated. */
  readonly maxTokensPerDay: number;
  readonly onDidChange: Event<void>;
}
