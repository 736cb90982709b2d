import { element, hide, shownText } from './dom.ts';
import type { PanelText } from '../host/questions/panelText.ts';
import type { FieldNote, SecretField } from '../host/config/form/serverForm.ts';

/** What a field is called, and what happens in it. */
export interface FieldOptions {
  /** As the host calls it; see `FieldNote`. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** A second line of the label, in small. */
  readonly hint?: string;
  /** The label is for screen readers only, because what stands above the list says it. */
  readonly isLabelHidden?: boolean;
  readonly placeholder?: string;
  readonly changed: () => void;
  readonly pressed?: (event: KeyboardEvent) => void;
}

/** A text of the form with its label, and what the host says of it. */
export class TextField {
  readonly node: HTMLElement;
  readonly area: HTMLTextAreaElement;
  #id: string;
  /** As it came, while nobody changes it: a text area would change its line ends. */
  #value: string;
  readonly #label: HTMLLabelElement;
  readonly #problem = element('p', { class: 'problem' });
  readonly #note = element('p', { class: 'hint' });
  readonly #unseen = element('p', { class: 'unseen' });
  readonly #secret: HTMLElement;
  readonly #keep = element('input', { type: 'checkbox' });
  readonly #show: HTMLButtonElement;
  #isShown = false;
  /** Masked whatever the host says of it. */
  #isPassword = false;
  #key = '';

  constructor(options: FieldOptions, keep: (key: string, isKept: boolean) => void) {
    const { id, label, value, hint, isLabelHidden, placeholder, changed, pressed } = options;
    this.#id = id;
    this.#value = value;
    this.area = element('textarea', { rows: '1', spellcheck: 'false', autocapitalize: 'off' });
    this.area.value = value;
    this.area.placeholder = placeholder ?? '';
    this.area.addEventListener('input', () => {
      this.#value = this.area.value;
      changed();
    });
    this.area.addEventListener('keydown', (event) => {
      pressed?.(event);
      if (event.key === 'Enter' && !event.defaultPrevented) {
        event.preventDefault(); // a line break in a launch is next to never meant
      }
    });
    this.#label = element('label', isLabelHidden ? { class: 'spoken' } : {}, label);
    this.#show = element('button', { class: 'fold', type: 'button', 'aria-pressed': 'false' }, 'Show');
    this.#show.addEventListener('click', () => this.#reveal(!this.#isShown));
    this.#keep.addEventListener('change', () => keep(this.#key, this.#keep.checked));
    this.#secret = element(
      'div',
      { class: 'secret' },
      element('label', {}, this.#keep, ' Keep out of the file, in the secret storage'),
      this.#show,
    );
    const said = hint === undefined ? [] : [element('p', { class: 'hint' }, hint)];
    this.node = element(
      'div',
      { class: 'field' },
      this.#label,
      ...said,
      this.area,
      this.#problem,
      this.#unseen,
      this.#note,
      this.#secret,
    );
    this.named(id, label);
    this.say([], [], [], []);
  }

  get id(): string {
    return this.#id;
  }

  get value(): string {
    return this.#value;
  }

  /** In a list a field gets another place, and with it another name. */
  named(id: string, label: string): void {
    this.#id = id;
    this.#label.textContent = label;
    this.area.id = `field-${id}`;
    this.#label.htmlFor = this.area.id;
    const parts = { problem: this.#problem, unseen: this.#unseen, note: this.#note };
    for (const [name, part] of Object.entries(parts)) {
      part.id = `${name}-${id}`;
    }
    this.area.setAttribute(
      'aria-describedby',
      Object.values(parts)
        .map((part) => part.id)
        .join(' '),
    );
    this.#keep.setAttribute('aria-label', `Keep ${label} out of the file, in the secret storage`);
    this.#show.setAttribute('aria-label', `Show ${label}`);
  }

  /** Says what the host says of it; true when that moved what is below. */
  say(
    problems: readonly FieldNote[],
    hints: readonly FieldNote[],
    unseen: readonly { readonly field: string; readonly text: PanelText }[],
    secrets: readonly SecretField[],
  ): boolean {
    const before = this.node.offsetHeight;
    const mine = ({ field }: { readonly field: string }): boolean => field === this.#id;
    const problem = problems.find(mine)?.text ?? '';
    this.#problem.textContent = problem;
    this.area.setAttribute('aria-invalid', String(problem !== ''));
    this.#note.textContent = hints.find(mine)?.text ?? '';
    const written = unseen.find(mine);
    this.#unseen.replaceChildren(
      ...(written ? ['With everything visible: ', element('code', {}, ...shownText(written.text))] : []),
    );
    const secret = secrets.find(mine);
    this.#key = secret?.key ?? '';
    this.#keep.checked = secret?.isKept ?? false;
    this.#keep.disabled = secret?.isAlwaysKept === true;
    this.#mask();
    hide(this.#secret, secret === undefined);
    hide(this.#show, secret?.isKept !== true);
    for (const part of [this.#problem, this.#note, this.#unseen]) {
      hide(part, part.childNodes.length === 0 || part.textContent === '');
    }
    return this.node.offsetHeight !== before;
  }

  /** Masks it like a password, whatever the host says of it. */
  mask(): void {
    this.#isPassword = true;
    this.#mask();
  }

  #mask(): void {
    const isMasked = this.#isPassword || (this.#keep.checked && !this.#isShown);
    this.area.classList.toggle('masked', isMasked);
  }

  #reveal(isShown: boolean): void {
    this.#isShown = isShown;
    this.#show.textContent = isShown ? 'Hide' : 'Show';
    this.#show.setAttribute('aria-pressed', String(isShown));
    this.#mask();
  }
}
