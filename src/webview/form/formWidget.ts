import { html, nothing, type ElementPart } from 'lit';
import { Directive, directive } from 'lit/directive.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Entered, FormField } from '../../form/formField.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import type { Content } from '../elements.ts';
import type { AskForValues } from './comboBox.ts';

/** What a field needs of its form. */
export interface WidgetContext {
  /** Unique in the page. */
  readonly id: string;
  /** Instead of the field's own label. */
  readonly label?: string;
  /** Its fields are in no group. */
  readonly isWhole?: boolean;
  /** Asks what a server suggests for a text. */
  readonly ask?: AskForValues | undefined;
  /** Called after each change, which it shows; an object that is the whole form says in which of its fields. */
  readonly changed: (part?: number) => void;
  /** Shows what is different now, though nothing else was entered. */
  readonly refresh: () => void;
}

/** A field in the page with its description and its problem; both are read with what they belong to. */
export abstract class Widget<Field extends FormField = FormField> {
  /** The fields in it. */
  parts: readonly Widget[] = [];
  readonly label: string;
  protected readonly field: Field;
  protected readonly context: WidgetContext;
  /** Of what gets the focus for a problem of its own. */
  protected readonly controlId: string;
  readonly #hint: string;
  #shown: string | undefined;
  #found: string | undefined;
  #isTouched = false;

  constructor(field: Field, context: WidgetContext, hint = '') {
    this.field = field;
    this.context = context;
    this.label = context.label ?? field.label;
    this.controlId = `control-${context.id}`;
    this.#hint = hint;
  }

  abstract get entered(): Entered;
  abstract view(): Content;

  /** Takes what is wrong here and below; `isAll` also where nothing was entered yet. */
  show(problems: readonly FieldProblem[], isAll: boolean): void {
    this.#shown = isAll || this.#isTouched ? ownOf(problems) : undefined;
    this.parts.forEach((part, index) => part.show(problemsBelow(problems, index), isAll));
  }

  /** Takes what the host found, which holds until that field changes. */
  showFound(problems: readonly FieldProblem[]): void {
    this.#found = ownOf(problems);
    this.parts.forEach((part, index) => part.showFound(problemsBelow(problems, index)));
  }

  /** What gets the focus for a problem, and what it is called. */
  target([index = -1, ...rest]: readonly number[]): { readonly focus: () => void; readonly label: string } {
    return this.parts[index]?.target(rest) ?? { focus: () => focusOn(this.controlId), label: this.label };
  }

  /** The label of a field; an item of a list, and an alternative, is there because you added or chose it. */
  protected get labelText(): string {
    const { isRequired, name } = this.field;
    return isRequired && name !== '' ? `${this.label} (required)` : this.label;
  }

  protected get describedBy(): string {
    const { id } = this.context;
    return `about-${id} expected-${id} problem-${id}`;
  }

  /** The attributes of a control for assistive technology. */
  protected told(label?: string): Content {
    return attributes({
      ...(label !== undefined && { 'aria-label': label }),
      id: this.controlId,
      'aria-describedby': this.describedBy,
      'aria-required': String(this.field.isRequired),
      'aria-invalid': String(this.#message !== undefined),
    });
  }

  /** What is known of the field beforehand. */
  protected about(): Content {
    const { description } = this.field;
    const { id } = this.context;
    const about = html`<p class="hint about" id="about-${id}">${description}</p>`;
    const expected = html`<p class="hint" id="expected-${id}">${this.#hint}</p>`;
    return [description === undefined ? undefined : about, this.#hint === '' ? undefined : expected];
  }

  protected problem(): Content {
    const message = this.#message;
    return html`<p class="problem" id="problem-${this.context.id}" ?hidden=${message === undefined}>
      ${message}
    </p>`;
  }

  /** Its control under its label. */
  protected labelled(control: Content): Content {
    return html`<div class="field">
      <label for=${this.controlId}>${this.labelText}</label>
      ${this.about()}
      <div class="control">${control}</div>
      ${this.problem()}
    </div>`;
  }

  /** Its fields under its label. */
  protected group(within: Content, isDescribed = true): Content {
    return html`<fieldset class="field group" aria-describedby=${isDescribed ? this.describedBy : nothing}>
      <legend id="legend-${this.context.id}" tabindex="-1">${this.labelText}</legend>
      ${this.about()} ${this.problem()} ${within}
    </fieldset>`;
  }

  /** Called after each change. */
  protected changed(): void {
    this.#isTouched = true;
    this.#found = undefined;
    this.context.changed();
  }

  get #message(): string | undefined {
    return this.#shown ?? this.#found;
  }
}

/** Fields within a field: each has elements of its own. */
export function widgetViews(parts: readonly Widget[], view = (part: Widget) => part.view()): Content {
  return repeat(parts, (part) => part, view) as Content;
}

export function focusOn(id: string): void {
  document.getElementById(id)?.focus();
}

/** Attributes of an element that several templates give. */
const attributes = directive(
  class extends Directive {
    /** Only says which arguments `update` gets. */
    render(given: Readonly<Record<string, string>>): undefined {
      void given;
    }

    override update({ element }: ElementPart, [given]: [Readonly<Record<string, string>>]): undefined {
      for (const [name, value] of Object.entries(given)) {
        if (element.getAttribute(name) !== value) {
          element.setAttribute(name, value);
        }
      }
    }
  },
);

/** The problems below one part, as that part knows them. */
function problemsBelow(problems: readonly FieldProblem[], index: number): readonly FieldProblem[] {
  return problems.flatMap(({ path: [first, ...path], message }) =>
    first === index ? [{ path, message }] : [],
  );
}

function ownOf(problems: readonly FieldProblem[]): string | undefined {
  return problems.find(({ path }) => path.length === 0)?.message;
}
