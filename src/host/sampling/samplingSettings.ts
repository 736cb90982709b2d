import type { Event } from '../../base/lifetime/event.ts';
import type { SamplingOccasion } from './request/samplingRequest.ts';
import type { SamplingProposal } from '../config/serverDefinition.ts';

/**
 * What happens to a server's requests: you review each one (`ask`), or the first one of a session, which allows the
 * others if you send it (`session`); they are sent without review (`allow`); or they are refused (`deny`).
 */
export type SamplingPolicy = SamplingProposal;

/** Your settings for model access, read at the moment of use. */
export interface SamplingSettings {
  /** `mcpHost.sampling.policy` and `mcpHost.sampling.unaskedPolicy`. */
  policyFor(occasion: SamplingOccasion): SamplingPolicy;
  /** `mcpHost.sampling.reviewResponses`: which answers you review: those to requests that you reviewed (`asked`), all, or none. */
  readonly reviewResponses: 'asked' | 'always' | 'never';
  /** `mcpHost.sampling.models`: patterns of the models that may be used, the preferred first; empty for all. */
  readonly models: readonly string[];
  /** `mcpHost.sampling.maxRequestsPerMinute`, for each server. */
  readonly maxRequestsPerMinute: number;
  /** `mcpHost.sampling.maxTokensPerRequest`: of a request and its answer together, estimated. */
  readonly maxTokensPerRequest: number;
  /** `mcpHost.sampling.maxTokensPerDay`, for each server, estimated. */
  readonly maxTokensPerDay: number;
  readonly onDidChange: Event<void>;
}
