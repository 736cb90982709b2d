import { html } from 'lit';
import type { Entered, FormField } from '../../form/formField.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import { readField } from '../../form/fieldKinds.ts';
import { bullets, linkButton } from '../card.ts';
import type { Content } from '../elements.ts';
import type { AskForValues } from './comboBox.ts';
import type { Widget } from './formWidget.ts';
import { widgetFor } from './nestedWidgets.ts';

/** What a form needs of its page. */
interface FormPort {
  /** Called after each change. */
  changed(): void;
  /** Shows the form as it is now. */
  refresh(): void;
  /** Asks for suggestions for a text. */
  readonly ask?: AskForValues | undefined;
}

interface Summarized {
  readonly words: string;
  readonly focus: () => void;
}

/** A form: errors are at their fields as you type, and in a summary at the top once you have tried to submit it. */
export class SchemaForm {
  readonly #field: FormField;
  readonly #root: Widget;
  readonly #port: FormPort;
  #summary: readonly Summarized[] = [];
  /** As of the last check. */
  #entered: Entered = '';
  /** Fields with problems, if there are several fields. */
  #wrong = new Set<number>();
  #isTried = false;

  constructor(field: FormField, entered: Entered, id: string, port: FormPort) {
    const { ask } = port;
    this.#field = field;
    this.#port = port;
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
        port.changed();
        port.refresh();
      },
      refresh: () => port.refresh(),
    });
    this.#check();
  }

  view(): Content {
    const problems = this.#summary;
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    return html`<div class="form">
      <div class="summary" role="alert" ?hidden=${problems.length === 0}>
        <p>${count} to fix before this can be sent:</p>
        ${bullets(problems.map(({ words, focus }) => linkButton(words, focus)))}
      </div>
      ${this.#root.view()}
    </div>`;
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
      this.#summary = [];
    }
  }

  #summarize(problems: readonly FieldProblem[]): void {
    this.#summary = problems.map(({ path, message }) => {
      const { focus, label } = this.#root.target(path);
      return { words: `${label}: ${message}`, focus };
    });
    this.#port.refresh();
    this.#summary[0]?.focus();
  }
}

function problemsOf(field: FormField, entered: Entered): readonly FieldProblem[] {
  const read = readField(field, entered);
  return read.kind === 'problems' ? read.problems : [];
}
