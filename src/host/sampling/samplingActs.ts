import type { ModelAnswer, RequestDraft, SamplingReview } from './samplingReview.ts';
import type { TextEdit } from './samplingRequest.ts';
import type { SamplingDrafts } from './samplingDrafts.ts';
import type { SamplingAct } from './samplingProtocol.ts';
import { answerTexts, requestTexts } from './samplingTexts.ts';

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
      const isOffered = act.span === 'once' || review.canAllowSession;
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
    ? answerTexts(answer, drafts.ofAnswer(answer).edits)
    : requestTexts(review.request, drafts.ofRequest(review).edits);
  return [...texts.values()].join('\n\n');
}

function isDraftOf({ request, models, draft }: SamplingReview, { modelId, edits }: RequestDraft): boolean {
  const isKnown = modelId === draft.modelId || models.some(({ id }) => id === modelId);
  return isKnown && areIn(edits, requestTexts(request, []));
}

/** The answer that is there to be delivered, or was. */
function answerIn({ state }: SamplingReview): ModelAnswer | undefined {
  return state.kind === 'answer' || state.kind === 'ended' ? state.answer : undefined;
}

/** Where there is no answer, there are no texts of it. */
function isAnswerOf(review: SamplingReview, edits: readonly TextEdit[]): boolean {
  const answer = answerIn(review);
  return areIn(edits, answer ? answerTexts(answer, []) : new Map());
}

function areIn(edits: readonly TextEdit[], texts: ReadonlyMap<string, string>): boolean {
  return edits.every(({ at }) => texts.has(at));
}
