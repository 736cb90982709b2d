import { addedEntered, initiallyEntered } from '../../form/fieldKinds.ts';
import {
  canBeAbsent,
  type AlternativesField,
  type Entered,
  type FormField,
  type ListField,
  type ObjectField,
} from '../../form/formField.ts';
import { button, element, hide } from '../dom.ts';
import { FieldNotes, problemsBelow, type Widget, type WidgetContext } from './formWidget.ts';
import {
  choicesWidget,
  constWidget,
  countText,
  labelText,
  pickedWidget,
  typedWidget,
} from './valueWidgets.ts';

/** The widget of any field. */
export function widgetFor(field: FormField, entered: Entered, context: WidgetContext): Widget {
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'json':
      return typedWidget(field, entered, context);
    case 'boolean':
    case 'choice':
      return pickedWidget(field, entered, context);
    case 'choices':
      return choicesWidget(field, entered, context);
    case 'const':
      return constWidget(field, context);
    case 'list':
      return new ListWidget(field, entered, context);
    case 'object':
      return new ObjectWidget(field, entered, context);
    case 'alternatives':
      return new AlternativesWidget(field, entered, context);
  }
}

/** The fields of an object, which you add first if it can be absent; those of the whole form are in no group. */
class ObjectWidget implements Widget {
  readonly node: HTMLElement;
  readonly #field: ObjectField;
  readonly #context: WidgetContext;
  readonly #label: string;
  readonly #notes: FieldNotes;
  readonly #legend: HTMLElement;
  readonly #within = element('div', { class: 'fields' });
  readonly #add: HTMLElement;
  readonly #remove: HTMLElement;
  /** Undefined while it is absent. */
  #parts: readonly Widget[] | undefined;

  constructor(field: ObjectField, entered: Entered, context: WidgetContext) {
    const { id, label = field.label, isWhole } = context;
    this.#field = field;
    this.#context = context;
    this.#label = label;
    this.#notes = new FieldNotes(field, id, '');
    this.#legend = element('legend', { tabindex: '-1' }, labelText(label, field));
    this.#add = this.#changing('Add', addedEntered(field), () => this.target([0]).focus());
    this.#remove = this.#changing('Remove', '', () => this.#add.focus());
    const { nodes, ids } = this.#notes;
    this.node = isWhole
      ? element('div', {}, ...nodes, this.#within)
      : element(
          'fieldset',
          { class: 'field group', 'aria-describedby': ids },
          this.#legend,
          ...nodes,
          this.#within,
          this.#add,
          this.#remove,
        );
    this.#show(entered);
  }

  get entered(): Entered {
    return this.#parts?.map((part) => part.entered) ?? '';
  }

  get parts(): readonly Widget[] {
    return this.#parts ?? [];
  }

  show(problems: Parameters<Widget['show']>[0], isAll: boolean): void {
    this.#notes.show(problems, isAll);
    this.#parts?.forEach((part, index) => part.show(problemsBelow(problems, index), isAll));
  }

  showFound(problems: Parameters<Widget['showFound']>[0]): void {
    this.#notes.showFound(problems);
    this.#parts?.forEach((part, index) => part.showFound(problemsBelow(problems, index)));
  }

  target([index = -1, ...rest]: readonly number[]): ReturnType<Widget['target']> {
    const own = this.#parts ? this.#legend : this.#add;
    return this.#parts?.[index]?.target(rest) ?? { focus: () => own.focus(), label: this.#label };
  }

  /** A button that adds or removes it. */
  #changing(label: string, entered: Entered, focus: () => void): HTMLElement {
    const made = button(label, {}, () => {
      this.#show(entered);
      this.#notes.touch();
      this.#context.changed();
      focus();
    });
    made.setAttribute('aria-label', `${label} ${this.#label}`);
    return made;
  }

  #show(entered: Entered): void {
    const { id, changed, isWhole, ask } = this.#context;
    const isAbsent = canBeAbsent(this.#field) && typeof entered === 'string';
    this.#parts = isAbsent
      ? undefined
      : this.#field.fields.map((one, index) =>
          widgetFor(one, entered[index] ?? initiallyEntered(one), {
            id: `${id}-${index}`,
            changed: isWhole ? () => changed(index) : changed,
            ask,
          }),
        );
    this.#within.replaceChildren(...(this.#parts ?? []).map(({ node }) => node));
    hide(this.#add, !isAbsent);
    hide(this.#remove, isAbsent || !canBeAbsent(this.#field));
  }
}

/** A list whose items you add and remove. */
class ListWidget implements Widget {
  readonly node: HTMLElement;
  readonly #field: ListField;
  readonly #context: WidgetContext;
  readonly #label: string;
  readonly #notes: FieldNotes;
  readonly #items = element('div', { class: 'items' });
  readonly #add: HTMLElement;
  #parts: readonly Widget[] = [];
  #isAll = false;
  #count = 0;

  constructor(field: ListField, entered: Entered, context: WidgetContext) {
    this.#field = field;
    this.#context = context;
    this.#label = context.label ?? field.label;
    this.#notes = new FieldNotes(field, context.id, countText(field));
    this.#add = button('Add Item', {}, () => {
      this.#append(initiallyEntered(field.item));
      this.#changed();
      this.#parts.at(-1)?.target([]).focus();
    });
    this.#add.setAttribute('aria-label', `Add Item: ${this.#label}`);
    this.node = element(
      'fieldset',
      { class: 'field group', 'aria-describedby': this.#notes.ids },
      element('legend', {}, labelText(this.#label, field)),
      ...this.#notes.nodes,
      this.#items,
      this.#add,
    );
    (typeof entered === 'string' ? [] : entered).forEach((one) => this.#append(one));
  }

  get entered(): Entered {
    return this.#parts.map((part) => part.entered);
  }

  show(problems: readonly Parameters<Widget['show']>[0][number][], isAll: boolean): void {
    this.#isAll = isAll;
    this.#notes.show(problems, isAll);
    this.#parts.forEach((part, index) => part.show(problemsBelow(problems, index), this.#isAll));
  }

  showFound(problems: Parameters<Widget['showFound']>[0]): void {
    this.#notes.showFound(problems);
    this.#parts.forEach((part, index) => part.showFound(problemsBelow(problems, index)));
  }

  target([index = -1, ...rest]: readonly number[]): ReturnType<Widget['target']> {
    return this.#parts[index]?.target(rest) ?? { focus: () => this.#add.focus(), label: this.#label };
  }

  #append(entered: Entered): void {
    const number = this.#parts.length + 1;
    this.#count += 1;
    const part = widgetFor(this.#field.item, entered, {
      id: `${this.#context.id}-o${this.#count}`,
      label: `${this.#field.item.label} ${number}`,
      changed: this.#context.changed,
    });
    const remove = button('Remove', {}, () => {
      this.#parts = this.#parts.filter((one) => one !== part);
      item.remove();
      this.#changed();
      this.#add.focus();
    });
    remove.setAttribute('aria-label', `Remove ${this.#field.item.label} ${number}: ${this.#label}`);
    const item = element('div', { class: 'item' }, part.node, remove);
    this.#parts = [...this.#parts, part];
    this.#items.append(item);
  }

  #changed(): void {
    this.#notes.touch();
    this.#context.changed();
  }
}

/** The choice of an alternative, and its field. */
class AlternativesWidget implements Widget {
  readonly node: HTMLElement;
  readonly #field: AlternativesField;
  readonly #context: WidgetContext;
  readonly #label: string;
  readonly #notes: FieldNotes;
  readonly #select: HTMLSelectElement;
  readonly #within = element('div', { class: 'within' });
  #part: Widget | undefined;

  constructor(field: AlternativesField, entered: Entered, context: WidgetContext) {
    this.#field = field;
    this.#context = context;
    this.#label = context.label ?? field.label;
    this.#notes = new FieldNotes(field, context.id, '');
    const [chosen = '', within] = typeof entered === 'string' ? [] : entered;
    this.#select = element(
      'select',
      {
        id: `control-${context.id}`,
        'aria-describedby': this.#notes.ids,
        'aria-label': labelText(this.#label, field),
      },
      element('option', { value: '' }, '(nothing selected)'),
      ...field.options.map(({ label }, index) => element('option', { value: String(index) }, label)),
    );
    this.#select.value = typeof chosen === 'string' ? chosen : '';
    this.#select.addEventListener('change', () => {
      this.#open(undefined);
      this.#notes.touch();
      context.changed();
    });
    this.node = element(
      'fieldset',
      { class: 'field group' },
      element('legend', {}, labelText(this.#label, field)),
      ...this.#notes.nodes,
      element('div', { class: 'control' }, this.#select),
      this.#within,
    );
    this.#open(within);
  }

  get entered(): Entered {
    return this.#part ? [this.#select.value, this.#part.entered] : [];
  }

  show(problems: Parameters<Widget['show']>[0], isAll: boolean): void {
    this.#notes.show(problems, isAll);
    this.#part?.show(problemsBelow(problems, 0), isAll);
  }

  showFound(problems: Parameters<Widget['showFound']>[0]): void {
    this.#notes.showFound(problems);
    this.#part?.showFound(problemsBelow(problems, 0));
  }

  target([index, ...rest]: readonly number[]): ReturnType<Widget['target']> {
    return index === 0 && this.#part
      ? this.#part.target(rest)
      : { focus: () => this.#select.focus(), label: this.#label };
  }

  #open(entered: Entered | undefined): void {
    const option = this.#select.value === '' ? undefined : this.#field.options[Number(this.#select.value)];
    this.#part =
      option &&
      widgetFor(option, entered ?? initiallyEntered(option), {
        id: `${this.#context.id}-o${this.#select.value}`,
        label: option.label,
        changed: this.#context.changed,
      });
    this.#within.replaceChildren(...(this.#part ? [this.#part.node] : []));
  }
}
