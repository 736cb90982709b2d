import type { PanelText } from '../../host/questions/panelText.ts';
import { element, plainText, shownText } from '../elements.ts';
import { Rhythm } from './rhythm.ts';

/** Milliseconds between two announcements to screen readers. */
const SPOKEN_MS = 5_000;

/** The text of a model as it arrives. */
export class StreamedText {
  /** What screen readers announce. It must stay in the page to be announced. */
  readonly spoken = element('p', { class: 'spoken', role: 'status' });
  readonly #text = element('div', {
    class: 'text prose streamed',
    role: 'group',
    'aria-label': 'The answer so far',
    tabindex: '0',
  });
  #rhythm = new Rhythm(SPOKEN_MS, () => performance.now());
  #spokenCharacters = 0;

  /** Starts with a new answer; gives the nodes to show. */
  begin(text: PanelText): readonly HTMLElement[] {
    this.#rhythm = new Rhythm(SPOKEN_MS, () => performance.now());
    this.#spokenCharacters = 0;
    this.spoken.textContent = '';
    this.#text.replaceChildren(...shownText(text));
    return [element('h3', {}, 'A language model is answering'), this.#text];
  }

  show(text: PanelText): void {
    const box = this.#text;
    // The end stays visible unless you have scrolled up to read.
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 24;
    box.replaceChildren(...shownText(text));
    if (isAtEnd) {
      box.scrollTop = box.scrollHeight;
    }
    if (this.#rhythm.isDue()) {
      const all = plainText(text);
      this.spoken.textContent = all.slice(this.#spokenCharacters);
      this.#spokenCharacters = all.length;
    }
  }
}
