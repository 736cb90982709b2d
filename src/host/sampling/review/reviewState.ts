import type { RequestInFlight } from '../../connection/requests/requestsInFlight.ts';
import type { GeneratedAnswer } from '../request/generation.ts';
import type { SamplingDraft, SamplingOccasion, SamplingRequest } from '../request/samplingRequest.ts';

/** About how many tokens a draft takes, and what your limits leave. */
export interface SamplingEstimate {
  readonly input: number;
  /** The most that the answer may take: what the server asks for, or what the limit for a request leaves. */
  readonly output: number;
  readonly isCapped?: boolean;
  /** What is left of `mcpHost.sampling.maxTokensPerDay` before this request. */
  readonly leftToday: number;
  /** Why it cannot be sent as it stands, in a sentence. */
  readonly problem?: string;
}

/** How far the review of one request has come. */
export type SamplingState =
  /** The request waits to be read, edited and sent; `problem` says why the last attempt gave no answer. */
  | { readonly kind: 'request'; readonly problem?: string }
  /** The model is answering: its text so far. */
  | { readonly kind: 'generating'; readonly text: string }
  /** The answer waits to be read, edited and delivered; `isStopped` if you stopped the model. */
  | { readonly kind: 'answer'; readonly answer: GeneratedAnswer; readonly isStopped: boolean }
  /** The server no longer waits; `why` is a sentence, `answer` what was ready to be delivered. */
  | {
      readonly kind: 'ended';
      readonly why: string;
      readonly answer?: GeneratedAnswer;
      /** Whether the tool that the request came from can run again. */
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

/** The answer that waits for you, or that was ready when the server stopped waiting. */
export function answerIn(state: SamplingState): GeneratedAnswer | undefined {
  return state.kind === 'answer' || state.kind === 'ended' ? state.answer : undefined;
}

/** What Send allows: this request, or later ones of the server until the window closes as well. */
export type SendSpan = 'once' | 'session';

/** What is reviewed. It never changes. */
export interface ReviewSubject {
  /** As the server sent it; what is sent is this with your edits in it. */
  readonly request: SamplingRequest;
  /** When the server asked, in milliseconds since the epoch. */
  readonly askedAt: number;
  readonly occasion: SamplingOccasion;
  /** What the server was working on. */
  readonly requests: readonly RequestInFlight[];
  /** Whether "for this session" is offered. */
  readonly canAllowSession: boolean;
}

/** What you approved for a request that will come again: its answer, or that it is sent with these edits. */
export type Prepared =
  | { readonly kind: 'answer'; readonly answer: GeneratedAnswer; readonly isEdited: boolean }
  | { readonly kind: 'send'; readonly draft: SamplingDraft };
