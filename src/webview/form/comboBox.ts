import { html, nothing } from 'lit';
import type { SuggestionView } from '../../host/requestForms/requestFormProtocol.ts';
import { chevron, code, plainText, shownText, type Content } from '../elements.ts';

/** Suggestions for what is typed, best ones first. */
export interface FoundValues {
  readonly values: readonly SuggestionView[];
  readonly hasMore: boolean;
}

/** Asks for suggestions for a field, by its name. Only the newest question of a page is answered. */
export type AskForValues = (field: string, take: (found: FoundValues) => void) => void;

interface ComboBoxOptions {
  /** Of the box itself. */
  readonly id: string;
  readonly label: string;
  readonly ask: (take: (found: FoundValues) => void) => void;
  /** Called after each change, which it shows. */
  readonly changed: () => void;
  readonly refresh: () => void;
}

/** What is in the list: without suggestions only the words, and without either it is closed. */
interface Shown {
  readonly values: readonly SuggestionView[];
  readonly words: string;
  /** The place of the one that Enter selects, or -1. */
  readonly active: number;
}

const closed: Shown = { values: [], words: '', active: -1 };

/**
 * A box for a text with a list of suggestions below (the combobox of the ARIA Authoring Practices, with manual
 * selection): what is typed is always valid, and no suggestion is taken that was not selected.
 */
export class ComboBox {
  readonly #options: ComboBoxOptions;
  readonly #initial: string;
  #entered: string;
  /** Says how what is entered differs from what the box can show, such as one of two lines. */
  #note: Content;
  #list = closed;
  #spoken = '';
  /** What was asked last; closing the list makes its answer void. */
  #question = 0;

  constructor(value: string, options: ComboBoxOptions) {
    this.#options = options;
    this.#initial = value;
    this.#entered = value;
    this.#note = linesNote(value);
  }

  get entered(): string {
    return this.#entered;
  }

  /** `told` has the attributes of the box for assistive technology. */
  view(told: Content): Content {
    const { id, label } = this.#options;
    const { values, words, active } = this.#list;
    const isOpen = this.#isOpen;
    const option = ({ shown }: SuggestionView, index: number): Content => {
      const words = shownText(shown);
      return html`<li id="list-${id}-${index}" role="option" aria-selected=${index === active}>${words}</li>`;
    };
    const pressed = ({ target, currentTarget }: Event): void => {
      const options = [...(currentTarget as HTMLElement).children];
      this.#pick(options.findIndex((one) => one.contains(target as Node)));
    };
    return html`<div class="combo">
        <input
          ${told}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck="false"
          aria-autocomplete="list"
          aria-controls="list-${id}"
          aria-expanded=${isOpen}
          aria-activedescendant=${values[active] ? `list-${id}-${active}` : nothing}
          .value=${this.#initial}
          @input=${() => this.#typed()}
          @keydown=${(event: KeyboardEvent) => this.#keyed(event)}
          @blur=${() => this.#close()}
        />
        <button
          class="pulldown"
          type="button"
          tabindex="-1"
          aria-label="Show suggestions for ${label}"
          aria-controls="list-${id}"
          aria-expanded=${isOpen}
          @mousedown=${keepFocus}
          @click=${() => this.#pulled()}
        >
          ${chevron()}
        </button>
        <div class="popup" ?hidden=${!isOpen} @mousedown=${keepFocus}>
          <ul
            id="list-${id}"
            role="listbox"
            aria-label="Suggestions for ${label}"
            ?hidden=${values.length === 0}
            @click=${pressed}
          >
            ${values.map(option)}
          </ul>
          <p class="hint" ?hidden=${words === ''}>${words}</p>
        </div>
      </div>
      <p class="spoken" aria-live="polite">${this.#spoken}</p>
      ${this.#note && html`<p class="hint sent">${this.#note}</p>`}`;
  }

  get #isOpen(): boolean {
    return this.#list.values.length > 0 || this.#list.words !== '';
  }

  /** The box, in which only this and you write. */
  get #input(): HTMLInputElement {
    return document.getElementById(this.#options.id) as HTMLInputElement;
  }

  #typed(): void {
    this.#entered = this.#input.value;
    this.#note = undefined;
    // Until the server answers, the earlier suggestions that match stay.
    const typed = this.#entered.toLowerCase();
    this.#show(this.#list.values.filter(({ value }) => value.toLowerCase().includes(typed)));
    this.#ask((found) => this.#take(found));
    this.#options.changed();
  }

  #keyed(event: KeyboardEvent): void {
    if (!event.isComposing && !event.ctrlKey && !event.metaKey && this.#press(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Whether a key was for the list. */
  #press({ key, altKey }: KeyboardEvent): boolean {
    const wasOpen = this.#isOpen;
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
      case 'Enter':
        this.#pick(this.#list.active);
        return wasOpen;
      case 'Escape':
        this.#close();
        return wasOpen;
      case 'ArrowLeft':
      case 'ArrowRight':
      case 'Home':
      case 'End':
        this.#activate(-1);
        return false;
      default:
        return false;
    }
  }

  #pulled(): void {
    this.#input.focus();
    if (this.#isOpen) {
      this.#close();
    } else {
      this.#open(false);
    }
  }

  #ask(take: (found: FoundValues) => void): void {
    this.#question += 1;
    const question = this.#question;
    this.#options.ask((found) => {
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
        this.#spoken = 'No suggestions';
        this.#show([], 'The server has no suggestions for this.');
      } else if (selectsFirst) {
        this.#move(1);
      }
    });
  }

  #take({ values, hasMore }: FoundValues): void {
    const others = values.filter(({ value }) => value !== this.#entered);
    const count = others.length === 1 ? '1 suggestion' : `${others.length} suggestions`;
    this.#spoken = others.length === 0 ? '' : hasMore ? `${count}, and more as you type` : count;
    this.#show(others, others.length > 0 && hasMore ? 'There are more: keep typing.' : '');
  }

  /** Shows these; the active one stays so. */
  #show(values: readonly SuggestionView[], words = ''): void {
    const wasOpen = this.#isOpen;
    const active = this.#list.values[this.#list.active]?.value;
    this.#list = { values, words, active: -1 };
    this.#activate(values.findIndex(({ value }) => value === active));
    if (this.#isOpen && !wasOpen) {
      this.#input.closest('.combo')?.querySelector('.popup')?.scrollIntoView({ block: 'nearest' });
    }
  }

  /** Makes the option below or above the active one active; of none the first or the last. */
  #move(step: 1 | -1): void {
    const { values, active } = this.#list;
    const from = step === -1 && active < 0 ? 0 : active;
    this.#activate(values.length === 0 ? -1 : (from + step + values.length) % values.length);
  }

  /** Makes an option active, or what is typed. */
  #activate(active: number): void {
    this.#list = { ...this.#list, active };
    this.#options.refresh();
    document.getElementById(`list-${this.#options.id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }

  #close(): void {
    this.#question += 1;
    this.#list = closed;
    this.#spoken = '';
    this.#options.refresh();
  }

  /** Closes the list; a suggestion is entered exactly as the server wrote it. */
  #pick(index: number): void {
    const picked = this.#list.values[index];
    this.#close();
    if (!picked) {
      return;
    }
    const { value, shown } = picked;
    const isAsShown = canHold(value) && !shown.some(({ isWrittenOut }) => isWrittenOut);
    this.#input.value = value;
    this.#entered = value;
    this.#note = isAsShown ? undefined : ['This is sent as: ', code(shown)];
    this.#spoken = `${plainText(shown)}, selected`;
    this.#options.changed();
  }
}

/** Whether a box of one line can hold a text. */
function canHold(value: string): boolean {
  return !/[\r\n]/.test(value);
}

function linesNote(value: string): Content {
  const { length } = value.split(/\r\n|\r|\n/);
  return canHold(value) ? undefined : `This has ${length} lines, and all of them are sent.`;
}

/** The box keeps the focus. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}
