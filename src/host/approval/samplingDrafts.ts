import { randomUUID } from 'node:crypto';
import type { ModelAnswer, RequestDraft, SamplingReview } from '../sampling/samplingReview.ts';
import type { TextEdit } from '../sampling/samplingRequest.ts';

interface AnswerDraft {
  readonly id: string;
  readonly edits: readonly TextEdit[];
}

/**
 * What the person has written where the review itself does not keep it: into answers, and into requests for which
 * nobody waits any more. It outlives the panel.
 */
export class SamplingDrafts {
  readonly #answers = new WeakMap<ModelAnswer, AnswerDraft>();
  readonly #requests = new WeakMap<SamplingReview, RequestDraft>();

  /** The texts of a request as they stand. */
  ofRequest(review: SamplingReview): RequestDraft {
    return (review.state.kind === 'ended' && this.#requests.get(review)) || review.draft;
  }

  /** The texts of an answer as they stand, and an id of it. */
  ofAnswer(answer: ModelAnswer): AnswerDraft {
    const draft = this.#answers.get(answer) ?? { id: randomUUID(), edits: [] };
    this.#answers.set(answer, draft);
    return draft;
  }

  setRequest(review: SamplingReview, draft: RequestDraft): void {
    if (review.state.kind === 'ended') {
      this.#requests.set(review, draft);
    } else {
      review.setDraft(draft);
    }
  }

  setAnswer(answer: ModelAnswer, edits: readonly TextEdit[]): void {
    this.#answers.set(answer, { ...this.ofAnswer(answer), edits });
  }
}
