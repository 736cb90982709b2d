import { afterTimeout } from '../../../src/base/time/clock.ts';
import type { RequestInFlight } from '../../../src/host/connection/requests/requestsInFlight.ts';
import type { LanguageModel } from '../../../src/host/sampling/request/languageModels.ts';
import type { SamplingRequest } from '../../../src/host/sampling/request/samplingRequest.ts';
import type {
  ReviewSubject,
  SamplingEstimate,
  SamplingState,
} from '../../../src/host/sampling/review/reviewState.ts';
import { SamplingReview, type SamplingQuestion } from '../../../src/host/sampling/review/samplingReview.ts';
import type { GeneratedAnswer } from '../../../src/host/sampling/request/generation.ts';
import { stdioServer } from './definitions.ts';
import { samplingQuestions } from '../../../src/host/sampling/review/samplingQuestion.ts';

export function model(id: string, more: Partial<LanguageModel> = {}): LanguageModel {
  return { id, name: id, vendor: 'acme', family: id, version: '1', maxInputTokens: 8_000, ...more };
}

function request(more: Partial<SamplingRequest> = {}): SamplingRequest {
  return {
    messages: [{ role: 'user', content: [{ kind: 'text', text: 'Hello' }] }],
    maxTokens: 500,
    stopSequences: [],
    hints: [],
    tools: [],
    toolChoice: 'auto',
    wantsContext: false,
    ...more,
  };
}

export function answer(text: string, more: Partial<GeneratedAnswer> = {}): GeneratedAnswer {
  return { parts: [{ kind: 'text', text }], stopReason: 'endTurn', model: 'Fast', ...more };
}

/** What a request in flight is here: a tool's call. */
export function toolInFlight(target: string): RequestInFlight {
  return { method: 'tools/call', target, ended: new AbortController().signal };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A review whose state the test sets, and which writes down the acts that it gets. */
export class ScriptedReview extends SamplingReview {
  readonly acts: unknown[] = [];
  declare readonly subject: Mutable<ReviewSubject>;
  #models: readonly LanguageModel[] | undefined;
  #estimate: SamplingEstimate | undefined;

  constructor(more: Partial<SamplingRequest> = {}) {
    const subject: ReviewSubject = {
      request: request(more),
      askedAt: 1_000,
      occasion: 'inCall',
      requests: [toolInFlight('ask')],
      canAllowSession: true,
    };
    const unused = (): never => {
      throw new Error('The acts are scripted.');
    };
    super(
      subject,
      [model('fast'), model('slow')],
      { draft: { modelId: 'fast', edits: [] }, state: { kind: 'request' } },
      {
        estimate: () => new Promise(() => {}),
        choose: unused,
        sent: unused,
        generate: unused,
        runAgain: undefined,
      },
      afterTimeout,
    );
  }

  override get state(): SamplingState {
    return super.state;
  }

  override set state(state: SamplingState) {
    this.become(state);
  }

  override get models(): readonly LanguageModel[] {
    return this.#models ?? super.models;
  }

  override set models(models: readonly LanguageModel[]) {
    this.#models = models;
  }

  override get estimate(): SamplingEstimate | undefined {
    return this.#estimate;
  }

  override set estimate(estimate: SamplingEstimate | undefined) {
    this.#estimate = estimate;
  }

  /** Puts it into another state. */
  override become(state: SamplingState): void {
    super.become(state);
  }

  override send(draft: SamplingReview['draft'], span: 'once' | 'session'): void {
    this.acts.push(['send', draft, span]);
    this.become({ kind: 'generating', text: '' });
  }

  override stop(): void {
    this.acts.push(['stop']);
  }

  override deliver(edits: SamplingReview['answerEdits']): void {
    this.acts.push(['deliver', edits]);
  }

  override regenerate(): void {
    this.acts.push(['regenerate']);
  }

  override deny(): void {
    this.acts.push(['deny']);
  }

  override never(): void {
    this.acts.push(['never']);
  }

  override runAgain(edits: SamplingReview['answerEdits'], draft: SamplingReview['draft']): void {
    this.acts.push(['runAgain', edits, draft]);
    if (this.state.kind === 'ended') {
      this.become({ ...this.state, canRunAgain: false });
    }
  }
}

export function samplingQuestion(review: SamplingReview, label = 'everything'): SamplingQuestion {
  return { kind: samplingQuestions, server: { definition: stdioServer([], { name: label }), label }, review };
}
