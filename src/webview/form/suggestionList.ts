import type { SuggestionView } from '../../host/requestForms/requestFormProtocol.ts';
import { element, hide, shownText } from '../dom.ts';

/** Suggestions for what is typed, best ones first. */
export interface FoundValues {
  readonly values: readonly SuggestionView[];
  readonly hasMore: boolean;
}

/** The list below a box: its options, of which one may be active, and what to know about them. */
export class SuggestionList {
  readonly node: HTMLElement;
  readonly id: string;
  readonly #options: HTMLElement;
  readonly #note = element('p', { class: 'hint' });
  readonly #pressed: (suggestion: SuggestionView) => void;
  #values: FoundValues['values'] = [];
  #active = -1;

  /** `pressed` is called for an option that the pointer selects. */
  constructor(id: string, label: string, pressed: (suggestion: SuggestionView) => void) {
    this.id = id;
    this.#pressed = pressed;
    this.#options = element('ul', { id, role: 'listbox', 'aria-label': `Suggestions for ${label}` });
    this.node = element('div', { class: 'popup' }, this.#options, this.#note);
    // The box keeps the focus.
    this.node.addEventListener('mousedown', (event) => event.preventDefault());
    this.close();
  }

  get isOpen(): boolean {
    return !this.node.hidden;
  }

  get values(): readonly SuggestionView[] {
    return this.#values;
  }

  /** The option that Enter selects. */
  get active(): SuggestionView | undefined {
    return this.#values[this.#active];
  }

  /** The element of that option. */
  get activeId(): string | undefined {
    return this.#options.children[this.#active]?.id;
  }

  /** Shows these; the active one stays so. Without any, the list is closed. */
  show({ values, hasMore }: FoundValues): void {
    const { active } = this;
    this.#values = values;
    this.#options.replaceChildren(
      ...values.map((suggestion, index) => {
        const option = element(
          'li',
          { id: `${this.id}-${index}`, role: 'option', 'aria-selected': 'false' },
          ...shownText(suggestion.shown),
        );
        option.addEventListener('click', () => this.#pressed(suggestion));
        return option;
      }),
    );
    this.#open(values.length > 0, hasMore ? 'There are more: keep typing.' : '');
    this.#activate(values.findIndex(({ value }) => value === active?.value));
  }

  /** Shows a sentence instead of options. */
  tell(words: string): void {
    this.show({ values: [], hasMore: false });
    this.#open(true, words);
  }

  close(): void {
    this.show({ values: [], hasMore: false });
  }

  /** Makes the option below or above the active one active; of none the first or the last. */
  move(step: 1 | -1): void {
    const { length } = this.#values;
    if (length > 0) {
      const from = step === -1 && this.#active < 0 ? 0 : this.#active;
      this.#activate((from + step + length) % length);
    }
  }

  /** Makes what is typed active. */
  leave(): void {
    this.#activate(-1);
  }

  #open(isOpen: boolean, note: string): void {
    const wasOpen = this.isOpen;
    hide(this.node, !isOpen);
    this.#note.textContent = note;
    hide(this.#note, note === '');
    hide(this.#options, this.#values.length === 0);
    if (isOpen && !wasOpen) {
      this.node.scrollIntoView({ block: 'nearest' });
    }
  }

  #activate(index: number): void {
    this.#active = index;
    [...this.#options.children].forEach((option, at) => {
      option.setAttribute('aria-selected', String(at === index));
    });
    this.#options.children[index]?.scrollIntoView({ block: 'nearest' });
  }
}
