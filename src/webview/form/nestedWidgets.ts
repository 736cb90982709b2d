import { html } from 'lit';
import { addedEntered, initiallyEntered } from '../../form/fieldKinds.ts';
import {
  canBeAbsent,
  type AlternativesField,
  type Entered,
  type FormField,
  type ListField,
  type ObjectField,
} from '../../form/formField.ts';
import { button } from '../card.ts';
import type { Content } from '../elements.ts';
import { focusOn, Widget, widgetViews, type WidgetContext } from './formWidget.ts';
import {
  ChoicesWidget,
  ConstWidget,
  countText,
  PickedWidget,
  selectView,
  TypedWidget,
} from './valueWidgets.ts';

/** The widget of any field. */
export function widgetFor(field: FormField, entered: Entered, context: WidgetContext): Widget {
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'json':
      return new TypedWidget(field, entered, context);
    case 'boolean':
    case 'choice':
      return new PickedWidget(field, entered, context);
    case 'choices':
      return new ChoicesWidget(field, entered, context);
    case 'const':
      return new ConstWidget(field, context);
    case 'list':
      return new ListWidget(field, entered, context);
    case 'object':
      return new ObjectWidget(field, entered, context);
    case 'alternatives':
      return new AlternativesWidget(field, entered, context);
  }
}

/** The fields of an object, which you add first if it can be absent; those of the whole form are in no group. */
class ObjectWidget extends Widget<ObjectField> {
  #isAbsent = false;

  constructor(field: ObjectField, entered: Entered, context: WidgetContext) {
    super(field, context);
    this.#take(entered);
  }

  get entered(): Entered {
    return this.#isAbsent ? '' : this.parts.map((part) => part.entered);
  }

  override target(path: readonly number[]): ReturnType<Widget['target']> {
    const own = `${this.#isAbsent ? 'add' : 'legend'}-${this.context.id}`;
    return this.parts[path[0] ?? -1] ? super.target(path) : { focus: () => focusOn(own), label: this.label };
  }

  view(): Content {
    const within = html`<div class="fields">${widgetViews(this.parts)}</div>`;
    if (this.context.isWhole) {
      return html`<div>${this.about()} ${this.problem()} ${within}</div>`;
    }
    const remove = canBeAbsent(this.field) ? this.#changing('Remove', '', []) : undefined;
    const add = this.#changing('Add', addedEntered(this.field), [0]);
    return this.group([within, this.#isAbsent ? add : remove]);
  }

  /** A button that adds or removes it, after which its first field or the other button has the focus. */
  #changing(label: 'Add' | 'Remove', entered: Entered, next: readonly number[]): Content {
    const press = (): void => {
      this.#take(entered);
      this.changed();
      this.target(next).focus();
    };
    return button(label, press, {
      id: `${label.toLowerCase()}-${this.context.id}`,
      name: `${label} ${this.label}`,
    });
  }

  #take(entered: Entered): void {
    const { id, changed, isWhole, ask, refresh } = this.context;
    this.#isAbsent = canBeAbsent(this.field) && typeof entered === 'string';
    this.parts = (this.#isAbsent ? [] : this.field.fields).map((one, index) =>
      widgetFor(one, entered[index] ?? initiallyEntered(one), {
        id: `${id}-${index}`,
        changed: isWhole ? () => changed(index) : changed,
        ask,
        refresh,
      }),
    );
  }
}

/** A list whose items you add and remove. */
class ListWidget extends Widget<ListField> {
  #count = 0;

  constructor(field: ListField, entered: Entered, context: WidgetContext) {
    super(field, context, countText(field));
    (typeof entered === 'string' ? [] : entered).forEach((one) => this.#append(one));
  }

  get entered(): Entered {
    return this.parts.map((part) => part.entered);
  }

  view(): Content {
    const add = (): void => {
      this.#append(initiallyEntered(this.field.item));
      this.changed();
      this.parts.at(-1)?.target([]).focus();
    };
    const item = (part: Widget): Content => {
      const remove = (): void => {
        this.parts = this.parts.filter((one) => one !== part);
        this.changed();
        focusOn(this.controlId);
      };
      const name = `Remove ${part.label}: ${this.label}`;
      return html`<div class="item">${part.view()} ${button('Remove', remove, { name })}</div>`;
    };
    return this.group([
      html`<div class="items">${widgetViews(this.parts, item)}</div>`,
      button('Add Item', add, { id: this.controlId, name: `Add Item: ${this.label}` }),
    ]);
  }

  #append(entered: Entered): void {
    const { id, changed, refresh } = this.context;
    const { item } = this.field;
    this.#count += 1;
    const label = `${item.label} ${this.parts.length + 1}`;
    this.parts = [
      ...this.parts,
      widgetFor(item, entered, { id: `${id}-o${this.#count}`, label, changed, refresh }),
    ];
  }
}

/** The choice of an alternative, and its field. */
class AlternativesWidget extends Widget<AlternativesField> {
  #chosen = '';

  constructor(field: AlternativesField, entered: Entered, context: WidgetContext) {
    super(field, context);
    const [chosen = '', within] = typeof entered === 'string' ? [] : entered;
    this.#open(typeof chosen === 'string' ? chosen : '', within);
  }

  get entered(): Entered {
    return this.parts.flatMap((part) => [this.#chosen, part.entered]);
  }

  view(): Content {
    const options = this.field.options.map(({ label }, index) => [String(index), label] as const);
    const select = selectView(this.told(this.labelText), options, this.#chosen, (value) => {
      this.#open(value, undefined);
      this.changed();
    });
    const within = html`<div class="control">${select}</div>
      <div class="within">${widgetViews(this.parts)}</div>`;
    return this.group(within, false);
  }

  #open(chosen: string, entered: Entered | undefined): void {
    const { id, changed, refresh } = this.context;
    const options = chosen === '' ? [] : this.field.options.slice(Number(chosen), Number(chosen) + 1);
    this.#chosen = chosen;
    this.parts = options.map((option) =>
      widgetFor(option, entered ?? initiallyEntered(option), {
        id: `${id}-o${chosen}`,
        label: option.label,
        changed,
        refresh,
      }),
    );
  }
}
