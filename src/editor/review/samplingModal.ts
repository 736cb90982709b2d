import type * as vscode from 'vscode';
import type { SamplingQuestion } from '../../host/questions/questionQueue.ts';
import { isOtherPhase } from '../../host/sampling/samplingCards.ts';
import type { SamplingReview, SamplingState } from '../../host/sampling/samplingReview.ts';

/** What a dialog can do with a request for a model. */
interface Choice extends vscode.MessageItem {
  act(review: SamplingReview): void;
  /** False where the review would not take it any more. */
  fits(review: SamplingReview): boolean;
}

/** Shows one state of a review with its choices, and gives what was chosen. */
export type ShowState = (choices: readonly Choice[]) => Thenable<Choice | undefined>;

/**
 * Reviews a request for a model in dialogs: the request, and then its answer; no text can be changed there. False
 * when the person looked away from one.
 */
export async function reviewInModals({ review }: SamplingQuestion, show: ShowState): Promise<boolean> {
  await until(review, ({ kind }) => kind !== 'generating');
  for (let { state } = review; isToAnswer(state); { state } = review) {
    const chosen = await show(choicesFor(review));
    if (!chosen) {
      return false;
    }
    if (isOtherPhase(state, review.state) || !chosen.fits(review)) {
      continue; // what was chosen was about what stood there before
    }
    chosen.act(review);
    const shown = state;
    await until(review, (now) => now !== shown && now.kind !== 'generating');
  }
  return true;
}

/** The first is what Enter presses, and this dialog may come while the person is typing: it gives nothing. */
function choicesFor(review: SamplingReview): readonly Choice[] {
  const { state, draft, estimate } = review;
  const deny: Choice = { title: 'Deny', act: (review) => review.deny(), fits: always };
  const never: Choice = {
    title: 'Never for This Server',
    act: (review) => review.never(),
    fits: always,
  };
  if (state.kind === 'answer') {
    return [deny, { title: 'Deliver', act: (review) => review.deliver([]), fits: always }];
  }
  const send: Choice = {
    title: 'Send',
    // What was shown, whatever is drafted meanwhile.
    act: (now) => now.send(draft, 'once'),
    fits: ({ models }) => models.some(({ id }) => id === draft.modelId),
  };
  const canSend = send.fits(review) && estimate?.problem === undefined;
  return [deny, ...(canSend ? [send] : []), never];
}

function always(): boolean {
  return true;
}

function isToAnswer({ kind }: SamplingState): boolean {
  return kind === 'request' || kind === 'answer';
}

/** Resolves when the state of a review is such a one. */
async function until(review: SamplingReview, isIt: (state: SamplingState) => boolean): Promise<void> {
  if (isIt(review.state)) {
    return;
  }
  await new Promise<void>((resolve) => {
    const listening = review.onDidChange(() => {
      if (isIt(review.state)) {
        listening.dispose();
        resolve();
      }
    });
  });
}
