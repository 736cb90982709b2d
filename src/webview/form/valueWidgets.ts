import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  ConstField,
  Entered,
  JsonField,
  NumberField,
  TextField,
} from '../../form/formField.ts';
import { textFormats } from '../../form/textFormat.ts';
import { linkButton } from '../card.ts';
import type { Content } from '../elements.ts';
import { ComboBox } from './comboBox.ts';
import { focusOn, Widget, type WidgetContext } from './formWidget.ts';

type TypedField = TextField | NumberField | JsonField;
type PickedField = BooleanField | ChoiceField;

/** A text, a number or JSON: only what you type changes what is in its control. */
export class TypedWidget extends Widget<TypedField> {
  readonly #initial: string;
  readonly #isLong: boolean;
  readonly #box: ComboBox | undefined;
  #entered: string;
  #isShown = false;

  constructor(field: TypedField, entered: Entered, context: WidgetContext) {
    super(field, context, hintFor(field));
    const { ask } = context;
    this.#isLong = field.kind === 'json' || (field.kind === 'text' && field.isLong);
    this.#initial = typeof entered === 'string' ? entered : '';
    this.#entered = this.#isLong
      ? this.#initial.replaceAll(/\r\n?/g, '\n')
      : this.#initial.replaceAll(/[\r\n]/g, '');
    this.#box =
      ask && field.kind === 'text' && !field.isSecret && !this.#isLong
        ? new ComboBox(this.#initial, {
            id: this.controlId,
            label: this.label,
            ask: (take) => ask(field.name, take),
            changed: () => this.changed(),
            refresh: context.refresh,
          })
        : undefined;
  }

  get entered(): Entered {
    return this.#box?.entered ?? this.#entered;
  }

  view(): Content {
    const control = this.#box?.view(this.told()) ?? (this.#isLong ? this.#area() : this.#line());
    return this.labelled(control);
  }

  #area(): Content {
    const { kind, isSecret } = this.field;
    return html`<textarea
      ${this.told()}
      class=${isSecret ? 'masked' : ''}
      rows=${kind === 'json' ? 5 : 4}
      spellcheck="false"
      .value=${this.#initial}
      @input=${this.#typed}
    ></textarea>`;
  }

  #line(): Content {
    const { field } = this;
    const isShown = this.#isShown || !field.isSecret;
    const toggle = (): void => {
      this.#isShown = !isShown;
      this.context.refresh();
    };
    const input = html`<input
      ${this.told()}
      type=${isShown ? 'text' : 'password'}
      inputmode=${field.kind === 'number' ? (field.isInteger ? 'numeric' : 'decimal') : nothing}
      autocomplete="off"
      spellcheck="false"
      .value=${this.#initial}
      @input=${this.#typed}
    />`;
    return field.isSecret
      ? [input, linkButton(isShown ? 'Hide' : 'Show', toggle, { isPressed: isShown })]
      : input;
  }

  readonly #typed = ({ target }: Event): void => {
    this.#entered = (target as HTMLInputElement | HTMLTextAreaElement).value;
    this.changed();
  };
}

/** One of some values, or yes or no. */
export class PickedWidget extends Widget<PickedField> {
  #entered: string;

  constructor(field: PickedField, entered: Entered, context: WidgetContext) {
    super(field, context);
    this.#entered = typeof entered === 'string' ? entered : '';
  }

  get entered(): Entered {
    return this.#entered;
  }

  view(): Content {
    const { field } = this;
    const options =
      field.kind === 'boolean'
        ? ([
            ['yes', 'Yes'],
            ['no', 'No'],
          ] as const)
        : field.choices.map(({ label }, index) => [String(index), label] as const);
    return this.labelled(
      selectView(this.told(), options, this.#entered, (value) => {
        this.#entered = value;
        this.changed();
      }),
    );
  }
}

/** A list of which one option can be selected. */
export function selectView(
  told: Content,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
  choose: (value: string) => void,
): Content {
  const shown = [['', '(nothing selected)'] as const, ...options].map(
    ([value, label]) => html`<option value=${value} .selected=${value === chosen}>${label}</option>`,
  );
  const change = ({ target }: Event): void => choose((target as HTMLSelectElement).value);
  return html`<select ${told} @change=${change}>
    ${shown}
  </select>`;
}

/** Several of some values. */
export class ChoicesWidget extends Widget<ChoicesField> {
  #entered: readonly string[];

  constructor(field: ChoicesField, entered: Entered, context: WidgetContext) {
    super(field, context, countText(field));
    this.#entered = this.#all.filter((one) => typeof entered !== 'string' && entered.includes(one));
  }

  get entered(): Entered {
    return this.#entered;
  }

  override target(): ReturnType<Widget['target']> {
    return { focus: () => focusOn(`${this.controlId}-0`), label: this.label };
  }

  view(): Content {
    const boxes = this.field.choices.map(({ label }, index) => {
      const value = String(index);
      const toggle = (): void => {
        this.#entered = this.#all.filter((one) => this.#entered.includes(one) !== (one === value));
        this.changed();
      };
      const isChosen = live(this.#entered.includes(value));
      return html`<vscode-checkbox id="${this.controlId}-${value}" .checked=${isChosen} @change=${toggle}
        >${label}</vscode-checkbox
      >`;
    });
    return html`<fieldset class="field" aria-describedby=${this.describedBy}>
      <legend>${this.labelText}</legend>
      ${this.about()} ${this.problem()}
      <div class="choices">${boxes}</div>
    </fieldset>`;
  }

  get #all(): readonly string[] {
    return this.field.choices.map((_, index) => String(index));
  }
}

/** The only valid value, which is shown and not entered. */
export class ConstWidget extends Widget<ConstField> {
  readonly entered = '';

  constructor(field: ConstField, context: WidgetContext) {
    super(field, context, field.isRequired ? '' : 'This is not sent.');
  }

  view(): Content {
    return html`<div class="field" id=${this.controlId} tabindex="-1">
      <p class="label">${this.label}</p>
      ${this.about()} ${this.problem()}
      <code>${this.field.shown}</code>
    </div>`;
  }
}

export function countText(counts: { readonly minItems: number; readonly maxItems?: number }): string {
  const { minItems, maxItems } = counts;
  if (maxItems === undefined) {
    return minItems > 0 ? `At least ${minItems}` : '';
  }
  return minItems > 0 ? `${minItems} to ${maxItems}` : `At most ${maxItems}`;
}

function hintFor(field: TypedField): string {
  switch (field.kind) {
    case 'json':
      return field.accepts === 'any' ? 'As JSON' : `As a JSON ${field.accepts}`;
    case 'number':
      return field.isInteger ? 'A whole number' : 'A number';
    case 'text': {
      const rule = field.format && textFormats[field.format];
      return rule ? `Such as ${rule.example}` : '';
    }
  }
}
