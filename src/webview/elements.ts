import { html, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { DirectiveResult } from 'lit/directive.js';
import type { PanelText } from '../host/questions/panelText.ts';

/** What a template can contain. Text in it becomes text, never markup; nothing is shown for undefined. */
export type Content = TemplateResult | DirectiveResult | Node | string | undefined | readonly Content[];

/** Text in which what is written out, because it could not be seen, is marked. */
export function shownText(text: PanelText): Content {
  return guard([text], () =>
    text.map(({ text, isWrittenOut }) =>
      isWrittenOut ? html`<mark title="A character that cannot be seen">${text}</mark>` : text,
    ),
  );
}

export function code(text: PanelText): Content {
  return html`<code>${shownText(text)}</code>`;
}

export function plainText(text: PanelText): string {
  return text.map((part) => part.text).join('');
}

/** The triangle of a warning. */
export function warningIcon(): Content {
  return icon(
    'M7.1 1.5h1.8l6.1 12.1-.9 1.4H1.9L1 13.6 7.1 1.5Zm.9 1.2L2.5 13.8h11L8 2.7Zm-.7 3.6h1.4v3.9H7.3V6.3Zm0 4.9h1.4v1.4H7.3v-1.4Z',
  );
}

/** Points to the right; its parent turns it when it is open. */
export function chevron(): Content {
  return icon('M5.7 13.7 5 13l4.6-4.6L5 3.7l.7-.7 5 5.4-5 5.3Z');
}

/** A picture beside words that say the same. */
function icon(outline: string): Content {
  const path = svg`<path fill-rule="evenodd" d=${outline} />`;
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${path}</svg>`;
}

/** Has a screen reader say something, even if that is what it said last. */
export function announce(words: string): void {
  const status = document.querySelector('.status');
  if (status) {
    status.textContent = words;
  }
}
