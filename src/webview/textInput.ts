import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import { linkButton } from './card.ts';
import { code, type Content } from './elements.ts';
import type { FormView } from '../host/review/formProtocol.ts';
import type { SecretField } from '../host/config/form/serverForm.ts';

/** What a field needs of its form. */
export interface FieldPort {
  /** Something was changed. */
  changed(): void;
  /** Whether a secret is kept out of the file. */
  keep(key: string, isKept: boolean): void;
  /** Shows what is different now. */
  refresh(): void;
}

/** What a field is called, and what happens in it. */
interface FieldOptions {
  /** As the host calls it; see `FieldNote`. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** A second line of the label, in small. */
  readonly hint?: string | undefined;
  /** The label is for screen readers only, because what stands above the list says it. */
  readonly isLabelHidden?: boolean;
  readonly isReadOnly?: boolean;
  /** Masked whatever the host says of it. */
  readonly isPassword?: boolean;
  readonly placeholder?: string;
  readonly pressed?: (event: KeyboardEvent) => void;
}

/** A text of the form with its label, and what the host says of it. */
export class TextInput {
  readonly #options: FieldOptions;
  readonly #port: FieldPort;
  #id: string;
  #label: string;
  /** As it came, while nobody changes it: a text area would change its line ends. */
  #value: string;
  #problem: string | undefined;
  #note: string | undefined;
  #unseen: FormView['unseen'][number] | undefined;
  #secret: SecretField | undefined;
  #isKept = false;
  #isShown = false;

  constructor(options: FieldOptions, port: FieldPort) {
    this.#options = options;
    this.#port = port;
    this.#id = options.id;
    this.#label = options.label;
    this.#value = options.value;
  }

  get id(): string {
    return this.#id;
  }

  get value(): string {
    return this.#value;
  }

  /** The text area, once it is shown. */
  get area(): HTMLTextAreaElement | null {
    return document.querySelector(`[id="field-${this.#id}"]`);
  }

  /** In a list a field gets another place, and with it another name. */
  named(id: string, label: string): void {
    this.#id = id;
    this.#label = label;
  }

  /** Takes what the host says of it. */
  take({ problems, hints, unseen, secrets }: FormView): void {
    const mine = ({ field }: { readonly field: string }): boolean => field === this.#id;
    this.#problem = problems.find(mine)?.text;
    this.#note = hints.find(mine)?.text;
    this.#unseen = unseen.find(mine);
    this.#secret = secrets.find(mine);
    this.#isKept = this.#secret?.isKept ?? false;
  }

  /** `below` is shown at its end. */
  view(below?: Content): Content {
    const id = this.#id;
    const { value, hint, isLabelHidden, isPassword, isReadOnly = false, placeholder = '' } = this.#options;
    const [problem, note, unseen] = [this.#problem ?? '', this.#note ?? '', this.#unseen];
    const isMasked = isPassword === true || (this.#isKept && !this.#isShown);
    return html`<div class="field">
      <label for="field-${id}" class=${isLabelHidden === true ? 'spoken' : ''}>${this.#label}</label>
      ${hint === undefined ? undefined : html`<p class="hint">${hint}</p>`}
      <textarea
        id="field-${id}"
        class=${isMasked ? 'masked' : ''}
        rows="1"
        spellcheck="false"
        autocapitalize="off"
        placeholder=${placeholder}
        aria-describedby="problem-${id} unseen-${id} note-${id}"
        aria-invalid=${problem !== ''}
        ?readonly=${isReadOnly}
        .value=${value}
        @input=${this.#typed}
        @keydown=${this.#pressed}
      ></textarea>
      <p class="problem" id="problem-${id}" ?hidden=${problem === ''}>${problem}</p>
      <p class="unseen" id="unseen-${id}" ?hidden=${unseen === undefined}>
        With everything visible: ${unseen && code(unseen.text)}
      </p>
      <p class="hint" id="note-${id}" ?hidden=${note === ''}>${note}</p>
      ${this.#secret && this.#keeping(this.#secret)} ${below}
    </div>`;
  }

  #keeping({ key, isAlwaysKept }: SecretField): Content {
    const keep = ({ target }: Event): void => {
      this.#isKept = (target as HTMLInputElement).checked;
      this.#port.keep(key, this.#isKept);
    };
    const show = linkButton(
      this.#isShown ? 'Hide' : 'Show',
      () => {
        this.#isShown = !this.#isShown;
        this.#port.refresh();
      },
      { name: `Show ${this.#label}`, isPressed: this.#isShown },
    );
    return html`<div class="secret">
      <label>
        <input
          type="checkbox"
          aria-label="Keep ${this.#label} out of the file, in the secret storage"
          ?disabled=${isAlwaysKept}
          .checked=${live(this.#isKept)}
          @change=${keep}
        />
        Keep out of the file, in the secret storage
      </label>
      ${this.#secret?.isKept === true ? show : undefined}
    </div>`;
  }

  readonly #typed = ({ target }: Event): void => {
    this.#value = (target as HTMLTextAreaElement).value;
    this.#port.changed();
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    this.#options.pressed?.(event);
    if (event.key === 'Enter' && !event.defaultPrevented) {
      event.preventDefault(); // a line break in a launch is next to never meant
    }
  };
}
