import type { NamedText } from '../host/config/form/serverForm.ts';
import { element } from './dom.ts';
import { TextField } from './textField.ts';

/** What a list of texts is called, and whom it tells of changes. */
export interface RowsOptions {
  /** As the host calls it, such as `args`. */
  readonly part: 'args' | 'env' | 'headers';
  readonly title: string;
  /** One of them, such as `Argument`. */
  readonly one: string;
  readonly hint: string;
  readonly isNamed: boolean;
  readonly changed: () => void;
  readonly keep: (key: string, isKept: boolean) => void;
  /** Says to a screen reader what happened to a row. */
  readonly say: (words: string) => void;
}

interface Row {
  readonly node: HTMLElement;
  readonly name: TextField | undefined;
  readonly value: TextField;
  readonly buttons: readonly (readonly [HTMLButtonElement, string])[];
}

/** Texts one below the other, which are added, removed and moved. */
export class TextRows {
  readonly node: HTMLElement;
  readonly #options: RowsOptions;
  readonly #list = element('ol', { class: 'rows' });
  readonly #add: HTMLButtonElement;
  #rows: Row[] = [];

  constructor(options: RowsOptions, texts: readonly NamedText[]) {
    const { title, one, hint, isNamed } = options;
    this.#options = options;
    this.#add = button(`+ Add ${one}`, `Add ${one}`, () => this.#insert(this.#rows.length));
    this.node = element(
      'fieldset',
      { class: isNamed ? 'named' : 'plain' },
      element('legend', {}, title),
      element('p', { class: 'hint' }, hint),
      this.#list,
      this.#add,
    );
    this.#rows = texts.map((text) => this.#row(text));
    this.#draw();
  }

  get texts(): readonly NamedText[] {
    return this.#rows.map(({ name, value }) => ({ name: name?.value ?? '', value: value.value }));
  }

  get fields(): readonly TextField[] {
    return this.#rows.flatMap(({ name, value }) => [...(name ? [name] : []), value]);
  }

  #row(text: NamedText): Row {
    const { part, isNamed, changed, keep } = this.#options;
    const pressed = (event: KeyboardEvent): void => this.#pressed(event, row);
    const common = { isLabelHidden: true, changed, pressed };
    const name = isNamed
      ? new TextField(
          { ...common, id: `${part}.name`, label: 'Name', value: text.name, placeholder: 'NAME' },
          keep,
        )
      : undefined;
    const value = new TextField(
      { ...common, id: part, label: 'Value', value: text.value, ...(isNamed && { placeholder: 'value' }) },
      keep,
    );
    const buttons = [
      ...(isNamed
        ? []
        : ([
            [button('↑', '', () => this.#move(row, -1)), 'Move Up'],
            [button('↓', '', () => this.#move(row, 1)), 'Move Down'],
          ] as const)),
      [button('✕', '', () => this.#remove(row)), 'Remove'],
    ] as const;
    const tools = element('div', { class: 'tools' }, ...buttons.map(([made]) => made));
    const row: Row = {
      node: element('li', {}, ...(name ? [name.node] : []), value.node, tools),
      name,
      value,
      buttons,
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
    this.#rows = this.#rows.toSpliced(index, 0, row);
    this.#draw();
    (row.name ?? row.value).area.focus();
    this.#options.say(`${this.#options.one} ${index + 1} added.`);
    this.#options.changed();
  }

  #remove(row: Row): void {
    const index = this.#rows.indexOf(row);
    this.#rows = this.#rows.filter((one) => one !== row);
    this.#draw();
    const next = this.#rows[index] ?? this.#rows[index - 1];
    (next ? (next.name ?? next.value).area : this.#add).focus();
    this.#options.say(`${this.#options.one} ${index + 1} removed.`);
    this.#options.changed();
  }

  #move(row: Row, by: number): void {
    const from = this.#rows.indexOf(row);
    const to = from + by;
    if (to < 0 || to >= this.#rows.length) {
      return;
    }
    const focused = document.activeElement;
    this.#rows = this.#rows.toSpliced(from, 1).toSpliced(to, 0, row);
    this.#draw();
    if (focused instanceof HTMLElement) {
      focused.focus(); // what moves loses it
    }
    this.#options.say(`${this.#options.one} ${from + 1} is now ${to + 1}.`);
    this.#options.changed();
  }

  #draw(): void {
    const { part, one } = this.#options;
    this.#rows.forEach(({ name, value, buttons }, index) => {
      const label = `${one} ${index + 1}`;
      name?.named(`${part}.${index}.name`, `${label}: name`);
      value.named(name ? `${part}.${index}.value` : `${part}.${index}`, name ? `${label}: value` : label);
      for (const [made, words] of buttons) {
        made.title = words;
        made.setAttribute('aria-label', `${words}: ${label}`);
        made.disabled =
          (words === 'Move Up' && index === 0) || (words === 'Move Down' && index === this.#rows.length - 1);
      }
    });
    this.#list.replaceChildren(...this.#rows.map(({ node }) => node));
  }
}

function button(text: string, label: string, press: () => void): HTMLButtonElement {
  const made = element(
    'button',
    { class: 'fold', type: 'button', ...(label && { 'aria-label': label }) },
    text,
  );
  made.addEventListener('click', press);
  return made;
}
