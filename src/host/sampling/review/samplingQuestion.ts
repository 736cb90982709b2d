import { visibleText } from '../../../base/text/visibleText.ts';
import type {
  AskingServer,
  Dialog,
  DialogChoice,
  Question,
  QuestionKind,
  QuestionView,
} from '../../questions/question.ts';
import { choicesOf, type ReviewChoice } from './reviewChoices.ts';
import type { SamplingState } from './reviewState.ts';
import type { SamplingQuestion, SamplingReview } from './samplingReview.ts';
import { samplingView, samplingViewText } from './samplingView.ts';
import { phaseText, samplingTitle } from './samplingWords.ts';

interface Choice extends DialogChoice {
  readonly choice: ReviewChoice;
}

/** The review of a server's request for a language model. */
export const samplingQuestions = {
  name: 'sampling',
  serversOf: ({ server }) => [server],

  view: (question, context): QuestionView => samplingView(question, context),
  text: samplingViewText,
  readAnswer: () => undefined, // its cards take acts

  /** The request, and then its answer; no text can be changed there. */
  async askInDialogs({ server, review }, dialogs) {
    await until(review, ({ kind }) => kind !== 'generating');
    while (review.state.kind === 'request' || review.state.kind === 'answer') {
      const { state: shown, draft, phase } = review;
      const chosen = await dialogs.show(dialogFor(server, review));
      if (!chosen) {
        return false;
      }
      const { choice } = chosen;
      if (phase === review.phase && (choice.isSend !== true || hasModel(review, draft))) {
        choice.choose?.(review, { draft, edits: [] });
        await until(review, (now) => now !== shown && now.kind !== 'generating');
      } // otherwise it was about what the dialog showed before
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
    ? `The answer from a language model for '${label}' is waiting for you.`
    : `${samplingTitle(label, review)}.`;
}

function dialogFor(server: AskingServer, review: SamplingReview): Dialog<Choice> {
  const canSend = hasModel(review, review.draft) && review.estimate?.problem === undefined;
  const choices = choicesOf(review)
    .map(([choice, title]) => ({ title, choice }))
    .filter(({ choice }) => choice.inDialog && (canSend || choice.isSend !== true))
    .toSorted((a, b) => Number(b.choice.inDialog === 'first') - Number(a.choice.inDialog === 'first'));
  return review.state.kind === 'answer'
    ? { noun: 'answer', title: announcementOf(server, review), choices, isForeign: true }
    : { noun: 'request', choices, isForeign: true };
}

function hasModel({ models }: SamplingReview, { modelId }: SamplingReview['draft']): boolean {
  return models.some(({ id }) => id === modelId);
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
