import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ChatOffer } from '../host/launch/question/launchChat.ts';
import type { CardPort } from './card.ts';
import type { Content } from './elements.ts';

/** A question or a form with its offer. */
interface Asked {
  readonly id: string;
  readonly chat?: ChatOffer;
}

/** The box that makes a server available to chat; `keep` gets its state after each change. */
export function chatBox({ id, chat }: Asked, isChosen: boolean, keep: (isChosen: boolean) => void): Content {
  if (!chat || chat.isGranted) {
    return chat && html`<p class="hint">${chat.meaning}</p>`;
  }
  return html`<div class="chat">
    <vscode-checkbox
      aria-describedby="meaning-${id}-chat"
      .checked=${live(isChosen)}
      @change=${() => keep(!isChosen)}
      >Use in chat</vscode-checkbox
    >
    <p class="hint" id="meaning-${id}-chat">${chat.meaning}</p>
  </div>`;
}

/** The box of a question: your choice is kept while the panel is out of sight. */
export function chatChoice(asked: Asked, port: CardPort): Content {
  return chatBox(asked, isChosenInChat(asked, port), (isChosen) =>
    port.keep(keyOf(asked), isChosen ? ['chat'] : []),
  );
}

/** Whether the box of a question is selected. */
export function isChosenInChat(asked: Asked, port: CardPort): boolean {
  return asked.chat?.isGranted === false && (port.chosen(keyOf(asked)) ?? []).length > 0;
}

function keyOf({ id }: Asked): string {
  return `${id}-chat`;
}
