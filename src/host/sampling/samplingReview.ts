import type { Event } from '../../base/event.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import type { LanguageModel, ModelPart } from './languageModels.ts';
import type { SamplingRequest, TextEdit } from './samplingRequest.ts';
import type { SamplingOccasion } from '../config/samplingSettings.ts';

/** What the person is about to send: the request with their texts in it, to this model. */
export interface RequestDraft {
  readonly modelId: string;
  readonly edits: readonly TextEdit[];
}

/** What a model said, as far as it is let through. */
export interface ModelAnswer {
  readonly parts: readonly ModelPart[];
  readonly stopReason: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse';
  /** The name of the model. */
  readonly model: string;
  /** Tokens that the person's limit left for it, where the server asked for more. */
  readonly limit?: number;
}

/** About how many tokens a draft takes, and what the person's limits leave. */
export interface SamplingEstimate {
  readonly input: number;
  /** The most that the answer may take: what the server asked for, or what the limit for a request leaves. */
  readonly output: number;
  readonly isCapped?: boolean;
  /** What is left of `mcpHost.sampling.maxTokensPerDay` before this request. */
  readonly leftToday: number;
  /** Why it cannot be sent as it stands, in a sentence. */
  readonly problem?: string;
}

/** How far the review of one request has come. */
export type SamplingState =
  /** To be read, edited and sent; `problem` says why the last try gave no answer. */
  | { readonly kind: 'request'; readonly problem?: string }
  /** The model is answering: what it has said so far. */
  | { readonly kind: 'generating'; readonly text: string }
  /** To be read, edited and delivered; `isStopped` when the person cut it short. */
  | { readonly kind: 'answer'; readonly answer: ModelAnswer; readonly isStopped: boolean }
  /** Nobody waits for it any more; `why` is a sentence, `answer` what was there to be delivered. */
  | {
      readonly kind: 'ended';
      readonly why: string;
      readonly answer?: ModelAnswer;
      /** Whether the tool whose call it belonged to can be run again. */
      readonly canRunAgain: boolean;
    }
  | { readonly kind: 'done'; readonly how: 'delivered' | 'denied' | 'never' };

/** Whether an act that was meant for one state must not reach the other. */
export function isOtherPhase(before: SamplingState, after: SamplingState): boolean {
  if (before.kind === 'answer' && after.kind === 'answer') {
    return before.answer !== after.answer;
  }
  if (before.kind === 'request' && after.kind === 'request') {
    return before.problem !== after.problem;
  }
  return before.kind !== after.kind;
}

/**
 * The review of one request for a model: what the person sees of it, and what they can do. An act that does not
 * fit the state does nothing.
 */
export interface SamplingReview {
  /** `state`, `estimate` or `models` is another. */
  readonly onDidChange: Event<void>;
  readonly state: SamplingState;
  /** As the server sent it; what is sent is this with the person's edits in it. */
  readonly request: SamplingRequest;
  /** When the server asked, in milliseconds since the epoch. */
  readonly askedAt: number;
  readonly occasion: SamplingOccasion;
  /** What the server was working on. */
  readonly requests: readonly RequestInFlight[];
  /** What deserves a second look, a sentence each. */
  readonly warnings: readonly string[];
  /** Those that may be used, the preferred first. */
  readonly models: readonly LanguageModel[];
  /** The one that is chosen, and the texts that are edited. */
  readonly draft: RequestDraft;
  /** Undefined while it is worked out. */
  readonly estimate: SamplingEstimate | undefined;
  /** Whether "for this session" can be answered. */
  readonly canAllowSession: boolean;

  /** State `request`: what would be sent; the estimate follows. */
  setDraft(draft: RequestDraft): void;
  /** State `request`: sends the draft. */
  send(draft: RequestDraft, span: 'once' | 'session'): void;
  /** State `generating`: keeps what was said so far. */
  stop(): void;
  /** State `answer`: gives it to the server with these texts in it. */
  deliver(edits: readonly TextEdit[]): void;
  /** State `answer`: sends the same request once more. */
  regenerate(): void;
  /** States `request`, `generating` and `answer`. */
  deny(): void;
  /** As `deny`, and for every later request of this server. */
  never(): void;
  /**
   * State `ended`: runs the tool again; an identical request then gets the answer with these texts in it. Without an
   * answer, the draft counts as sent. Once.
   */
  runAgain(edits: readonly TextEdit[], draft: RequestDraft): void;
}
