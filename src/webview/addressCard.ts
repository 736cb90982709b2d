import type { AddressQuestionView, AddressUpdate, AddressView } from '../host/elicitation/addressQuestion.ts';
import type { AddressState } from '../host/elicitation/openAddresses.ts';
import { answerButton, note, placeLine, type CardPort, type Change, type LiveContent } from './card.ts';
import { element, hide, shownText } from './elements.ts';
import { foldedText } from './foldedText.ts';

/** Addresses that a server asks you to open. The page knows none of them as a link: it only says which one to open. */
export class AddressCard implements LiveContent {
  readonly nodes: readonly Node[];
  readonly title: AddressQuestionView['title'];
  readonly #addresses: readonly OneAddress[];

  constructor(view: AddressQuestionView, port: CardPort) {
    const { id, title, isFlagged } = view;
    this.title = title;
    this.#addresses = view.addresses.map((address, index) => new OneAddress(view, address, index, port));
    const refuse = (label: string, act: 'decline' | 'cancel' | 'never', isPrimary = false): HTMLElement =>
      answerButton(label, view, { isPrimary }, (click) => port.act({ type: 'act', id, act }, click));
    this.nodes = [
      placeLine(view.place, ...shownText(view.why), ' '),
      ...this.#addresses.flatMap(({ nodes }) => nodes),
      element(
        'div',
        { class: 'buttons' },
        refuse('Decline', 'decline', isFlagged),
        refuse('Cancel', 'cancel'),
        refuse('Never Ask', 'never'),
        answerButton('Open the Definition', view, {}, () => port.send({ type: 'openDefinition', id })),
      ),
      element('p', { class: 'hint' }, meaningOf(view)),
    ];
    this.#show(view.states);
  }

  renew({ states }: AddressQuestionView): Change {
    return this.#show(states);
  }

  take(update: unknown): Change {
    return this.#show((update as AddressUpdate).states);
  }

  end(): void {}

  #show(states: readonly AddressState[]): Change {
    const moved = this.#addresses.filter((address, index) => address.show(states[index] ?? 'asked'));
    return moved.length > 0 ? 'moved' : undefined;
  }
}

/** One address with what you can do with it. */
class OneAddress {
  readonly nodes: readonly Node[];
  readonly #view: AddressQuestionView;
  readonly #state: HTMLElement;
  readonly #open: ReturnType<typeof answerButton>;
  readonly #again: ReturnType<typeof answerButton>;
  readonly #done: ReturnType<typeof answerButton>;
  readonly #copy: ReturnType<typeof answerButton>;
  #shown: AddressState | undefined;

  constructor(view: AddressQuestionView, address: AddressView, index: number, port: CardPort) {
    const { id, title, addresses, areRequired, wasOpened } = view;
    const isOnly = addresses.length === 1;
    const which = isOnly ? '' : ` ${index + 1} of ${addresses.length}`;
    const named = { title: isOnly ? title : [...title, { text: `, address${which}`, isWrittenOut: false }] };
    const button = (label: string, act: 'open' | 'done' | 'copy') =>
      answerButton(label, named, {}, (click) => port.act({ type: 'act', id, act, index }, click));
    this.#view = view;
    this.#state = element('p', { class: 'addressState', tabindex: '-1' });
    this.#open = button('Open in Browser', 'open');
    this.#again = button('Open Again', 'open');
    this.#again.secondary = true;
    this.#done = button(areRequired || wasOpened ? "I'm Done" : "I've Opened It", 'done');
    this.#copy = button('Copy the Address', 'copy');
    this.nodes = [
      element('h3', {}, 'The server says'),
      foldedText(address.message, 'what the server says', `${id}-message-${index}`, 'prose'),
      element('h3', {}, `The address${which}`),
      element(
        'p',
        {},
        element(
          'code',
          { class: 'address' },
          ...shownText(address.before),
          element('strong', {}, ...shownText(address.host)),
          ...shownText(address.after),
        ),
      ),
      element('p', { class: 'hint' }, 'Its host is ', element('code', {}, ...shownText(address.host))),
      ...address.warnings.map((warning) => note('warning', ['Warning: ', ...shownText(warning)])),
      this.#state,
      element('div', { class: 'buttons' }, this.#done, this.#open, this.#again, this.#copy),
    ];
  }

  /** True if something may have moved. */
  show(state: AddressState): boolean {
    if (state === this.#shown) {
      return false;
    }
    this.#shown = state;
    const hadFocus = [this.#open, this.#again, this.#done, this.#copy].some(
      (button) => button === document.activeElement,
    );
    const isOver = state === 'done' || state === 'opening';
    const canBeDone = state === 'opened' || state === 'copied';
    this.#state.textContent = stateText(state, this.#view);
    hide(this.#state, this.#state.textContent === '');
    hide(this.#done, !canBeDone);
    hide(this.#open, isOver || state === 'opened');
    hide(this.#again, state !== 'opened');
    hide(this.#copy, isOver);
    this.#open.secondary = canBeDone || this.#view.isFlagged;
    this.#done.secondary = this.#view.isFlagged;
    if (hadFocus && document.activeElement instanceof HTMLElement && document.activeElement.hidden) {
      this.#state.focus();
    }
    return true;
  }
}

function stateText(state: AddressState, { areRequired }: AddressQuestionView): string {
  switch (state) {
    case 'asked':
      return '';
    case 'opening':
      return 'The editor is opening it.';
    case 'notOpened':
      return 'The editor did not open it. Copy the address, and open it in a browser.';
    case 'copied':
      return areRequired
        ? 'Copied. Open it in a browser, and select "I\'m Done" when you have finished there.'
        : 'Copied. Open it in a browser, and then select the button here.';
    case 'opened':
      return areRequired
        ? 'Waiting for the server. Finish in the browser; if the server does not notice, select "I\'m Done".'
        : 'You opened this address before, and the server asks for it again. Finish in the browser, then select "I\'m Done".';
    case 'done':
      return 'Done.';
  }
}

function meaningOf({ areRequired }: AddressQuestionView): string {
  const opened = areRequired
    ? '"Open in Browser" opens exactly this address. When it is done, the request is sent again, once. "Decline" and ' +
      '"Cancel" end the request.'
    : '"Open in Browser" opens exactly this address, and tells the server that you agreed. "Decline" tells the server ' +
      'that you refuse, "Cancel" that you made no choice.';
  return (
    `${opened} What you enter in the browser does not pass through this editor. "Never Ask" declines this and every ` +
    'later request of this server; you can take that back with "Review Decisions…". Closing this panel is not an answer.'
  );
}
