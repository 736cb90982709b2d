import { render } from 'lit';
import type { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/vscode-button.js';
import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/vscode-checkbox.js';
import { warningIcon, type Content } from './elements.ts';
import type { PanelText } from '../host/questions/panelText.ts';

declare global {
  interface HTMLElementTagNameMap {
    'vscode-button': VscodeButton;
    'vscode-checkbox': VscodeCheckbox;
  }
}

type Child = Node | string;

/** An element with attributes and children. Strings become text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Text in which what is written out, because it could not be seen, is marked. */
export function shownText(text: PanelText): readonly Child[] {
  return text.map(({ text, isWrittenOut }) =>
    isWrittenOut ? element('mark', { title: 'A character that cannot be seen' }, text) : text,
  );
}

export function plainText(text: PanelText): string {
  return text.map((part) => part.text).join('');
}

export function hide(node: HTMLElement, isHidden: boolean): void {
  node.hidden = isHidden;
}

/** The element of a template. */
function nodeOf(template: Content): HTMLElement {
  const fragment = document.createDocumentFragment();
  render(template, fragment);
  return fragment.firstElementChild as HTMLElement;
}

export function note(kind: 'warning' | 'changed', text: readonly (Node | string)[]): HTMLElement {
  return element('div', { class: `note ${kind}` }, nodeOf(warningIcon()), element('p', {}, ...text));
}

export function button(
  label: string,
  { isPrimary = false }: { readonly isPrimary?: boolean },
  press: (click: MouseEvent) => void,
): VscodeButton {
  const made = element('vscode-button', { class: 'answer' }, label);
  made.secondary = !isPrimary;
  made.addEventListener('click', press);
  made.addEventListener('keydown', (event) => {
    if (event.key === ' ') {
      event.preventDefault(); // it would also scroll
    }
  });
  return made;
}
