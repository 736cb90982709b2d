import type { QuestionView, ShowMessage, ToPanel } from '../host/questions/reviewProtocol.ts';
import type { SamplingNow } from '../host/sampling/samplingProtocol.ts';
import { element } from './elements.ts';
import type { CardPort } from './card.ts';
import { callCard } from './callCard.ts';
import { launchCard } from './launchCard.ts';
import { Overview } from './overview.ts';
import { QuestionCard } from './questionCard.ts';
import { rootsCard } from './rootsCard.ts';
import { SamplingCard } from './samplingCard.ts';

/** What the panel keeps under this name while it is out of sight: the ids of the questions that are open. */
const OPEN = 'open';

/**
 * Everything that waits, a card each, and before them an overview of several launches. A card that stays is not touched
 * when others come and go.
 */
export class QuestionList {
  readonly #port: CardPort;
  readonly #main: HTMLElement;
  readonly #heading = element('h1', { tabindex: '-1' });
  readonly #cards = element('div', { class: 'cards' });
  readonly #status = element('p', { class: 'status', role: 'status' });
  readonly #overview: Overview;
  readonly #shown = new Map<string, QuestionCard>();
  /** Those of them that change while they are shown. */
  readonly #samplings = new Map<string, SamplingCard>();
  #isFirst = true;

  constructor(parent: HTMLElement, port: CardPort) {
    this.#port = {
      ...port,
      keep: (id, chosen) => {
        port.keep(id, chosen);
        this.#overview.foldersChanged(id);
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
  #show({ questions, status, meaning, focus, isFromTop }: ShowMessage): boolean {
    const waiting = questions.filter(isWaiting);
    this.#heading.textContent = titleOf(waiting.length);
    this.#say(status);
    const moved = questions.filter((one) => one.kind === 'sampling' && this.#update(one.id, one.now)).length;
    const wasInOverview = this.#overview.node.contains(document.activeElement);
    this.#overview.show(waiting, meaning);
    const lost = this.#removeOthers(questions);
    const added = questions.filter(({ id }) => !this.#shown.has(id));
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

  /** What was pressed goes when the state is another; what the person writes stays, and keeps the focus. */
  #update(id: string, now: SamplingNow): boolean {
    const had = this.#shown.get(id)?.node.contains(document.activeElement) === true;
    const change = this.#samplings.get(id)?.update(now);
    this.#shown.get(id)?.setTitle(now.title);
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
      if (card.node.contains(document.activeElement)) {
        lost.hadFocus = true;
        // What follows moves up into its place; after the last one comes the one before.
        lost.index = Math.max(0, Math.min(position - lost.count, questions.length - 1));
      }
      lost.count += 1;
      this.#shown.delete(id);
      this.#samplings.get(id)?.end();
      this.#samplings.delete(id);
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
    return new QuestionCard(question, this.#contentOf(question), () => {
      this.#keepOpen();
      this.#port.moved();
    });
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

/** Whether the focus is on something in it that can be used. */
function isInUse(node: HTMLElement): boolean {
  const focused = document.activeElement;
  return node.contains(focused) && !node.hidden && focused?.hasAttribute('disabled') !== true;
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
