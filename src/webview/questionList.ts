import { element } from './elements.ts';
import type { CardContent, CardPort, Change, LiveContent } from './card.ts';
import { Overview } from './overview.ts';
import { QuestionCard } from './questionCard.ts';
import type { QuestionView } from '../host/questions/question.ts';
import type { ShowMessage, ToPanel } from '../host/questions/reviewProtocol.ts';

/** What the panel keeps under this name while it is out of sight: the ids of the questions that are open. */
const OPEN = 'open';

/**
 * Everything that waits, a card each, and before them an overview of several launches. A card that stays is not touched
 * when others come and go.
 */
export class QuestionList {
  readonly #port: CardPort;
  readonly #contentOf: (question: QuestionView, port: CardPort) => CardContent;
  readonly #main: HTMLElement;
  readonly #heading = element('h1', { tabindex: '-1' });
  readonly #cards = element('div', { class: 'cards' });
  readonly #status = element('p', { class: 'status', role: 'status' });
  readonly #overview: Overview;
  readonly #shown = new Map<string, QuestionCard>();
  readonly #live = new Map<string, LiveContent>();
  #isFirst = true;

  /** `contentOf` makes the content of a question's card. */
  constructor(
    parent: HTMLElement,
    port: CardPort,
    contentOf: (question: QuestionView, port: CardPort) => CardContent,
  ) {
    this.#contentOf = contentOf;
    this.#port = {
      ...port,
      keep: (id, chosen) => {
        port.keep(id, chosen);
        this.#overview.choicesChanged();
      },
    };
    this.#overview = new Overview(this.#port, (id) => {
      this.#focus(id);
      port.moved();
    });
    this.#main = element('main', {}, this.#heading, this.#status, this.#overview.node, this.#cards);
    parent.append(this.#main);
  }

  /** Takes what the extension says; true when something in the page may have moved. */
  take(message: ToPanel): boolean {
    if (message.type === 'show') {
      return this.#show(message);
    }
    const { id, update, status } = message;
    this.#say(status);
    return this.#change(id, (content) => content.take(update));
  }

  /** Makes the cards what is waiting now; true when one came or went, so that others may have moved. */
  #show({ questions, status, meaning, focus, isFromTop }: ShowMessage): boolean {
    const waiting = questions.filter(({ isOver }) => isOver !== true);
    this.#heading.textContent = titleOf(waiting.length);
    this.#say(status);
    const moved = questions.filter((one) => this.#change(one.id, (content) => content.renew(one))).length;
    const wasInOverview = this.#overview.node.contains(document.activeElement);
    this.#overview.show(waiting, meaning);
    const added = questions.filter(({ id }) => !this.#shown.has(id));
    const lost = this.#removeOthers(questions, added.filter(({ isRenewed }) => isRenewed).length);
    added.forEach((question) => this.#shown.set(question.id, this.#cardOf(question)));
    // Appending moves what is there already; only a new order asks for that.
    const cards = questions.flatMap(({ id }) => this.#shown.get(id)?.node ?? []);
    cards.forEach((card, index) => {
      if (this.#cards.children[index] !== card) {
        this.#cards.insertBefore(card, this.#cards.children[index] ?? null);
      }
    });
    this.#fold(added, this.#isFirst || lost.count > 0);
    const isAtTop = isFromTop === true || (this.#isFirst && focus === undefined);
    const target = focus ?? (lost.hadFocus || this.#isFirst ? questions[lost.index]?.id : undefined);
    if (this.#overview.isShown && isAtTop) {
      this.#focusOn(this.#overview.heading);
    } else if (wasInOverview && !isInUse(this.#overview.node)) {
      if (this.#overview.isShown) {
        this.#focusOn(this.#overview.heading);
      } else {
        this.#focus(questions[0]?.id);
      }
    } else if (target !== undefined || lost.hadFocus) {
      this.#focus(target);
    }
    this.#isFirst = false;
    return lost.count > 0 || added.length > 0 || moved > 0;
  }

  /** Below an overview the cards are closed, but those that were open; without one they cannot be closed. */
  #fold(added: readonly QuestionView[], isOneOpen: boolean): void {
    const isFoldable = this.#overview.isShown;
    this.#main.classList.toggle('many', isFoldable);
    const kept = this.#port.chosen(OPEN) ?? [];
    for (const [id, card] of this.#shown) {
      const isNew = isFoldable && added.some((one) => one.id === id);
      card.setFoldable(isFoldable);
      card.setOpen(isNew ? kept.includes(id) : card.isOpen);
    }
    const cards = [...this.#shown.values()];
    if (isOneOpen && !cards.some(({ isOpen }) => isOpen)) {
      cards[0]?.setOpen(true);
    }
  }

  #say(status: string): void {
    if (status !== '') {
      this.#status.textContent = status;
    }
  }

  /** What you pressed is gone at another step; what you write stays, and keeps the focus. */
  #change(id: string, make: (content: LiveContent) => Change): boolean {
    const card = this.#shown.get(id);
    const content = this.#live.get(id);
    if (!card || !content) {
      return false;
    }
    const had = card.node.contains(document.activeElement);
    const change = make(content);
    card.setTitle(content.title);
    if (had && change === 'step' && !(document.activeElement instanceof HTMLTextAreaElement)) {
      this.#focus(id);
    }
    return change !== undefined;
  }

  /** Removes the cards of other questions, of which so many are replaced: another card is in the same place. */
  #removeOthers(
    questions: readonly QuestionView[],
    replaced: number,
  ): { count: number; hadFocus: boolean; index: number } {
    const lost = { count: 0, hadFocus: false, index: 0 };
    [...this.#shown].forEach(([id, card], position) => {
      if (questions.some((question) => question.id === id)) {
        return;
      }
      if (card.node.contains(document.activeElement)) {
        lost.hadFocus = true;
        // What follows moves up into its place; after the last one comes the one before.
        const movedUp = Math.max(0, lost.count - replaced);
        lost.index = Math.max(0, Math.min(position - movedUp, questions.length - 1));
      }
      lost.count += 1;
      this.#shown.delete(id);
      this.#live.get(id)?.end();
      this.#live.delete(id);
      card.node.remove();
    });
    return lost;
  }

  /** Opens a question and goes to it; without one, to the top. */
  #focus(id: string | undefined): void {
    const card = id === undefined ? undefined : this.#shown.get(id);
    card?.setOpen(true);
    this.#keepOpen();
    this.#focusOn(card?.node.querySelector('h2') ?? this.#heading);
  }

  /** Never on a button: a stray Enter must not answer what was not read. */
  #focusOn(heading: HTMLElement): void {
    heading.focus({ preventScroll: true });
    // The first one together with the words above it.
    const isFirst = this.#main.querySelector('section:not([hidden]) h2') === heading;
    (isFirst ? this.#heading : heading).scrollIntoView({ block: 'start' });
  }

  #keepOpen(): void {
    const open = [...this.#shown].filter(([, { isOpen }]) => isOpen);
    this.#port.keep(
      OPEN,
      open.map(([id]) => id),
    );
  }

  #cardOf(question: QuestionView): QuestionCard {
    const content = this.#contentOf(question, this.#port);
    if ('nodes' in content) {
      this.#live.set(question.id, content);
    }
    return new QuestionCard(question, 'nodes' in content ? content.nodes : content, () => {
      this.#keepOpen();
      this.#port.moved();
    });
  }
}

/** Whether the focus is on something in it that can be used. */
function isInUse(node: HTMLElement): boolean {
  const focused = document.activeElement;
  return node.contains(focused) && !node.hidden && focused?.hasAttribute('disabled') !== true;
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
