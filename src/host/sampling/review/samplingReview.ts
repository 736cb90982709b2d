import type { Event } from '../../../base/lifetime/event.ts';
import type { AskingServer, Question } from '../../questions/question.ts';
import type { RequestInFlight } from '../../connection/requests/requestsInFlight.ts';
import type { ModelAnswer } from '../request/generation.ts';
import type { LanguageModel } from '../request/languageModels.ts';
import type {
  RequestDraft,
  SamplingRequest,
  TextEdit,
  SamplingOccasion,
} from '../request/samplingRequest.ts';

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
  | { readonly kind: 'answer'; readonly answer: ModelAnswer; readonly isStopped: boolean }
  /** The server no longer waits; `why` is a sentence, `answer` what was ready to be delivered. */
  | {
      readonly kind: 'ended';
      readonly why: string;
      readonly answer?: ModelAnswer;
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

/**
 * The review of one request for a model: what you see of it, and what you can do. A call that doesn't fit the state
 * does nothing.
 */
export interface SamplingReview {
  /** `state`, `draft`, `estimate` or `models` has changed. */
  readonly onDidChange: Event<void>;
  readonly subject: ReviewSubject;
  readonly state: SamplingState;
  /** The models that may be used, the preferred first. */
  readonly models: readonly LanguageModel[];
  /** The selected model, and your edits. */
  readonly draft: RequestDraft;
  /** Undefined while it is computed. */
  readonly estimate: SamplingEstimate | undefined;

  /** State `request`: what would be sent; the estimate follows. */
  setDraft(draft: RequestDraft): void;
  /** State `request`: sends the draft. */
  send(draft: RequestDraft, span: SendSpan): void;
  /** State `generating`: keeps the answer so far. */
  stop(): void;
  /** State `answer`: gives it to the server with these edits in it. */
  deliver(edits: readonly TextEdit[]): void;
  /** State `answer`: sends the same request again. */
  regenerate(): void;
  /** States `request`, `generating` and `answer`. */
  deny(): void;
  /** As `deny`, and for every later request of this server. */
  never(): void;
  /**
   * State `ended`, once: runs the tool again; an identical request then gets the answer with these edits in it. Without
   * an answer, the draft counts as sent.
   */
  runAgain(edits: readonly TextEdit[], draft: RequestDraft): void;
}

/**
 * Whether a server's request goes to a language model, and which answer goes back. You choose in several steps on
 * `review`; the question is withdrawn when the review has ended.
 */
export interface SamplingQuestion extends Question<never> {
  readonly server: AskingServer;
  readonly review: SamplingReview;
}
