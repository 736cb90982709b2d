import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { RequestInFlight } from '../../../src/host/connection/requests/requestsInFlight.ts';
import type { LanguageModel } from '../../../src/host/sampling/request/languageModels.ts';
import type { SamplingRequest } from '../../../src/host/sampling/request/samplingRequest.ts';
import type {
  ReviewSubject,
  SamplingEstimate,
  SamplingQuestion,
  SamplingReview,
  SamplingState,
} from '../../../src/host/sampling/review/samplingReview.ts';
import type { ModelAnswer } from '../../../src/host/sampling/request/generation.ts';
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

export function answer(text: string, more: Partial<ModelAnswer> = {}): ModelAnswer {
  return { parts: [{ kind: 'text', text }], stopReason: 'endTurn', model: 'Fast', ...more };
}

/** What a request in flight is here: a tool's call. */
export function toolInFlight(target: string): RequestInFlight {
  return { method: 'tools/call', target, ended: new AbortController().signal };
}

/** A review whose state the test sets, and which writes down the acts that it gets. */
export class ScriptedReview implements SamplingReview {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly acts: unknown[] = [];
  state: SamplingState = { kind: 'request' };
  readonly subject: { -readonly [K in keyof ReviewSubject]: ReviewSubject[K] };
  models: readonly LanguageModel[] = [model('fast'), model('slow')];
  draft: SamplingReview['draft'] = { modelId: 'fast', edits: [] };
  estimate: SamplingEstimate | undefined;

  constructor(more: Partial<SamplingRequest> = {}) {
    this.subject = {
      request: request(more),
      askedAt: 1_000,
      occasion: 'inCall',
      requests: [toolInFlight('ask')],
      canAllowSession: true,
    };
  }

  /** Puts it into another state. */
  become(state: SamplingState): void {
    this.state = state;
    this.#onDidChange.fire();
  }

  setDraft(draft: SamplingReview['draft']): void {
    if (this.state.kind === 'request' && this.models.some(({ id }) => id === draft.modelId)) {
      this.draft = draft;
      this.acts.push(['setDraft', draft]);
    }
  }

  send(draft: SamplingReview['draft'], span: 'once' | 'session'): void {
    this.acts.push(['send', draft, span]);
    this.become({ kind: 'generating', text: '' });
  }

  stop(): void {
    this.acts.push(['stop']);
  }

  deliver(edits: SamplingReview['draft']['edits']): void {
    this.acts.push(['deliver', edits]);
  }

  regenerate(): void {
    this.acts.push(['regenerate']);
  }

  deny(): void {
    this.acts.push(['deny']);
  }

  never(): void {
    this.acts.push(['never']);
  }

  runAgain(edits: SamplingReview['draft']['edits'], draft: SamplingReview['draft']): void {
    this.acts.push(['runAgain', edits, draft]);
  }
}

export function samplingQuestion(review: SamplingReview, label = 'everything'): SamplingQuestion {
  return { kind: samplingQuestions, server: { definition: stdioServer([], { name: label }), label }, review };
}
