import { visibleParts, visibleText } from '../../../base/text/visibleText.ts';
import type { LanguageModel } from '../request/languageModels.ts';
import type { GeneratedAnswer } from '../request/generation.ts';
import { choicesOf, hintText } from './reviewChoices.ts';
import { answerTexts, answerWithEdits, requestTexts, requestWithEdits } from '../request/textEdits.ts';
import { plain, proseText, type PanelText } from '../../questions/panelText.ts';
import type { ViewContext } from '../../questions/question.ts';
import { editedView, partViews, samplingContent, type SamplingContent } from './samplingContent.ts';
import { answerIn } from './reviewState.ts';
import type { SamplingQuestion, SamplingReview } from './samplingReview.ts';
import type {
  AnswerView,
  EditedView,
  SamplingNow,
  SamplingPartView,
  SamplingStateView,
  SamplingView,
} from './samplingProtocol.ts';
import { estimateText, samplingTitle, stopTexts, whyText } from './samplingWords.ts';

/** A request for a language model as the review panel shows it; `now` in milliseconds since the epoch. */
export function samplingView(
  question: SamplingQuestion,
  { id, placeOf }: ViewContext,
  time: number = Date.now(),
  content: SamplingContent = samplingContent(question.review.subject.request),
): SamplingView {
  const { server, review } = question;
  const now = samplingNow(question, time);
  return {
    kind: 'sampling',
    id,
    title: now.title,
    isRenewed: false,
    isOver: now.state.kind === 'ended',
    place: visibleParts(placeOf(server.definition)),
    why: visibleParts(whyText(review.subject)),
    ...content,
    now,
  };
}

/** The part of the card that changes. */
export function samplingNow({ server, review }: SamplingQuestion, time: number): SamplingNow {
  const { draft, models, phase, subject } = review;
  const obstacle = obstacleOf(review);
  return {
    phase,
    title: visibleParts(samplingTitle(server.label, review)),
    state: stateView(review, obstacle),
    waitedMs: Math.max(0, time - subject.askedAt),
    edited: draft.edits.map(editedView),
    models: modelViews(models),
    modelId: draft.modelId,
    estimate: estimateText(review.estimate),
    ...(obstacle !== undefined && { obstacle: visibleParts(obstacleText(review, obstacle)) }),
    choices: choicesOf(review).map(([choice, label]) => {
      const { id, isPrimary = false, isSend = false, isOnce = false, isBehind = false } = choice;
      return { id, label, isPrimary, isDisabled: isSend && obstacle !== undefined, isOnce, isBehind };
    }),
    hint: visibleParts(hintText(server.label, review)),
  };
}

/** The texts of the answer, or of the request if there is no answer, with your edits. */
export function enteredText({ state, subject, draft, answerEdits }: SamplingReview): string {
  const answer = answerIn(state);
  const texts = answer
    ? answerTexts(answerWithEdits(answer, answerEdits))
    : requestTexts(requestWithEdits(subject.request, draft.edits));
  return texts.map(({ text }) => text).join('\n\n');
}

/** The card as plain text: the answer if there is one, else the request. */
export function samplingViewText({ place, why, warnings, now, ...view }: SamplingView): string {
  const { state } = now;
  if (state.kind === 'answer') {
    const { title, parts, notes } = state.answer;
    return [blockText(plain(title), parts, []), ...notes].join('\n\n');
  }
  const model = now.models.find(({ id }) => id === now.modelId);
  return [
    `The server is defined in: ${plain(place)}`,
    plain(why),
    ...warnings.map((warning) => `Warning: ${plain(warning)}`),
    ...(state.kind === 'request' && state.problem ? [plain(state.problem)] : []),
    ...(view.system ? [blockText('System prompt', [{ kind: 'text', text: view.system }], now.edited)] : []),
    ...view.messages.map(({ title, parts }) => blockText(title, parts, now.edited)),
    ...view.tools.map(
      ({ name, description, schema }) =>
        `Tool '${plain(name)}':\n${indented([description, schema].map(({ text }) => plain(text)).join('\n'))}`,
    ),
    view.facts.map(({ title, values }) => `${title}: ${values.map(plain).join(', ')}`).join('\n'),
    `Model: ${model?.label ?? 'none'}`,
    now.estimate,
    ...(now.obstacle ? [plain(now.obstacle)] : []),
  ].join('\n\n');
}

/** Texts of others are indented, so that none of their lines can pass for ours. */
function blockText(title: string, parts: readonly SamplingPartView[], edited: readonly EditedView[]): string {
  const texts = parts.flatMap((part) => {
    switch (part.kind) {
      case 'text': {
        const { shown, notes } = edited.find(({ at }) => at === part.text.at) ?? part.text;
        return [indented(plain(shown.text)), ...notes];
      }
      case 'image':
        return [part.words];
      case 'data':
        return [`${plain(part.title)}:`, indented(plain(part.text.text))];
    }
  });
  return [`${title}:`, ...texts].join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

function stateView(review: SamplingReview, obstacle: string | undefined): SamplingStateView {
  const { state } = review;
  switch (state.kind) {
    case 'request': {
      const { problem } = state;
      return {
        kind: 'request',
        ...(problem !== undefined && problem !== obstacle && { problem: visibleParts(problem) }),
      };
    }
    case 'generating':
      return { kind: 'generating', text: streamedText(state.text) };
    case 'answer':
      return { kind: 'answer', answer: answerView(review, state.answer, state.isStopped) };
    case 'ended': {
      const { why, answer } = state;
      return {
        kind: 'ended',
        why: visibleParts(why),
        ...(answer && { answer: answerView(review, answer, false) }),
      };
    }
    case 'done':
      return { kind: 'ended', why: [] };
  }
}

/** The text of a model so far, as the panel shows it. */
export function streamedText(text: string): PanelText {
  return proseText(text).text;
}

function answerView(
  { answerId, answerEdits, subject }: SamplingReview,
  answer: GeneratedAnswer,
  isStopped: boolean,
): AnswerView {
  return {
    id: answerId,
    title: visibleParts(`Answer from ${answer.model}`),
    parts: partViews(answer.parts, { name: 'the answer', prefix: '' }),
    notes: stopTexts(answer, subject.request, isStopped),
    edited: answerEdits.map(editedView),
  };
}

/** If there is an answer, the obstacle only concerns asking for another one. */
function obstacleText({ state }: SamplingReview, obstacle: string): string {
  return state.kind === 'answer' ? `The request can't be sent again. ${obstacle}` : obstacle;
}

function obstacleOf({ models, estimate, draft }: SamplingReview): string | undefined {
  if (models.length === 0) {
    return 'No language model is available.';
  }
  return models.some(({ id }) => id === draft.modelId)
    ? estimate?.problem
    : 'The selected model is no longer available. Select another one.';
}

/** Names of models; models of the same name have the vendor with it, and then the id. */
function modelViews(models: readonly LanguageModel[]): SamplingNow['models'] {
  const label = ({ id, name, vendor }: LanguageModel): string => {
    const alike = models.filter((other) => other.name === name);
    const isOnlyOfVendor = alike.filter((other) => other.vendor === vendor).length === 1;
    return alike.length === 1 ? name : `${name} (${isOnlyOfVendor ? vendor : `${vendor}, ${id}`})`;
  };
  return models.map((model) => ({ id: model.id, label: visibleText(label(model)) }));
}
