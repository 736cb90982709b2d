import { randomUUID } from 'node:crypto';
import { isTexts } from '../../base/values/record.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { CardsPort, LiveCards } from '../questions/liveCards.ts';
import { isAbout, serversOf, type Question, type QuestionView } from '../questions/question.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import {
  readFromPanel,
  type AllowSelectedMessage,
  type FromPanel,
  type ToPanel,
} from '../questions/reviewProtocol.ts';
import { allowedText, changedText, withdrawnText } from './questionWords.ts';
import { PageSession, type PagePort, type ReadyMessage } from './pageSession.ts';

/** Where a session is shown, and what it cannot do itself. */
export interface ReviewSurface extends PagePort<ToPanel> {
  /** The name of the file that a definition is in. */
  placeOf(definition: ServerDefinition): string;
  openDefinition(definition: ServerDefinition): void;
  /** Copies a text to the clipboard. */
  copy(text: string): void;
  /** Whether you have answered with folders before, and so read what sharing them means. */
  isSharingKnown: boolean;
  /** You have answered the last question, and closed the last card. */
  finished(): void;
}

/** What the panel wants done. */
type Act = Exclude<FromPanel, ReadyMessage>;

/** Questions up to which each change is shown at once. */
const FEW = 20;
/** Milliseconds for which changes of more are gathered. */
const GATHER_MS = 250;

/**
 * One review panel's side in the host: what it shows, and what its messages mean. An answer counts only for
 * the very question that was shown under its id, and only while that question waits.
 */
export class ReviewSession extends PageSession<ToPanel, Act> {
  readonly #queue: QuestionQueue;
  readonly #surface: ReviewSurface;
  readonly #cards: LiveCards;
  readonly #ids = new Map<Question, string>();
  /** What was asked here and withdrawn, of which server: the next such question is another. */
  readonly #withdrawn = new Set<string>();
  readonly #renewed = new Set<Question>();
  #shown: readonly Question[] = [];
  #status = '';
  #focus: ServerId | Question | undefined;
  #keepsFocus = false;
  #later: NodeJS.Timeout | undefined;

  constructor(
    queue: QuestionQueue,
    surface: ReviewSurface,
    cardsIn: (port: CardsPort) => LiveCards,
    readyMs?: number,
  ) {
    super(surface, readyMs);
    this.#queue = queue;
    this.#surface = surface;
    this.#cards = this.store.add(
      cardsIn({
        post: (message) => this.post(message),
        copy: (text) => surface.copy(text),
        idOf: (one) => (this.isReady && this.#shown.includes(one) ? this.#ids.get(one) : undefined),
        closed: (question, words) => this.#closed(question, words),
      }),
    );
    this.#cards.sync(queue.questions, []);
    this.store.add(queue.onDidChange(() => this.#changed()));
  }

  /** True when nothing waits, and no card stays. */
  get isEmpty(): boolean {
    return this.#queue.questions.length === 0 && this.#cards.kept.length === 0;
  }

  override hidden(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    super.hidden();
  }

  /** Goes to a question, or to the one about a server; without either, to the first that waits. The page takes the focus, unless `keepsFocus`. */
  goTo(wanted: ServerId | Question | undefined, keepsFocus = false): void {
    this.#keepsFocus = keepsFocus;
    this.#focus = wanted ?? this.#all.find((one) => this.#queue.questions.includes(one));
    this.#update();
  }

  /** Shows the card of a question that no longer waits, and goes to it. */
  goToMissed(question: Question): void {
    this.#cards.keep(question);
    this.#focus = question;
    this.#update();
  }

  protected override read(received: unknown): FromPanel | undefined {
    return readFromPanel(received);
  }

  /** What is about a question that no longer waits is ignored. */
  protected override take(message: Act): void {
    if (message.type === 'allowSelected') {
      this.#allowSelected(message);
      return;
    }
    const question = this.#shownAs(message.id);
    if (!question) {
      return;
    }
    if (message.type === 'openDefinition') {
      serversOf(question)
        .slice(0, 1)
        .forEach(({ definition }) => this.#surface.openDefinition(definition));
    } else if (message.type === 'act') {
      this.#cards.act(question, message);
    } else {
      const answer = question.kind.readAnswer(question, message);
      if (answer !== undefined) {
        this.#noteSharing(message['roots']);
        this.#answer(question, answer);
      }
    }
  }

  /** Everything that has a card, each in the place that it, or the version before it, has already. */
  get #all(): readonly Question[] {
    const all = [...this.#queue.questions, ...this.#cards.kept];
    const versions = new Map(all.flatMap((one) => keysOf(one).map((key) => [key, one] as const)));
    const placed = this.#shown.flatMap((one) =>
      all.includes(one) ? one : keysOf(one).flatMap((key) => versions.get(key) ?? []),
    );
    return [...new Set([...placed, ...all])];
  }

  #shownAs(id: string): Question | undefined {
    return this.#all.find((one) => this.#ids.get(one) === id);
  }

  #answer(question: Question, answer: unknown): void {
    this.#ids.delete(question);
    this.#settle(question.kind.answered(question, answer), this.#queue.questions.length - 1);
    this.#queue.answer(question, answer);
    this.#finish();
  }

  /** Allows the questions that wait as their rows have shown them; the others go on waiting. */
  #allowSelected({ questions: selected }: AllowSelectedMessage): void {
    const allowed = selected.flatMap((given) => {
      const question = this.#shownAs(given.id);
      const answer = question?.kind.readUnopened?.(question, given, this.#renewed.has(question));
      return question && answer !== undefined ? [{ question, answer }] : [];
    });
    if (allowed.length === 0) {
      return;
    }
    const questions = allowed.map(({ question }) => question);
    questions.forEach((question) => this.#ids.delete(question));
    this.#settle(allowedText(questions), this.#queue.questions.length - allowed.length);
    this.#queue.inOneChange(() =>
      allowed.forEach(({ question, answer }) => this.#queue.answer(question, answer)),
    );
    this.#finish();
  }

  #noteSharing(roots: unknown): void {
    if (isTexts(roots) && roots.length > 0 && !this.#surface.isSharingKnown) {
      this.#surface.isSharingKnown = true;
    }
  }

  /** Says what happened to a question, or to several, and how many are left: no total, because questions come and go. */
  #settle(words: string, left: number): void {
    this.#status = left === 0 ? words : `${words} ${left} left.`;
  }

  #finish(): void {
    if (this.isEmpty) {
      this.#surface.finished();
    }
  }

  #closed(question: Question, words: string): void {
    this.#ids.delete(question);
    this.#status = words;
    this.#update();
    this.#finish();
  }

  #changed(): void {
    const waiting = this.#queue.questions;
    this.#cards.sync(waiting, this.#shown);
    const staying = [...waiting, ...this.#cards.kept];
    // What was answered no longer has an id.
    const gone = this.#shown.filter((one) => !staying.includes(one) && this.#ids.delete(one));
    gone.flatMap(keysOf).forEach((key) => this.#withdrawn.add(key));
    // All of them: a question about several servers is renewed once.
    const renewed = waiting.filter(
      (one) => keysOf(one).filter((key) => this.#withdrawn.delete(key)).length > 0,
    );
    renewed.forEach((one) => this.#renewed.add(one));
    const isDone = this.#sayWithdrawn(gone);
    if (renewed.length > 0) {
      this.#status = changedText(renewed);
    }
    this.#update();
    if (isDone) {
      this.#finish();
    }
  }

  /** Says why questions are gone; true when you have answered one by an act. */
  #sayWithdrawn(gone: readonly Question[]): boolean {
    const ends = gone.flatMap((question) => question.kind.withdrawn?.(question) ?? []);
    const answered = ends.find(({ isAnswered }) => isAnswered);
    if (answered) {
      this.#settle(answered.words, this.#queue.questions.length);
    } else if (gone.length > 0) {
      this.#status = gone.length === 1 && ends[0] ? ends[0].words : withdrawnText(gone);
    }
    return answered !== undefined;
  }

  /** Shows what waits; of many questions that come or go one after the other, what is left of them in the end. */
  #update(): void {
    if (this.#all.length > FEW) {
      this.#later ??= setTimeout(() => this.show(), GATHER_MS);
    } else {
      this.show();
    }
  }

  protected override show(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    if (!this.isReady) {
      return;
    }
    this.#shown = this.#all;
    const wanted = this.#focus;
    const focus = this.#shown.find((one) =>
      typeof wanted === 'string' ? isAbout(one, wanted) : one === wanted,
    );
    this.#focus = undefined;
    this.post({
      type: 'show',
      questions: this.#shown.map((question) => this.#viewOf(question)),
      status: this.#status,
      isSharingKnown: this.#surface.isSharingKnown,
      ...(focus && { focus: this.#idOf(focus) }),
      ...(this.#keepsFocus && { keepsFocus: true }),
    });
    this.#keepsFocus = false;
    this.#status = '';
  }

  #viewOf(question: Question): QuestionView {
    const context = {
      id: this.#idOf(question),
      placeOf: (definition: ServerDefinition) => this.#surface.placeOf(definition),
      isRenewed: this.#renewed.has(question),
    };
    return this.#cards.view(question, context) ?? question.kind.view(question, context);
  }

  #idOf(question: Question): string {
    const id = this.#ids.get(question) ?? randomUUID();
    this.#ids.set(question, id);
    return id;
  }
}

/** Two questions with a key in common are versions of one. */
function keysOf(question: Question): readonly string[] {
  const { kind } = question;
  return kind.changed ? serversOf(question).map(({ definition }) => `${kind.name} ${definition.id}`) : []; // each is one of its own
}
