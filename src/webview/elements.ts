import type { PanelText } from '../host/questions/panelText.ts';

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

/** The triangle of a warning. */
export function warningIcon(): SVGSVGElement {
  return icon(
    'M7.1 1.5h1.8l6.1 12.1-.9 1.4H1.9L1 13.6 7.1 1.5Zm.9 1.2L2.5 13.8h11L8 2.7Zm-.7 3.6h1.4v3.9H7.3V6.3Zm0 4.9h1.4v1.4H7.3v-1.4Z',
  );
}

/** Points to the right; what it stands in turns it when it is open. */
export function chevron(): SVGSVGElement {
  return icon('M5.7 13.7 5 13l4.6-4.6L5 3.7l.7-.7 5 5.4-5 5.3Z');
}

/** A picture beside words that say the same. */
function icon(outline: string): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const made = document.createElementNS(namespace, 'svg');
  made.setAttribute('viewBox', '0 0 16 16');
  made.setAttribute('class', 'icon');
  made.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('fill-rule', 'evenodd');
  path.setAttribute('d', outline);
  made.append(path);
  return made;
}
