import { randomUUID } from 'node:crypto';
import type { SamplingReview } from './samplingReview.ts';
import type { ModelAnswer } from './request/generation.ts';
import type { TextEdit, RequestDraft } from './request/samplingRequest.ts';

interface AnswerDraft {
  readonly id: string;
  readonly edits: readonly TextEdit[];
}

/**
 * What the person has written, as it stands in the card: into a request, of which a review keeps only what could be
 * sent, and into an answer. It outlives the panel.
 */
export class SamplingDrafts {
  readonly #answers = new WeakMap<ModelAnswer, AnswerDraft>();
  readonly #requests = new WeakMap<SamplingReview, RequestDraft>();

  /** The texts of a request as they stand. */
  ofRequest(review: SamplingReview): RequestDraft {
    const { edits, modelId } = this.#requests.get(review) ?? review.draft;
    // A review that nobody waits for chooses no other model.
    return { edits, modelId: review.state.kind === 'ended' ? modelId : review.draft.modelId };
  }

  /** The texts of an answer as they stand, and an id of it. */
  ofAnswer(answer: ModelAnswer): AnswerDraft {
    const draft = this.#answers.get(answer) ?? { id: randomUUID(), edits: [] };
    this.#answers.set(answer, draft);
    return draft;
  }

  /** Keeps what stands in a request that can still be sent; what is sent already stays as it was. */
  setRequest(review: SamplingReview, draft: RequestDraft): void {
    if (review.state.kind === 'request' || review.state.kind === 'ended') {
      this.#requests.set(review, draft);
    }
  }

  setAnswer(answer: ModelAnswer, edits: readonly TextEdit[]): void {
    this.#answers.set(answer, { ...this.ofAnswer(answer), edits });
  }
}
