import { html } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import type { LongText } from '../../host/questions/panelText.ts';
import type { DataView } from '../../host/requestForms/dataView.ts';
import { plainText, shownText, type Content } from '../elements.ts';
import { foldedText } from '../foldedText.ts';

/** Levels that are open at first, and parts up to which a list or an object is. */
const OPEN_LEVELS = 2;
const OPEN_PARTS = 50;

type Table = Extract<DataView, { kind: 'table' }>;

const SEE_ALL = 'Open the result as a document to see all of it.';

/** Where a part stands. */
interface Place {
  readonly name: string;
  /** Unique in the page. */
  readonly id: string;
  readonly level: number;
}

/** Structured data: a table where its objects are alike, otherwise a tree that opens and closes. */
export function dataNode(data: DataView, name: string, id: string): Content {
  return html`<div class="structured">${partContent(data, { name, id, level: 0 })}</div>`;
}

function partContent(data: DataView, place: Place): Content {
  const partAt = (index: number, name: string, of: DataView): Content =>
    part(of, { name, id: `${place.id}-${index}`, level: place.level });
  switch (data.kind) {
    case 'value':
      return valueOf(data.text, place);
    case 'table':
      return [table(data, place), moreHint(data.rows.length, data.size)];
    case 'list':
      return html`<ol>
          ${data.items.map((item, index) => partAt(index, `${index + 1}`, item))}
        </ol>
        ${moreHint(data.items.length, data.size)}`;
    case 'object':
      return html`<ul>
          ${data.members.map(({ name, data: of }, index) => partAt(index, plainText(name), of))}
        </ul>
        ${moreHint(data.members.length, data.size)}`;
  }
}

function valueOf(text: LongText, { name, id }: Place): Content {
  if (!text.isLong) {
    return html`<span class="value">${shownText(text.text)}</span>`;
  }
  const folded = foldedText(text, name, id, 'prose');
  return text.whole ? html`<div>${folded} ${hint(SEE_ALL)}</div>` : folded;
}

/** A named part: a value beside its name, or parts below it. */
function part(data: DataView, place: Place): Content {
  const label = html`<span class="key">${place.name}</span>`;
  if (data.kind === 'value' || data.size === 0) {
    const value = data.kind === 'value' ? partContent(data, place) : html`<span class="hint">(empty)</span>`;
    return html`<li class="pair">${label} ${value}</li>`;
  }
  const isOpen = place.level < OPEN_LEVELS && data.size <= OPEN_PARTS;
  return html`<li>
    <details ?open=${isOpen}>
      <summary>${label} <span class="hint">${sizeText(data)}</span></summary>
      ${partContent(data, { ...place, level: place.level + 1 })}
    </details>
  </li>`;
}

function table({ columns, rows }: Table, place: Place): Content {
  const head = columns.map((name) => html`<th scope="col">${shownText(name)}</th>`);
  const body = rows.map((row, number) => {
    const cells = row.map(({ text, more }, index) => {
      const name = plainText(columns[index] ?? []);
      const at = { name, id: `${place.id}-${number}-${index}`, level: place.level + 1 };
      const content = more ? openedCell(shownText(text), more, at) : shownText(text);
      return html`<td>${content}</td>`;
    });
    return html`<tr>
      ${cells}
    </tr>`;
  });
  return html`<div class="scrolling" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

/** A cell; what is more than its text is made when you open it. */
const openedCell = directive(
  class extends AsyncDirective {
    #isOpened = false;

    render(text: Content, more: DataView, place: Place): Content {
      const open = (): void => {
        if (!this.#isOpened) {
          this.#isOpened = true;
          this.setValue(this.render(text, more, place));
        }
      };
      const summary = html`<summary><span class="hint">${sizeText(more)}</span> ${text}</summary>`;
      const content = this.#isOpened ? partContent(more, place) : undefined;
      return html`<details @toggle=${open}>${summary}${content}</details>`;
    }
  },
);

function moreHint(shown: number, size: number): Content {
  return size > shown ? hint(moreText(size - shown)) : undefined;
}

function hint(words: string): Content {
  return html`<p class="hint">${words}</p>`;
}

/** How many parts are not shown, as a sentence. */
function moreText(count: number): string {
  return `${count.toLocaleString('en')} more. ${SEE_ALL}`;
}

function sizeText(data: DataView): string {
  const [count, one, many] = sizeOf(data);
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

function sizeOf(data: DataView): readonly [number, one: string, many: string] {
  switch (data.kind) {
    case 'value':
      return [data.text.whole?.characters ?? data.text.characters, 'character', 'characters'];
    case 'object':
      return [data.size, 'member', 'members'];
    case 'list':
    case 'table':
      return [data.size, 'item', 'items'];
  }
}
