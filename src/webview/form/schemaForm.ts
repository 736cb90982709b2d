import type { Entered, FormField } from '../../form/formField.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import { readField } from '../../form/fieldKinds.ts';
import { element, hide } from '../dom.ts';
import type { AskForValues } from './comboBox.ts';
import type { Widget } from './formWidget.ts';
import { widgetFor } from './nestedWidgets.ts';

/** A form: errors are at their fields as you type, and in a summary at the top once you have tried to submit it. */
export class SchemaForm {
  readonly node: HTMLElement;
  readonly #field: FormField;
  readonly #root: Widget;
  readonly #summary: HTMLElement;
  /** As of the last check. */
  #entered: Entered = '';
  /** Fields with problems, if there are several fields. */
  #wrong = new Set<number>();
  #isTried = false;

  /** `changed` is called after each change; `ask` asks for suggestions for a text. */
  constructor(field: FormField, entered: Entered, id: string, changed: () => void, ask?: AskForValues) {
    this.#field = field;
    this.#summary = element('div', { class: 'summary', role: 'alert' });
    this.#root = widgetFor(field, entered, {
      id,
      isWhole: true,
      ask:
        ask &&
        ((name, take) => {
          // A box asks before it reports the change.
          this.#read(field.kind === 'object' ? field.fields.findIndex((one) => one.name === name) : -1);
          ask(name, take);
        }),
      changed: (part) => {
        if (part === undefined) {
          this.#check();
        } else {
          this.#checkPart(part);
        }
        changed();
      },
    });
    this.node = element('div', { class: 'form' }, this.#summary, this.#root.node);
    hide(this.#summary, true);
    this.#check();
  }

  get entered(): Entered {
    return this.#entered;
  }

  /** Whether it can be submitted; otherwise the summary shows why, and the first field with a problem has the focus. */
  submit(): boolean {
    this.#isTried = true;
    const problems = this.#check();
    this.#summarize(problems);
    return problems.length === 0;
  }

  /** Shows what only the host can find. */
  found(problems: readonly FieldProblem[]): void {
    this.#root.showFound(problems);
    this.#summarize(problems);
  }

  #check(): readonly FieldProblem[] {
    this.#entered = this.#root.entered;
    const problems = problemsOf(this.#field, this.#entered);
    this.#wrong = new Set(problems.map(({ path: [part = -1] }) => part));
    this.#root.show(problems, this.#isTried);
    this.#hideSummary();
    return problems;
  }

  /** After a change in one of the fields: however many there are, only that one is read and shown again. */
  #checkPart(index: number): void {
    const part = this.#root.parts?.[index];
    const field = this.#field.kind === 'object' ? this.#field.fields[index] : undefined;
    if (!part || !field) {
      return;
    }
    this.#read(index);
    const problems = problemsOf(field, this.#entered[index] ?? '');
    part.show(problems, this.#isTried);
    if (problems.length > 0) {
      this.#wrong.add(index);
    } else {
      this.#wrong.delete(index);
    }
    this.#hideSummary();
  }

  #read(index: number): void {
    const part = this.#root.parts?.[index];
    if (part && typeof this.#entered !== 'string') {
      this.#entered = this.#entered.with(index, part.entered);
    } else {
      this.#entered = this.#root.entered;
    }
  }

  #hideSummary(): void {
    if (this.#wrong.size === 0) {
      hide(this.#summary, true);
    }
  }

  #summarize(problems: readonly FieldProblem[]): void {
    const rows = problems.map(({ path, message }) => {
      const { focus, label } = this.#root.target(path);
      const link = element('button', { class: 'fold', type: 'button' }, `${label}: ${message}`);
      link.addEventListener('click', focus);
      return element('li', {}, link);
    });
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    this.#summary.replaceChildren(
      element('p', {}, `${count} to fix before this can be sent:`),
      element('ul', {}, ...rows),
    );
    hide(this.#summary, problems.length === 0);
    const [first] = problems;
    if (first) {
      this.#root.target(first.path).focus();
    }
  }
}

function problemsOf(field: FormField, entered: Entered): readonly FieldProblem[] {
  const read = readField(field, entered);
  return read.kind === 'problems' ? read.problems : [];
}
