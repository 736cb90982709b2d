import type { Entered, FormField } from '../../form/formField.ts';
import { readField, type FieldProblem } from '../../form/readField.ts';
import { element, hide } from '../elements.ts';
import type { AskForValues } from './comboBox.ts';
import type { Widget } from './formWidget.ts';
import { widgetFor } from './nestedWidgets.ts';

/** A form: errors are at their fields as you type, and in a summary at the top once you have tried to submit it. */
export class SchemaForm {
  readonly node: HTMLElement;
  readonly #field: FormField;
  readonly #root: Widget;
  readonly #summary: HTMLElement;
  #isTried = false;

  /** `changed` is called after each change; `ask` asks for suggestions for a text. */
  constructor(field: FormField, entered: Entered, id: string, changed: () => void, ask?: AskForValues) {
    this.#field = field;
    this.#summary = element('div', { class: 'summary', role: 'alert' });
    this.#root = widgetFor(field, entered, {
      id,
      isWhole: true,
      ask,
      changed: () => {
        this.#check();
        changed();
      },
    });
    this.node = element('div', { class: 'form' }, this.#summary, this.#root.node);
    hide(this.#summary, true);
    this.#check();
  }

  get entered(): Entered {
    return this.#root.entered;
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
    const read = readField(this.#field, this.entered);
    const problems = read.kind === 'problems' ? read.problems : [];
    this.#root.show(problems, this.#isTried);
    if (problems.length === 0) {
      hide(this.#summary, true);
    }
    return problems;
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
