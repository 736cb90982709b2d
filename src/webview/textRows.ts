import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { NamedText } from '../host/config/form/serverForm.ts';
import type { Content } from './elements.ts';
import { TextInput, type FieldPort } from './textInput.ts';

/** What a list of texts is called, and whom it tells of changes. */
interface RowsOptions extends FieldPort {
  /** As the host calls it, such as `args`. */
  readonly part: string;
  readonly title: string;
  /** One of them, such as `Argument`. */
  readonly one: string;
  readonly hint: string;
  readonly isNamed: boolean;
  /** Says to a screen reader what happened to a row. */
  readonly say: (words: string) => void;
}

interface Row {
  readonly name: TextInput | undefined;
  readonly value: TextInput;
}

/** Texts one below the other, which are added, removed and moved. */
export class TextRows {
  readonly #options: RowsOptions;
  #rows: readonly Row[] = [];

  constructor(options: RowsOptions, texts: readonly NamedText[]) {
    this.#options = options;
    this.#put(texts.map((text) => this.#row(text)));
  }

  get texts(): readonly NamedText[] {
    return this.#rows.map(({ name, value }) => ({ name: name?.value ?? '', value: value.value }));
  }

  get fields(): readonly TextInput[] {
    return this.#rows.flatMap(({ name, value }) => [...(name ? [name] : []), value]);
  }

  view(): Content {
    const { title, one, hint, isNamed } = this.#options;
    const rows = repeat(
      this.#rows,
      (row) => row,
      (row, index) => this.#rowView(row, index),
    );
    return html`<fieldset class=${isNamed ? 'named' : 'plain'}>
      <legend>${title}</legend>
      <p class="hint">${hint}</p>
      <ol class="rows">
        ${rows}
      </ol>
      ${this.#button(`+ Add ${one}`, `Add ${one}`, () => this.#insert(this.#rows.length))}
    </fieldset>`;
  }

  #rowView(row: Row, index: number): Content {
    const tool = (text: string, words: string, press: () => void, isDisabled = false): Content =>
      this.#button(text, `${words}: ${this.#options.one} ${index + 1}`, press, words, isDisabled);
    const isLast = index === this.#rows.length - 1;
    return html`<li>
      ${row.name?.view()} ${row.value.view()}
      <div class="tools">
        ${
          row.name
            ? undefined
            : [
                tool('↑', 'Move Up', () => this.#move(row, -1), index === 0),
                tool('↓', 'Move Down', () => this.#move(row, 1), isLast),
              ]
        }
        ${tool('✕', 'Remove', () => this.#remove(row))}
      </div>
    </li>`;
  }

  #button(text: string, name: string, press: () => void, title = '', isDisabled = false): Content {
    return html`<button
      class="fold"
      type="button"
      title=${title}
      aria-label=${name}
      ?disabled=${isDisabled}
      @click=${press}
    >
      ${text}
    </button>`;
  }

  #row(text: NamedText): Row {
    const { part, isNamed } = this.#options;
    const common = { isLabelHidden: true, pressed: (event: KeyboardEvent) => this.#pressed(event, row) };
    const name = { ...common, id: `${part}.name`, label: 'Name', value: text.name, placeholder: 'NAME' };
    const value = { ...common, id: part, label: 'Value', value: text.value };
    const row: Row = {
      name: isNamed ? new TextInput(name, this.#options) : undefined,
      value: new TextInput({ ...value, placeholder: isNamed ? 'value' : '' }, this.#options),
    };
    return row;
  }

  /** Enter adds a row below, Alt with an arrow moves this one, and Backspace in an empty one removes it. */
  #pressed(event: KeyboardEvent, row: Row): void {
    const index = this.#rows.indexOf(row);
    const arrows = new Map([
      ['ArrowUp', -1],
      ['ArrowDown', 1],
    ]);
    const by = event.altKey ? arrows.get(event.key) : undefined;
    const isEmpty = row.value.value === '' && (row.name?.value ?? '') === '';
    if (event.key === 'Enter' && !event.isComposing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.#insert(index + 1);
    } else if (by !== undefined && !this.#options.isNamed) {
      event.preventDefault();
      this.#move(row, by);
    } else if (event.key === 'Backspace' && isEmpty) {
      event.preventDefault();
      this.#remove(row);
    }
  }

  #insert(index: number): void {
    const row = this.#row({ name: '', value: '' });
    this.#show(this.#rows.toSpliced(index, 0, row));
    (row.name ?? row.value).area?.focus();
    this.#changed(`${this.#options.one} ${index + 1} added.`);
  }

  #remove(row: Row): void {
    const index = this.#rows.indexOf(row);
    const list = row.value.area?.closest('.rows');
    this.#show(this.#rows.filter((one) => one !== row));
    const next = this.#rows[index] ?? this.#rows[index - 1];
    const add = list?.nextElementSibling as HTMLElement | null | undefined;
    (next ? (next.name ?? next.value).area : add)?.focus();
    this.#changed(`${this.#options.one} ${index + 1} removed.`);
  }

  #move(row: Row, by: number): void {
    const from = this.#rows.indexOf(row);
    const to = from + by;
    if (to < 0 || to >= this.#rows.length) {
      return;
    }
    const focused = document.activeElement;
    this.#show(this.#rows.toSpliced(from, 1).toSpliced(to, 0, row));
    if (focused instanceof HTMLElement) {
      focused.focus(); // what moves loses it
    }
    this.#changed(`${this.#options.one} ${from + 1} is now ${to + 1}.`);
  }

  #changed(words: string): void {
    this.#options.say(words);
    this.#options.changed();
  }

  #show(rows: readonly Row[]): void {
    this.#put(rows);
    this.#options.refresh();
  }

  #put(rows: readonly Row[]): void {
    const { part, one } = this.#options;
    this.#rows = rows;
    rows.forEach(({ name, value }, index) => {
      const label = `${one} ${index + 1}`;
      name?.named(`${part}.${index}.name`, `${label}: name`);
      value.named(name ? `${part}.${index}.value` : `${part}.${index}`, name ? `${label}: value` : label);
    });
  }
}
