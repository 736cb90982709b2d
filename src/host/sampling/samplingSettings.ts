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
  /** `mcpHost.sampling.policy`; outside of a call, only `ask` or `deny`. */
  policyFor(occasion: SamplingOccasion): SamplingPolicy;
  /** Whether you review every answer, and not only those to requests that you reviewed. */
  readonly reviewsEveryAnswer: boolean;
  /** `mcpHost.sampling.models`: patterns of the models that may be used, the preferred first; empty for all. */
  readonly models: readonly string[];
  /** Of each server. */
  readonly maxRequestsPerMinute: number;
  /** Of a request and its answer together, estimated. */
  readonly maxTokensPerRequest: number;
  /** `mcpHost.sampling.maxTokensPerDay`, for each server, estimated. */
  readonly maxTokensPerDay: number;
  /** The names of removed settings that are set: they still restrict. */
  readonly removed: readonly string[];
  readonly onDidChange: Event<void>;
}
