import { visibleText } from '../../base/visibleText.ts';
import type {
  AskingServer,
  Dialog,
  DialogChoice,
  Question,
  QuestionKind,
  QuestionView,
} from '../questions/question.ts';
import { isOtherPhase, type SamplingReview, type SamplingState } from './samplingReview.ts';
import { samplingView, samplingViewText } from './samplingView.ts';
import { phaseText, samplingTitle } from './samplingWords.ts';

/**
 * Whether a server's request goes to a language model, and what of the answer goes back. It takes several steps, which
 * are acts on `review`; it is withdrawn when that has come to an end.
 */
export interface SamplingQuestion extends Question<never> {
  readonly server: AskingServer;
  readonly review: SamplingReview;
}

/** What a dialog can do with a request for a model. */
interface Choice extends DialogChoice {
  act(review: SamplingReview): void;
  /** False where the review would no longer take it. */
  fits(review: SamplingReview): boolean;
}

/** The review of a server's request for a language model. */
export const samplingQuestions = {
  name: 'sampling',
  serversOf: ({ server }) => [server],

  view: (question, context): QuestionView => samplingView(question, context),
  text: samplingViewText,
  readAnswer: () => undefined, // it takes acts

  /** The request, and then its answer; no text can be changed there. */
  async askInDialogs({ server, review }, dialogs) {
    await until(review, ({ kind }) => kind !== 'generating');
    for (let { state } = review; isToAnswer(state); { state } = review) {
      const chosen = await dialogs.show(dialogFor(server, review));
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
  },

  announcement: ([first, ...others]) =>
    first && others.length === 0 ? announcementOf(first.server, first.review) : undefined,

  /** A request is announced again when its answer is there to be read. */
  steps: {
    current: (question) =>
      question.review.state.kind === 'answer' ? question.review.state.answer : question,
    changes: ({ review }) => review.onDidChange,
  },

  answered: () => '',

  withdrawn({ server, review }) {
    const { kind } = review.state;
    return kind === 'done' || kind === 'ended'
      ? { words: phaseText(visibleText(server.label), review), isAnswered: kind === 'done' }
      : undefined;
  },
} as const satisfies QuestionKind<SamplingQuestion, never>;

export function isSamplingQuestion(question: Question): question is SamplingQuestion {
  return question.kind === samplingQuestions;
}

function announcementOf({ label }: AskingServer, review: SamplingReview): string {
  return review.state.kind === 'answer'
    ? `The answer of a language model for '${label}' is waiting for you.`
    : `${samplingTitle(label, review)}.`;
}

/** The first button is what Enter presses, and this dialog may appear while you type: it gives nothing. */
function dialogFor(server: AskingServer, review: SamplingReview): Dialog<Choice> {
  const { state, draft, estimate } = review;
  const deny: Choice = { title: 'Deny', act: (review) => review.deny(), fits: always };
  const never: Choice = { title: 'Never for This Server', act: (review) => review.never(), fits: always };
  if (state.kind === 'answer') {
    const deliver: Choice = { title: 'Deliver', act: (review) => review.deliver([]), fits: always };
    const title = announcementOf(server, review);
    return { noun: 'answer', title, choices: [deny, deliver], isForeign: true };
  }
  const send: Choice = {
    title: 'Send',
    // What was shown, whatever is drafted meanwhile.
    act: (now) => now.send(draft, 'once'),
    fits: ({ models }) => models.some(({ id }) => id === draft.modelId),
  };
  const canSend = send.fits(review) && estimate?.problem === undefined;
  return { noun: 'request', choices: [deny, ...(canSend ? [send] : []), never], isForeign: true };
}

function always(): boolean {
  return true;
}

function isToAnswer({ kind }: SamplingState): boolean {
  return kind === 'request' || kind === 'answer';
}

/** Resolves when the state of a review is as it is waited for. */
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
