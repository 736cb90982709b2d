import { html } from 'lit';
import type { AddressQuestionView, AddressUpdate, AddressView } from '../host/elicitation/addressQuestion.ts';
import type { AddressState } from '../host/elicitation/openAddresses.ts';
import {
  answerButton,
  declineButtons,
  moreAbout,
  warningNotes,
  type CardContent,
  type CardPort,
  type Change,
} from './card.ts';
import { code, shownText, type Content } from './elements.ts';
import { foldedText } from './foldedText.ts';

/** Addresses that a server asks you to open. The page knows none of them as a link: it only says which one to open. */
export class AddressCard implements CardContent {
  readonly #view: AddressQuestionView;
  readonly #port: CardPort;
  #states: readonly AddressState[];

  constructor(view: AddressQuestionView, port: CardPort) {
    this.#view = view;
    this.#port = port;
    this.#states = view.states;
  }

  view(): Content {
    const view = this.#view;
    const { addresses } = view;
    return html`
      <p>${shownText(view.why)}</p>
      ${addresses.map((address, index) => this.#address(address, index, this.#states[index] ?? 'asked'))}
      <div class="buttons">${declineButtons(view, this.#port)}</div>
      ${moreAbout(view, this.#port, meaningOf(view))}
    `;
  }

  renew(view: AddressQuestionView): Change {
    return this.take(view);
  }

  /** What was pressed may be gone: then the focus goes to the text about its address. */
  take(update: unknown): Change {
    const { states } = update as AddressUpdate;
    if (states.every((state, index) => state === this.#states[index])) {
      return undefined;
    }
    const pressed = document.activeElement;
    this.#states = states;
    this.#port.refresh();
    const said = pressed?.closest('.buttons')?.previousElementSibling;
    if (pressed instanceof HTMLElement && pressed.hidden && said instanceof HTMLElement) {
      said.focus();
    }
    return 'moved';
  }

  /** One address with what you can do with it. */
  #address(
    { message, before, host, after, warnings }: AddressView,
    index: number,
    state: AddressState,
  ): Content {
    const { id, title, addresses, areRequired, wasOpened, isFlagged } = this.#view;
    const isOnly = addresses.length === 1;
    const which = isOnly ? '' : ` ${index + 1} of ${addresses.length}`;
    const named = { title: isOnly ? title : [...title, { text: `, address${which}`, isWrittenOut: false }] };
    const isOver = state === 'done' || state === 'opening';
    const canBeDone = state === 'opened' || state === 'copied';
    const button = (
      label: string,
      act: 'open' | 'done' | 'copy',
      isHidden: boolean,
      isPrimary: boolean,
    ): Content =>
      answerButton(label, named, (click) => this.#port.act({ type: 'act', id, act, index }, click), {
        isHidden,
        isPrimary,
      });
    const words = stateText(state, this.#view);
    return html`
      <h3>The server says</h3>
      ${foldedText(message, 'what the server says', `${id}-message-${index}`, 'prose')}
      <h3>The address${which}</h3>
      <p>
        <code class="address"
          >${shownText(before)}<strong>${shownText(host)}</strong>${shownText(after)}</code
        >
      </p>
      <p class="hint">Its host is ${code(host)}</p>
      ${warningNotes(warnings)}
      <p class="addressState" tabindex="-1" ?hidden=${words === ''}>${words}</p>
      <div class="buttons">
        ${button(areRequired || wasOpened ? "I'm Done" : "I've Opened It", 'done', !canBeDone, !isFlagged)}
        ${button('Open in Browser', 'open', isOver || state === 'opened', !canBeDone && !isFlagged)}
        ${button('Open Again', 'open', state !== 'opened', false)}
        ${button('Copy the Address', 'copy', isOver, false)}
      </div>
    `;
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
