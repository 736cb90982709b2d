import { visibleText } from '../../../base/text/visibleText.ts';
import type {
  AskingServer,
  Dialog,
  DialogChoice,
  Question,
  QuestionKind,
  QuestionView,
} from '../../questions/question.ts';
import type { RequestDraft } from '../request/samplingRequest.ts';
import { choicesOf, type ChoiceInput, type ReviewChoice } from './reviewChoices.ts';
import {
  isOtherPhase,
  type SamplingQuestion,
  type SamplingReview,
  type SamplingState,
} from './samplingReview.ts';
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
    for (let { state } = review; isToAnswer(state); { state } = review) {
      const { draft } = review;
      const chosen = await dialogs.show(dialogFor(server, review));
      if (!chosen) {
        return false;
      }
      const { choice } = chosen;
      if (isOtherPhase(state, review.state) || (choice.isSend === true && !hasModel(review, draft))) {
        continue; // the choice was about what the dialog showed before
      }
      choice.choose(review, { draft, edits: [], card: noCard });
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

function hasModel({ models }: SamplingReview, { modelId }: RequestDraft): boolean {
  return models.some(({ id }) => id === modelId);
}

/** A dialog has no card. */
const noCard: ChoiceInput['card'] = { copy: () => {}, close: () => {} };

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
