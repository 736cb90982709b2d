import type { Entered, FormField } from '../../form/formField.ts';
import type { FieldProblem } from '../../form/fieldKind.ts';
import { element, hide } from '../dom.ts';
import type { AskForValues } from './comboBox.ts';

/** A field in the page. */
export interface Widget {
  readonly node: HTMLElement;
  readonly entered: Entered;
  /** The fields of an object. */
  readonly parts?: readonly Widget[];
  /** Shows what is wrong here and below; `isAll` also where nothing was entered yet. */
  show(problems: readonly FieldProblem[], isAll: boolean): void;
  /** Shows what the host found, until that field changes. */
  showFound(problems: readonly FieldProblem[]): void;
  /** What gets the focus for a problem, and what the field is called. */
  target(path: readonly number[]): { readonly focus: () => void; readonly label: string };
}

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
  /** Called after each change; an object that is the whole form says in which of its fields. */
  readonly changed: (part?: number) => void;
}

/** The description of a field, and its problem; both are read with what they belong to. */
export class FieldNotes {
  readonly nodes: readonly HTMLElement[];
  readonly ids: string;
  readonly #problem: HTMLElement;
  #shown: string | undefined;
  #found: string | undefined;
  isTouched = false;

  constructor({ description }: FormField, id: string, hint: string) {
    const about = element('p', { class: 'hint about', id: `about-${id}` }, description ?? '');
    const expected = element('p', { class: 'hint', id: `expected-${id}` }, hint);
    this.#problem = element('p', { class: 'problem', id: `problem-${id}` });
    hide(about, description === undefined);
    hide(expected, hint === '');
    this.nodes = [about, expected, this.#problem];
    this.ids = this.nodes.map((node) => node.id).join(' ');
    this.#update();
  }

  get message(): string | undefined {
    return this.#shown ?? this.#found;
  }

  touch(): void {
    this.isTouched = true;
    this.#found = undefined;
  }

  show(problems: readonly FieldProblem[], isAll: boolean): void {
    this.#shown = isAll || this.isTouched ? ownOf(problems) : undefined;
    this.#update();
  }

  showFound(problems: readonly FieldProblem[]): void {
    this.#found = ownOf(problems);
    this.#update();
  }

  #update(): void {
    const text = this.message ?? '';
    if (this.#problem.textContent !== text) {
      this.#problem.textContent = text;
    }
    hide(this.#problem, this.message === undefined);
  }
}

/** The problems below one part, as that part knows them. */
export function problemsBelow(problems: readonly FieldProblem[], index: number): readonly FieldProblem[] {
  return problems.flatMap(({ path: [first, ...path], message }) =>
    first === index ? [{ path, message }] : [],
  );
}

function ownOf(problems: readonly FieldProblem[]): string | undefined {
  return problems.find(({ path }) => path.length === 0)?.message;
}
