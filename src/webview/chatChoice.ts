import type { ChatOffer } from '../host/launch/question/launchChat.ts';
import type { CardPort } from './card.ts';
import { element } from './elements.ts';

/** Whether a server is made available to chat with its launch. */
interface ChatChoice {
  readonly node: Node;
  readonly isChosen: () => boolean;
}

/** A question or a form with its offer. */
interface Asked {
  readonly id: string;
  readonly chat?: ChatOffer;
}

/** The box that makes a server available to chat; `keep` gets its state after each change. */
export function chatBox(
  { id, chat }: Asked,
  { initial, keep }: { readonly initial: boolean; readonly keep: (isChosen: boolean) => void },
): ChatChoice | undefined {
  if (!chat || chat.isGranted) {
    return chat && { node: element('p', { class: 'hint' }, chat.meaning), isChosen: () => false };
  }
  const meaning = `meaning-${id}-chat`;
  const box = element('vscode-checkbox', { 'aria-describedby': meaning }, 'Use in chat');
  box.checked = initial;
  const node = element(
    'div',
    { class: 'chat' },
    box,
    element('p', { class: 'hint', id: meaning }, chat.meaning),
  );
  node.addEventListener('change', () => keep(box.checked));
  return { node, isChosen: () => box.checked };
}

/** The box of a question: your choice is kept while the panel is out of sight. */
export function chatChoice(asked: Asked, port: CardPort): ChatChoice | undefined {
  return chatBox(asked, {
    initial: isChosenInChat(asked, port),
    keep: (isChosen) => port.keep(keyOf(asked), isChosen ? ['chat'] : []),
  });
}

/** Whether the box of a question is selected. */
export function isChosenInChat(asked: Asked, port: CardPort): boolean {
  return asked.chat?.isGranted === false && (port.chosen(keyOf(asked)) ?? []).length > 0;
}

function keyOf({ id }: Asked): string {
  return `${id}-chat`;
}
