import type { QuestionView, ShowMessage, ToPanel } from '../host/approval/reviewProtocol.ts';
import type { SamplingNow } from '../host/approval/samplingProtocol.ts';
import { element, shownText } from './elements.ts';
import type { CardPort } from './card.ts';
import { callCard } from './callCard.ts';
import { launchCard } from './launchCard.ts';
import { rootsCard } from './rootsCard.ts';
import { SamplingCard } from './samplingCard.ts';

/** Everything that waits, a card each. A card that stays is not touched when others come and go. */
export class QuestionList {
  readonly #port: CardPort;
  readonly #heading = element('h1', { tabindex: '-1' });
  readonly #cards = element('div', { class: 'cards' });
  readonly #status = element('p', { class: 'status', role: 'status' });
  readonly #shown = new Map<string, HTMLElement>();
  /** Those of them that change while they are shown. */
  readonly #samplings = new Map<string, SamplingCard>();
  #isFirst = true;

  constructor(parent: HTMLElement, port: CardPort) {
    this.#port = port;
    parent.append(element('main', {}, this.#heading, this.#status, this.#cards));
  }

  /** Takes what the extension says; true when something in the page may have moved. */
  take(message: ToPanel): boolean {
    switch (message.type) {
      case 'show':
        return this.#show(message);
      case 'now':
        this.#say(message.status);
        return this.#update(message.id, message.now);
      case 'progress':
        this.#samplings.get(message.id)?.progress(message.phase, message.text);
        return false;
    }
  }

  /** Makes the cards what is waiting now; true when one came or went, so that others may have moved. */
  #show({ questions, status, focus }: ShowMessage): boolean {
    this.#heading.textContent = titleOf(questions.filter(isWaiting).length);
    this.#say(status);
    const moved = questions.filter((one) => one.kind === 'sampling' && this.#update(one.id, one.now)).length;
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
    return lost.count > 0 || added.length > 0 || moved > 0;
  }

  #say(status: string): void {
    if (status !== '') {
      this.#status.textContent = status;
    }
  }

  /** What was pressed goes when the state is another; what the person writes stays, and keeps the focus. */
  #update(id: string, now: SamplingNow): boolean {
    const had = this.#shown.get(id)?.contains(document.activeElement) === true;
    const change = this.#samplings.get(id)?.update(now);
    if (had && change === 'phase' && !(document.activeElement instanceof HTMLTextAreaElement)) {
      this.#focus(id);
    }
    return change !== undefined;
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
      this.#samplings.get(id)?.end();
      this.#samplings.delete(id);
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
      ...this.#contentOf(question),
    );
  }

  #contentOf(question: QuestionView): readonly Node[] {
    switch (question.kind) {
      case 'launch':
        return launchCard(question, this.#port);
      case 'roots':
        return rootsCard(question, this.#port);
      case 'call':
        return callCard(question, this.#port);
      case 'sampling': {
        const card = new SamplingCard(question, this.#port);
        this.#samplings.set(question.id, card);
        return card.nodes;
      }
    }
  }
}

/** What has ended stays to be read, and waits for nobody. */
function isWaiting(question: QuestionView): boolean {
  return question.kind !== 'sampling' || question.now.state.kind !== 'ended';
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
