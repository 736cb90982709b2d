import { html } from 'lit';
import type { PanelText } from '../../host/questions/panelText.ts';
import { plainText, shownText, type Content } from '../elements.ts';
import { Rhythm } from './rhythm.ts';

/** Milliseconds between two announcements to screen readers. */
const SPOKEN_MS = 5_000;

/** The text of a model as it arrives. */
export class StreamedText {
  readonly #id: string;
  readonly #refresh: () => void;
  #text: PanelText = [];
  #spoken = '';
  #rhythm = new Rhythm(SPOKEN_MS, () => performance.now());
  #spokenCharacters = 0;

  constructor(id: string, refresh: () => void) {
    this.#id = `streamed-${id}`;
    this.#refresh = refresh;
  }

  /** Starts with a new answer. */
  begin(text: PanelText): void {
    this.#rhythm = new Rhythm(SPOKEN_MS, () => performance.now());
    this.#spokenCharacters = 0;
    this.#spoken = '';
    this.#text = text;
  }

  view(): Content {
    const text = html`<div class="text prose">${shownText(this.#text)}</div>`;
    return html`<h3>A language model is answering</h3>
      <div id=${this.#id} class="streamed" role="group" aria-label="The answer so far" tabindex="0">
        ${text}
      </div>`;
  }

  /** What screen readers announce. It must stay in the page to be announced. */
  spoken(): Content {
    return html`<p class="spoken" role="status">${this.#spoken}</p>`;
  }

  show(text: PanelText): void {
    const box = document.getElementById(this.#id);
    // The end stays visible unless you have scrolled up to read.
    const isAtEnd = box && box.scrollHeight - box.scrollTop - box.clientHeight < 24;
    this.#text = text;
    if (this.#rhythm.isDue()) {
      const all = plainText(text);
      this.#spoken = all.slice(this.#spokenCharacters);
      this.#spokenCharacters = all.length;
    }
    this.#refresh();
    if (isAtEnd) {
      box.scrollTop = box.scrollHeight;
    }
  }
}
