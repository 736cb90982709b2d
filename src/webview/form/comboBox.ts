import type { SuggestionView } from '../../host/requestForms/requestFormProtocol.ts';
import { chevron, element, hide, plainText, shownText } from '../dom.ts';
import { SuggestionList, type FoundValues } from './suggestionList.ts';

/** Asks for suggestions for a field, by its name. Only the newest question of a page is answered. */
export type AskForValues = (field: string, take: (found: FoundValues) => void) => void;

interface ComboBoxOptions {
  readonly label: string;
  /** The name of its field. */
  readonly field: string;
  readonly ask: AskForValues;
  /** Called when a suggestion was taken. */
  readonly picked: () => void;
}

/**
 * A box for a text with a list of suggestions below (the combobox of the ARIA Authoring Practices, with manual
 * selection): what is typed is always valid, and no suggestion is taken that was not selected.
 */
export class ComboBox {
  readonly nodes: readonly HTMLElement[];
  readonly #input: HTMLInputElement;
  readonly #options: ComboBoxOptions;
  readonly #button: HTMLButtonElement;
  readonly #list: SuggestionList;
  readonly #spoken = element('p', { class: 'spoken', 'aria-live': 'polite' });
  readonly #note = element('p', { class: 'hint sent' });
  /** A value that the box can't hold, such as one of two lines; undefined if what the box has is the value. */
  #exact: string | undefined;
  /** What was asked last; closing the list makes its answer void. */
  #question = 0;

  constructor(input: HTMLInputElement, options: ComboBoxOptions) {
    this.#input = input;
    this.#options = options;
    const { label } = options;
    this.#list = new SuggestionList(`list-${input.id}`, label, (suggestion) => this.#pick(suggestion));
    this.#button = element('button', {
      class: 'pulldown',
      type: 'button',
      tabindex: '-1',
      'aria-label': `Show suggestions for ${label}`,
      'aria-controls': this.#list.id,
    });
    this.#button.append(chevron());
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-controls', this.#list.id);
    const box = element('div', { class: 'combo' }, input, this.#button, this.#list.node);
    this.nodes = [box, this.#spoken, this.#note];
    this.#listen();
    this.begin(input.value);
    this.#update();
  }

  get value(): string {
    return this.#exact ?? this.#input.value;
  }

  /** Puts in what is entered at first. */
  begin(value: string): void {
    this.#input.value = value;
    this.#exact = this.#input.value === value ? undefined : value;
    const { length } = value.split(/\r\n|\r|\n/);
    this.#note.textContent = `This has ${length} lines, and all of them are sent.`;
    hide(this.#note, this.#exact === undefined);
  }

  #listen(): void {
    const input = this.#input;
    input.addEventListener('input', () => this.#typed());
    input.addEventListener('keydown', (event) => {
      if (!event.isComposing && !event.ctrlKey && !event.metaKey && this.#press(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    input.addEventListener('blur', () => this.#close());
    this.#button.addEventListener('mousedown', (event) => event.preventDefault());
    this.#button.addEventListener('click', () => {
      input.focus();
      if (this.#list.isOpen) {
        this.#close();
      } else {
        this.#open(false);
      }
    });
  }

  #typed(): void {
    this.begin(this.#input.value);
    // Until the server answers, the earlier suggestions that match stay.
    const typed = this.value.toLowerCase();
    const values = this.#list.values.filter(({ value }) => value.toLowerCase().includes(typed));
    this.#list.show({ values, hasMore: false });
    this.#update();
    this.#ask((found) => this.#take(found));
  }

  /** Whether a key was for the list. */
  #press({ key, altKey }: KeyboardEvent): boolean {
    const wasOpen = this.#list.isOpen;
    switch (key) {
      case 'ArrowDown':
        if (wasOpen) {
          this.#move(1);
        } else {
          this.#open(!altKey);
        }
        return true;
      case 'ArrowUp':
        this.#move(-1);
        return wasOpen;
      case 'Enter': {
        const { active } = this.#list;
        this.#close();
        if (active) {
          this.#pick(active);
        }
        return wasOpen;
      }
      case 'Escape':
        this.#close();
        return wasOpen;
      case 'ArrowLeft':
      case 'ArrowRight':
      case 'Home':
      case 'End':
        this.#list.leave();
        this.#update();
        return false;
      default:
        return false;
    }
  }

  #ask(take: (found: FoundValues) => void): void {
    this.#question += 1;
    const question = this.#question;
    this.#options.ask(this.#options.field, (found) => {
      if (question === this.#question) {
        take(found);
      }
    });
  }

  /** Opens the list for what is in the box. */
  #open(selectsFirst: boolean): void {
    this.#ask((found) => {
      this.#take(found);
      if (this.#list.values.length === 0) {
        this.#list.tell('The server has no suggestions for this.');
        this.#say('No suggestions');
      } else if (selectsFirst) {
        this.#list.move(1);
      }
      this.#update();
    });
  }

  #take(found: FoundValues): void {
    const values = found.values.filter(({ value }) => value !== this.value);
    this.#list.show({ ...found, values });
    this.#update();
    const count = values.length === 1 ? '1 suggestion' : `${values.length} suggestions`;
    this.#say(values.length === 0 ? '' : found.hasMore ? `${count}, and more as you type` : count);
  }

  #move(step: 1 | -1): void {
    this.#list.move(step);
    this.#update();
  }

  #close(): void {
    this.#question += 1;
    this.#list.close();
    this.#say('');
    this.#update();
  }

  /** A suggestion is entered exactly as the server wrote it. */
  #pick({ value, shown }: SuggestionView): void {
    this.#close();
    this.begin(value);
    if (this.#exact !== undefined || shown.some(({ isWrittenOut }) => isWrittenOut)) {
      this.#note.replaceChildren('This is sent as: ', element('code', {}, ...shownText(shown)));
      hide(this.#note, false);
    }
    this.#say(`${plainText(shown)}, selected`);
    this.#options.picked();
  }

  /** Tells assistive technology how the list is. */
  #update(): void {
    const { isOpen, activeId } = this.#list;
    this.#input.setAttribute('aria-expanded', String(isOpen));
    this.#button.setAttribute('aria-expanded', String(isOpen));
    if (activeId === undefined) {
      this.#input.removeAttribute('aria-activedescendant');
    } else {
      this.#input.setAttribute('aria-activedescendant', activeId);
    }
  }

  #say(words: string): void {
    this.#spoken.textContent = words;
  }
}
