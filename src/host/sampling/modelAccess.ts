import type { SamplingOccasion, SamplingPolicy } from '../config/samplingSettings.ts';

/** What decided the policy of a server: the person for this server, its definition, the settings. */
export type AccessBasis = 'decision' | 'definition' | 'setting';

/** How a server stands with the language models, for the tree and wherever that is said. */
export interface ModelAccess {
  /** For each occasion, what holds now and what decided it; `isForSession` when the person allowed this session. */
  readonly policies: Readonly<Record<SamplingOccasion, AccessPolicy>>;
  /** What was asked and used since midnight, in this and other windows. */
  readonly today: { readonly requests: number; readonly tokens: number };
  /** Whether a model is there at all; undefined until it is known. */
  readonly hasModel: boolean | undefined;
  /** What the person should know, in a sentence: a limit that bites, no model; the latest. */
  readonly note?: string;
  /** False for a server that runs and was not told that it may ask: it needs a restart for that. */
  readonly isOffered: boolean;
}

export interface AccessPolicy {
  readonly policy: SamplingPolicy;
  readonly basis: AccessBasis;
  readonly isForSession: boolean;
}
