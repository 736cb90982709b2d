import type { PanelText } from '../../host/questions/panelText.ts';
import { element, plainText, shownText } from '../elements.ts';
import { Rhythm } from './rhythm.ts';

/** A screen reader hears of what comes at most once in so many milliseconds. */
const SPOKEN_MS = 5_000;

/** What a model says, as it comes. */
export class StreamedText {
  /** What a screen reader speaks: it stays in the page, or nothing of it would be spoken. */
  readonly spoken = element('p', { class: 'spoken', role: 'status' });
  readonly #text = element('div', {
    class: 'text prose streamed',
    role: 'group',
    'aria-label': 'The answer so far',
    tabindex: '0',
  });
  #rhythm = new Rhythm(SPOKEN_MS, () => performance.now());
  #spokenCharacters = 0;

  /** Begins anew; gives what is shown. */
  begin(text: PanelText): readonly HTMLElement[] {
    this.#rhythm = new Rhythm(SPOKEN_MS, () => performance.now());
    this.#spokenCharacters = 0;
    this.spoken.textContent = '';
    this.#text.replaceChildren(...shownText(text));
    return [element('h3', {}, 'A language model is answering'), this.#text];
  }

  show(text: PanelText): void {
    const box = this.#text;
    // The end stays in sight, unless the person has scrolled up to read.
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
