import type { QuestionView, ToPanel } from '../host/approval/reviewProtocol.ts';
import { element, shownText } from './elements.ts';
import type { CardPort } from './card.ts';
import { callCard } from './callCard.ts';
import { launchCard } from './launchCard.ts';
import { rootsCard } from './rootsCard.ts';

/** Everything that waits, a card each. A card that stays is not touched when others come and go. */
export class QuestionList {
  readonly #port: CardPort;
  readonly #heading = element('h1', { tabindex: '-1' });
  readonly #cards = element('div', { class: 'cards' });
  readonly #status = element('p', { class: 'status', role: 'status' });
  readonly #shown = new Map<string, HTMLElement>();
  #isFirst = true;

  constructor(parent: HTMLElement, port: CardPort) {
    this.#port = port;
    parent.append(element('main', {}, this.#heading, this.#status, this.#cards));
  }

  /** Makes the cards what is waiting now; true when one came or went, so that others may have moved. */
  show({ questions, status, focus }: ToPanel): boolean {
    this.#heading.textContent = titleOf(questions.length);
    if (status !== '') {
      this.#status.textContent = status;
    }
    const lost = this.#removeOthers(questions);
    const added = questions.filter(({ id }) => !this.#shown.has(id));
    added.forEach((question) => this.#shown.set(question.id, this.#cardOf(question)));
    // Appending moves what is there already; only a new order asks for that.
    const cards = questions.flatMap(({ id }) => this.#shown.get(id) ?? []);
    cards.forEach((card, index) => {
      if (this.#cards.children[index] !== card) {
        this.#cards.insertBefore(card, this.#cards.children[index] ?? null);
      }
    });
    const target = focus ?? (lost.hadFocus || this.#isFirst ? questions[lost.index]?.id : undefined);
    if (target !== undefined || lost.hadFocus) {
      this.#focus(target);
    }
    this.#isFirst = false;
    return lost.count > 0 || added.length > 0;
  }

  #removeOthers(questions: readonly QuestionView[]): { count: number; hadFocus: boolean; index: number } {
    const lost = { count: 0, hadFocus: false, index: 0 };
    [...this.#shown].forEach(([id, card], position) => {
      if (questions.some((question) => question.id === id)) {
        return;
      }
      if (card.contains(document.activeElement)) {
        lost.hadFocus = true;
        // What follows moves up into its place; after the last one comes the one before.
        lost.index = Math.max(0, Math.min(position - lost.count, questions.length - 1));
      }
      lost.count += 1;
      this.#shown.delete(id);
      card.remove();
    });
    return lost;
  }

  /** Never to a button: a stray Enter must not answer what was not read. */
  #focus(id: string | undefined): void {
    const heading = (id !== undefined && this.#shown.get(id)?.querySelector('h2')) || this.#heading;
    heading.focus({ preventScroll: true });
    // The first one together with the words above it.
    const isFirst = this.#cards.querySelector('h2') === heading;
    (isFirst ? this.#heading : heading).scrollIntoView({ block: 'start' });
  }

  #cardOf(question: QuestionView): HTMLElement {
    const title = `title-${question.id}`;
    return element(
      'section',
      { 'aria-labelledby': title, class: 'card' },
      element('h2', { id: title, tabindex: '-1' }, ...shownText(question.title)),
      ...contentOf(question, this.#port),
    );
  }
}

function contentOf(question: QuestionView, port: CardPort): readonly Node[] {
  switch (question.kind) {
    case 'launch':
      return launchCard(question, port);
    case 'roots':
      return rootsCard(question, port);
    case 'call':
      return callCard(question, port);
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
