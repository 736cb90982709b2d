import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import type { CardsPort, LiveCards } from '../../questions/liveCards.ts';
import type { UnknownRecord } from '../../../base/values/record.ts';
import type { Question, ViewContext } from '../../questions/question.ts';
import type { MissedRequests } from './missedRequests.ts';
import { choicesOf } from './reviewChoices.ts';
import { samplingContent, type SamplingContent } from './samplingContent.ts';
import type { SamplingDrafts } from './samplingDrafts.ts';
import { readAct, type SamplingAct, type SamplingUpdate, type SamplingView } from './samplingProtocol.ts';
import { isSamplingQuestion } from './samplingQuestion.ts';
import { isOtherPhase, type SamplingQuestion, type SamplingState } from './samplingReview.ts';
import { samplingNow, samplingView, streamedText, type SamplingMoment } from './samplingView.ts';
import { phaseText } from './samplingWords.ts';

interface Card {
  readonly question: SamplingQuestion;
  readonly listening: Disposable;
  phase: number;
  state: SamplingState;
  content?: SamplingContent;
}

/** What the cards need besides the queue. What outlives the panel is passed in. */
export interface SamplingTools {
  readonly drafts: SamplingDrafts;
  /** Requests that have ended, and whose cards can still be opened. */
  readonly missed: Pick<MissedRequests, 'drop'>;
  readonly now: () => number;
}

/** The cards of requests for a model in one panel: the state of each, and which stay after their requests have ended. */
export class SamplingCards implements LiveCards {
  readonly #port: CardsPort;
  readonly #tools: SamplingTools;
  readonly #cards = new Map<Question, Card>();
  readonly #kept = new Set<SamplingQuestion>();

  constructor(tools: SamplingTools, port: CardsPort) {
    this.#tools = tools;
    this.#port = port;
  }

  dispose(): void {
    [...this.#cards.values()].forEach(({ question }) => this.#close(question));
  }

  /** Cards of ended requests that you have not closed yet, the oldest first. */
  get kept(): readonly SamplingQuestion[] {
    return [...this.#kept];
  }

  /** Follows what waits now. A card that was shown stays if its request has ended. */
  sync(waiting: readonly Question[], shown: readonly Question[]): void {
    for (const question of waiting) {
      if (isSamplingQuestion(question) && !this.#cards.has(question)) {
        this.#open(question);
      }
    }
    for (const { question, state } of this.#cards.values()) {
      if (!waiting.includes(question) && !this.#kept.has(question)) {
        if (state.kind === 'ended' && shown.includes(question)) {
          this.#kept.add(question);
        } else {
          this.#close(question);
        }
      }
    }
  }

  /** Shows the card of a request that has ended. */
  keep(question: SamplingQuestion): void {
    if (!this.#cards.has(question)) {
      this.#open(question);
    }
    this.#kept.add(question);
  }

  /** Does nothing for an act of an earlier state, except that your edits of the request are always kept. */
  act(question: Question, given: UnknownRecord): void {
    const card = this.#cards.get(question);
    const message = readAct(given);
    if (!card || !message || (message.phase !== card.phase && message.act !== 'draft')) {
      return;
    }
    const { review } = card.question;
    const { drafts } = this.#tools;
    switch (message.act) {
      case 'draft':
        if (drafts.setRequest(review, message.draft)) {
          review.setDraft(message.draft);
        }
        return this.#showNow(card.question, '');
      case 'draftAnswer':
        drafts.setAnswer(review, message.edits);
        return this.#showNow(card.question, '');
      case 'choose':
        return this.#choose(card.question, message);
    }
  }

  /** The card as it is now. */
  view(question: Question, context: ViewContext): SamplingView | undefined {
    return isSamplingQuestion(question)
      ? samplingView(question, context, this.#momentOf(question))
      : undefined;
  }

  #choose(question: SamplingQuestion, { choice: id, draft, edits }: SamplingAct & { act: 'choose' }): void {
    const { review } = question;
    const { drafts } = this.#tools;
    const [choice] = choicesOf(review).find(([offered]) => offered.id === id) ?? [];
    const isValid =
      (draft === undefined || drafts.setRequest(review, draft)) &&
      (edits === undefined || drafts.setAnswer(review, edits));
    if (isValid) {
      choice?.choose(review, {
        draft: draft ?? review.draft,
        edits: edits ?? [],
        card: {
          copy: () => {
            this.#port.copy(drafts.textOf(review));
            this.#showNow(question, 'Copied.');
          },
          close: (words) => this.#done(question, words),
        },
      });
    }
  }

  /** The state of a card at this moment. */
  #momentOf(question: SamplingQuestion): SamplingMoment {
    const card = this.#cards.get(question) ?? this.#open(question);
    card.content ??= samplingContent(question.review.subject.request);
    const { drafts, now } = this.#tools;
    return { phase: card.phase, now: now(), drafts, content: card.content };
  }

  /** Closes a card that has stayed. */
  #done(question: SamplingQuestion, words: string): void {
    if (this.#kept.has(question)) {
      this.#tools.missed.drop(question);
      this.#close(question);
      this.#port.closed(question, words);
    }
  }

  #close(question: SamplingQuestion): void {
    this.#cards.get(question)?.listening.dispose();
    this.#cards.delete(question);
    this.#kept.delete(question);
  }

  #open(question: SamplingQuestion): Card {
    const listening = question.review.onDidChange(() => this.#reviewChanged(card));
    const card: Card = { question, listening, phase: 0, state: question.review.state };
    this.#cards.set(question, card);
    return card;
  }

  #reviewChanged(card: Card): void {
    const { question, state: before } = card;
    const { state } = question.review;
    card.state = state;
    if (state.kind === 'done') {
      return; // the question is withdrawn next
    }
    if (isOtherPhase(before, state)) {
      card.phase += 1;
      this.#showNow(question, phaseText(visibleText(question.server.label), question.review));
    } else if (state.kind === 'generating' && before !== state) {
      const { phase } = card;
      this.#post(question, () => ({ kind: 'progress', phase, text: streamedText(state.text) }), '');
    } else {
      this.#showNow(question, '');
    }
  }

  #showNow(question: SamplingQuestion, status: string): void {
    this.#post(
      question,
      () => ({ kind: 'now', now: samplingNow(question, this.#momentOf(question)) }),
      status,
    );
  }

  #post(question: SamplingQuestion, update: () => SamplingUpdate, status: string): void {
    const id = this.#port.idOf(question);
    if (id !== undefined) {
      this.#port.post({ type: 'update', id, update: update(), status });
    }
  }
}
