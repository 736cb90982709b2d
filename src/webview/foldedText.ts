import { html } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import type { LongText } from '../host/questions/panelText.ts';
import { shownText, type Content } from './elements.ts';

type Style = 'code' | 'prose';

class FoldedText extends AsyncDirective {
  #long: LongText | undefined;
  #isFolded = true;

  override render(long: LongText, name: string, id: string, style: Style = 'code'): Content {
    this.#isFolded ||= this.#long !== long;
    this.#long = long;
    const isFolded = long.isLong && this.#isFolded;
    const classes = `text ${style} ${isFolded ? 'folded' : ''}`;
    const text = html`<div id="text-${id}" class=${classes}>${shownText(long.text)}</div>`;
    if (!long.isLong) {
      return text;
    }
    const words = isFolded ? `Show ${sizeText(long)}` : 'Show less';
    const toggle = (): void => {
      this.#isFolded = !isFolded;
      this.setValue(this.render(long, name, id, style));
    };
    return html`<div>
      ${text}
      <button
        class="fold"
        type="button"
        aria-controls="text-${id}"
        aria-expanded=${!isFolded}
        aria-label="${words} of ${name}"
        @click=${toggle}
      >
        ${words}
      </button>
    </div>`;
  }
}

/** A text of many lines, whole; of a long one the beginning, and a button that shows the rest. */
export const foldedText = directive(FoldedText);

/** How much of a text there is to show: all of it, or its beginning. */
function sizeText({ lines, characters, whole }: LongText): string {
  const [shown, all, unit] =
    lines > 1 && lines !== whole?.lines
      ? [lines, whole?.lines, 'lines']
      : [characters, whole?.characters, 'characters'];
  const count = shown.toLocaleString('en');
  return all === undefined
    ? `all ${count} ${unit}`
    : `the first ${count} of ${all.toLocaleString('en')} ${unit}`;
}
