import { randomUUID } from 'node:crypto';
import type { ModelAnswer } from '../request/generation.ts';
import type { RequestDraft, TextEdit } from '../request/samplingRequest.ts';
import {
  answerTexts,
  answerWithEdits,
  areEditsOf,
  requestTexts,
  requestWithEdits,
} from '../request/textEdits.ts';
import type { SamplingReview } from './samplingReview.ts';

interface AnswerDraft {
  readonly id: string;
  readonly edits: readonly TextEdit[];
}

/**
 * What you have written in the cards: edits of requests, of which a review keeps only what could be sent, and edits of
 * answers. It outlives the panel.
 */
export class SamplingDrafts {
  readonly #answers = new WeakMap<ModelAnswer, AnswerDraft>();
  readonly #requests = new WeakMap<SamplingReview, RequestDraft>();

  ofRequest(review: SamplingReview): RequestDraft {
    const { edits, modelId } = this.#requests.get(review) ?? review.draft;
    // A review that has ended selects no other model.
    return { edits, modelId: review.state.kind === 'ended' ? modelId : review.draft.modelId };
  }

  /** The edits of an answer, and an id of that answer. */
  ofAnswer(answer: ModelAnswer): AnswerDraft {
    const draft = this.#answers.get(answer) ?? { id: randomUUID(), edits: [] };
    this.#answers.set(answer, draft);
    return draft;
  }

  /** Keeps a draft while the request can still be sent. False for a draft that isn't of this request. */
  setRequest(review: SamplingReview, draft: RequestDraft): boolean {
    const { state, models, subject } = review;
    const isKnownModel =
      draft.modelId === review.draft.modelId || models.some(({ id }) => id === draft.modelId);
    const isValid = isKnownModel && areEditsOf(requestTexts(subject.request), draft.edits);
    if (isValid && (state.kind === 'request' || state.kind === 'ended')) {
      this.#requests.set(review, draft);
    }
    return isValid;
  }

  /** Keeps edits of the answer. False for edits that aren't of this answer; without an answer, for any edit. */
  setAnswer(review: SamplingReview, edits: readonly TextEdit[]): boolean {
    const answer = answerIn(review);
    const isValid = areEditsOf(answer ? answerTexts(answer) : [], edits);
    if (answer && isValid) {
      this.#answers.set(answer, { ...this.ofAnswer(answer), edits });
    }
    return isValid;
  }

  /** The answer, or the request if there is no answer, with your edits. */
  textOf(review: SamplingReview): string {
    const answer = answerIn(review);
    const texts = answer
      ? answerTexts(answerWithEdits(answer, this.ofAnswer(answer).edits))
      : requestTexts(requestWithEdits(review.subject.request, this.ofRequest(review).edits));
    return texts.map(({ text }) => text).join('\n\n');
  }
}

function answerIn({ state }: SamplingReview): ModelAnswer | undefined {
  return state.kind === 'answer' || state.kind === 'ended' ? state.answer : undefined;
}
