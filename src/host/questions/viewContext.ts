import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { SamplingContent } from '../sampling/samplingContent.ts';
import type { SamplingDrafts } from '../sampling/samplingDrafts.ts';

/** What the panel needs to know of a question besides the question. */
export interface ViewContext {
  readonly id: string;
  /** The file that a definition stands in, as the person calls it. */
  readonly placeOf: (definition: ServerDefinition) => string;
  readonly isRenewed: boolean;
  /** Where the card of a request for a model stands; at its beginning without it. */
  readonly moment?: SamplingMoment;
}

/** Where the card of a request stands. */
export interface SamplingMoment {
  readonly phase: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly drafts: SamplingDrafts;
  /** Spares making it again. */
  readonly content: SamplingContent;
}
