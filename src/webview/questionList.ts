import { html, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { CardContent, CardPort, Change } from './card.ts';
import { announce } from './elements.ts';
import { questionCard, type QuestionCard } from './questionCard.ts';
import { Selection } from './selection.ts';
import type { QuestionView } from '../host/questions/question.ts';
import type { ShowMessage, ToPanel, UpdateMessage } from '../host/questions/reviewProtocol.ts';

/** What the panel keeps under this name while it is out of sight: the ids of the questions that are open. */
const OPEN = 'open';

/**
 * Everything that waits, a card each. Of several the first is open, and launches can be allowed together. A card that
 * stays is not touched when others come and go.
 */
export class QuestionList {
  readonly #port: CardPort & { isSharingKnown: boolean };
  readonly #contentOf: (question: QuestionView, port: CardPort) => CardContent;
  readonly #parent: HTMLElement;
  #cards: ReadonlyMap<string, QuestionCard> = new Map();
  /** The questions that still wait. */
  #waiting: readonly QuestionView[] = [];
  #isFirst = true;

  /** `contentOf` makes the content of a question's card. */
  constructor(
    parent: HTMLElement,
    port: Omit<CardPort, 'refresh' | 'isSharingKnown'>,
    contentOf: (question: QuestionView, port: CardPort) => CardContent,
  ) {
    this.#parent = parent;
    this.#contentOf = contentOf;
    this.#port = {
      ...port,
      keep: (id, chosen) => {
        port.keep(id, chosen);
        this.#render();
      },
      refresh: () => this.#render(),
      isSharingKnown: false,
    };
  }

  /** Takes what the extension says; true when something in the page may have moved. */
  take(message: ToPanel): boolean {
    const hasMoved = message.type === 'show' ? this.#show(message) : this.#update(message);
    if (message.status !== '') {
      announce(message.status);
    }
    return hasMoved;
  }

  #update({ id, update }: UpdateMessage): boolean {
    const hasMoved = this.#change(id, (content) => content.take?.(update));
    this.#render();
    return hasMoved;
  }

  /** Makes the cards what is waiting now; true when one came or went, so that others may have moved. */
  #show({ questions, focus, keepsFocus = false, isSharingKnown }: ShowMessage): boolean {
    this.#port.isSharingKnown = isSharingKnown;
    const before = this.#cards;
    const moved = questions.filter((one) => this.#change(one.id, (content) => content.renew?.(one))).length;
    const added = questions.filter(({ id }) => !before.has(id));
    const lost = this.#lost(questions, added.filter(({ isRenewed }) => isRenewed).length);
    this.#cards = new Map(questions.map((one) => [one.id, before.get(one.id) ?? this.#cardOf(one)]));
    this.#waiting = questions.flatMap(({ id, isOver }) =>
      isOver === true ? [] : (this.#cards.get(id)?.question ?? []),
    );
    this.#fold(added, this.#isFirst || lost.count > 0);
    this.#render();
    const target = focus ?? (lost.hadFocus || this.#isFirst ? questions[lost.index]?.id : undefined);
    if (target !== undefined || lost.hadFocus) {
      this.#focus(target, keepsFocus);
    }
    this.#isFirst = false;
    return lost.count > 0 || added.length > 0 || moved > 0;
  }

  #render(): void {
    const isFoldable = this.#cards.size > 1;
    const selection = new Selection(this.#waiting, this.#port);
    const heading = document.activeElement?.closest('h2');
    const cards = repeat(
      this.#cards,
      ([id]) => id,
      ([, card]) => questionCard(card, isFoldable, selection.box(card.question), () => this.#toggle(card)),
    );
    render(
      html`<main class=${isFoldable ? 'many' : ''}>
        <h1 tabindex="-1">${titleOf(this.#waiting.length)}</h1>
        <p class="status" role="status"></p>
        ${selection.all()}
        <div class="cards">${cards}</div>
        ${selection.footer()}
      </main>`,
      this.#parent,
    );
    if (heading?.isConnected === true && document.activeElement === document.body) {
      heading.focus(); // the button in it is gone
    }
  }

  /** Of several one is open, and those that you have opened; a single one cannot be closed. */
  #fold(added: readonly QuestionView[], isOneOpen: boolean): void {
    const kept = this.#port.chosen(OPEN) ?? [];
    const cards = [...this.#cards.values()];
    for (const card of cards) {
      const isNew = added.some(({ id }) => id === card.question.id);
      card.isOpen = cards.length === 1 || (isNew ? kept.includes(card.question.id) : card.isOpen);
    }
    const [first] = cards;
    if (first && isOneOpen && !cards.some(({ isOpen }) => isOpen)) {
      first.isOpen = true;
    }
  }

  #toggle(card: QuestionCard): void {
    card.isOpen = !card.isOpen;
    this.#keepOpen();
    this.#port.moved();
  }

  /** What you pressed is gone at another step; what you write stays, and keeps the focus. */
  #change(id: string, make: (content: CardContent) => Change): boolean {
    const card = this.#cards.get(id);
    if (!card) {
      return false;
    }
    const had = this.#nodeOf(id)?.contains(document.activeElement) === true;
    const change = make(card.content);
    if (change === 'step') {
      this.#render();
      if (had && !(document.activeElement instanceof HTMLTextAreaElement)) {
        this.#focus(id);
      }
    }
    return change !== undefined;
  }

  /** What is lost with the cards of other questions, of which so many are replaced: another card is in the same place. */
  #lost(
    questions: readonly QuestionView[],
    replaced: number,
  ): { count: number; hadFocus: boolean; index: number } {
    const lost = { count: 0, hadFocus: false, index: 0 };
    [...this.#cards].forEach(([id, { content }], position) => {
      if (questions.some((question) => question.id === id)) {
        return;
      }
      if (this.#nodeOf(id)?.contains(document.activeElement) === true) {
        lost.hadFocus = true;
        // What follows moves up into its place; after the last one comes the one before.
        const movedUp = Math.max(0, lost.count - replaced);
        lost.index = Math.max(0, Math.min(position - movedUp, questions.length - 1));
      }
      lost.count += 1;
      content.end?.();
    });
    return lost;
  }

  /** Opens a question and goes to it; without one, to the top. The focus stays elsewhere in the editor if it is kept. */
  #focus(id: string | undefined, keepsFocus = false): void {
    const card = id === undefined ? undefined : this.#cards.get(id);
    if (card) {
      card.isOpen = true;
    }
    this.#keepOpen();
    const heading = card && this.#nodeOf(card.question.id)?.querySelector('h2');
    this.#goTo(heading ?? this.#heading, keepsFocus);
  }

  /** Never on a button: a stray Enter must not answer what was not read. */
  #goTo(heading: HTMLElement, keepsFocus: boolean): void {
    if (!keepsFocus) {
      heading.focus({ preventScroll: true });
    }
    // The first one together with the words above it.
    const isFirst = this.#parent.querySelector('section h2') === heading;
    (isFirst ? this.#heading : heading).scrollIntoView({ block: 'start' });
  }

  get #heading(): HTMLElement {
    return this.#parent.querySelector('h1') ?? this.#parent;
  }

  #nodeOf(id: string): Element | null | undefined {
    return document.getElementById(`content-${id}`)?.closest('section');
  }

  /** Keeps which are open, and shows it. */
  #keepOpen(): void {
    const open = [...this.#cards].filter(([, { isOpen }]) => isOpen);
    this.#port.keep(
      OPEN,
      open.map(([id]) => id),
    );
  }

  #cardOf(question: QuestionView): QuestionCard {
    return { question, content: this.#contentOf(question, this.#port), isOpen: true };
  }
}

function titleOf(waiting: number): string {
  switch (waiting) {
    case 0:
      return 'Nothing is waiting for you.';
    case 1:
      return 'One question is waiting for you';
    default:
      return `${waiting} questions are waiting for you`;
  }
}
