import type { Event } from '../../base/lifetime/event.ts';
import type { SamplingOccasion } from './request/samplingRequest.ts';
import type { SamplingProposal } from '../config/serverDefinition.ts';
import type { settings, SettingValues } from '../config/settings.ts';

/**
 * What happens to a server's requests: you review each one (`ask`), or the first one of a session, which allows the
 * others if you send it (`session`); they are sent without review (`allow`); or they are refused (`deny`).
 */
export type SamplingPolicy = SamplingProposal;

/** Your settings for model access, read at the moment of use. */
export interface SamplingSettings extends Omit<SettingValues<typeof settings.sampling>, 'policy'> {
  /** `mcpHost.sampling.policy`; outside of a call, only `ask` or `deny`. */
  policyFor(occasion: SamplingOccasion): SamplingPolicy;
  /** Whether you review every answer, and not only those to requests that you reviewed. */
  readonly reviewsEveryAnswer: boolean;
  /** Of each server. */
  readonly maxRequestsPerMinute: number;
  /** Of a request and its answer together, estimated. */
  readonly maxTokensPerRequest: number;
  /** The names of removed settings that are set: they still restrict. */
  readonly removed: readonly string[];
  readonly onDidChange: Event<void>;
}
