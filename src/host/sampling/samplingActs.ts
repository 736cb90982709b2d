import type { SamplingReview } from './samplingReview.ts';
import type { ModelAnswer } from './request/generation.ts';
import type { TextEdit, RequestDraft } from './request/samplingRequest.ts';
import type { SamplingDrafts } from './samplingDrafts.ts';
import type { SamplingAct } from './samplingProtocol.ts';
import {
  answerTexts,
  answerWithEdits,
  areEditsOf,
  requestTexts,
  requestWithEdits,
} from './request/textEdits.ts';

/** Does with a review what the person did in the panel; texts in places that there are not do nothing. */
export function actOn(review: SamplingReview, act: SamplingAct, drafts: SamplingDrafts): void {
  switch (act.act) {
    case 'draft':
      if (isDraftOf(review, act.draft)) {
        drafts.setRequest(review, act.draft);
        review.setDraft(act.draft);
      }
      return;
    case 'draftAnswer': {
      const answer = answerIn(review);
      return answer && isAnswerOf(review, act.edits) ? drafts.setAnswer(answer, act.edits) : undefined;
    }
    case 'send': {
      const isOffered = act.span === 'once' || review.subject.canAllowSession;
      if (isOffered && isDraftOf(review, act.draft)) {
        drafts.setRequest(review, act.draft);
        review.send(act.draft, act.span);
      }
      return;
    }
    case 'deliver':
      return isAnswerOf(review, act.edits) ? review.deliver(act.edits) : undefined;
    case 'runAgain':
      return isDraftOf(review, act.draft) && isAnswerOf(review, act.edits)
        ? review.runAgain(act.edits, act.draft)
        : undefined;
    case 'stop':
      return review.stop();
    case 'regenerate':
      return review.regenerate();
    case 'deny':
      return review.deny();
    case 'never':
      return review.never();
    case 'copy':
    case 'close':
      return; // about the card alone
  }
}

/** What "Copy" gives: the answer, or the request where there is none, with the person's changes. */
export function copiedText(review: SamplingReview, drafts: SamplingDrafts): string {
  const answer = answerIn(review);
  const texts = answer
    ? answerTexts(answerWithEdits(answer, drafts.ofAnswer(answer).edits))
    : requestTexts(requestWithEdits(review.subject.request, drafts.ofRequest(review).edits));
  return texts.map(({ text }) => text).join('\n\n');
}

function isDraftOf({ subject, models, draft }: SamplingReview, { modelId, edits }: RequestDraft): boolean {
  const isKnown = modelId === draft.modelId || models.some(({ id }) => id === modelId);
  return isKnown && areEditsOf(requestTexts(subject.request), edits);
}

/** The answer that is there to be delivered, or was. */
function answerIn({ state }: SamplingReview): ModelAnswer | undefined {
  return state.kind === 'answer' || state.kind === 'ended' ? state.answer : undefined;
}

/** Where there is no answer, there are no texts of it. */
function isAnswerOf(review: SamplingReview, edits: readonly TextEdit[]): boolean {
  const answer = answerIn(review);
  return areEditsOf(answer ? answerTexts(answer) : [], edits);
}
