import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  ConstField,
  Entered,
  FormField,
  JsonField,
  NumberField,
  TextField,
} from '../../form/formField.ts';
import { textFormats } from '../../form/textFormat.ts';
import { element } from '../dom.ts';
import { ComboBox, type AskForValues } from './comboBox.ts';
import { FieldNotes, type Widget, type WidgetContext } from './formWidget.ts';

type TypedField = TextField | NumberField | JsonField;
type PickedField = BooleanField | ChoiceField;
/** The event of a box that took a suggestion. */
const PICKED = 'picked';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A text, a number or JSON. */
export function typedWidget(field: TypedField, entered: Entered, context: WidgetContext): Widget {
  const isLong = field.kind === 'json' || (field.kind === 'text' && field.isLong);
  const isMasked = field.isSecret && !isLong;
  const control = isLong
    ? element('textarea', { rows: field.kind === 'json' ? '5' : '4', spellcheck: 'false' })
    : element('input', { type: isMasked ? 'password' : 'text', autocomplete: 'off', spellcheck: 'false' });
  if (field.kind === 'number') {
    control.setAttribute('inputmode', field.isInteger ? 'numeric' : 'decimal');
  }
  if (isLong && field.isSecret) {
    control.classList.add('masked');
  }
  const value = typeof entered === 'string' ? entered : '';
  control.value = value;
  control.id = `control-${context.id}`;
  if (context.ask && field.kind === 'text' && !field.isSecret && control instanceof HTMLInputElement) {
    return suggestedWidget(field, value, control, { ...context, ask: context.ask });
  }
  const controls = isMasked ? [control, showButton(control)] : [control];
  return controlWidget(field, control, hintFor(field), context, controls);
}

/** A text for which a server suggests values. */
function suggestedWidget(
  field: TextField,
  value: string,
  control: HTMLInputElement,
  context: WidgetContext & { readonly ask: AskForValues },
): Widget {
  const { ask, label = field.label } = context;
  const picked = (): void => {
    control.dispatchEvent(new Event(PICKED));
  };
  const box = new ComboBox(control, { label, field: field.name, ask, picked });
  box.begin(value);
  const widget = controlWidget(field, control, hintFor(field), context, box.nodes);
  return {
    ...widget,
    get entered() {
      return box.value;
    },
  };
}

/** One of some values, or yes or no. */
export function pickedWidget(field: PickedField, entered: Entered, context: WidgetContext): Widget {
  const options =
    field.kind === 'boolean'
      ? [
          ['yes', 'Yes'],
          ['no', 'No'],
        ]
      : field.choices.map(({ label }, index) => [String(index), label]);
  const control = element(
    'select',
    {},
    element('option', { value: '' }, '(nothing selected)'),
    ...options.map(([value = '', label = '']) => element('option', { value }, label)),
  );
  control.value = typeof entered === 'string' ? entered : '';
  return controlWidget(field, control, '', context, [control]);
}

/** Several of some values. */
export function choicesWidget(field: ChoicesField, entered: Entered, context: WidgetContext): Widget {
  const { id, label = field.label, changed } = context;
  const notes = new FieldNotes(field, id, countText(field));
  const chosen = new Set(typeof entered === 'string' ? [] : entered);
  const boxes = field.choices.map((choice, index) => {
    const box = element('vscode-checkbox', {}, choice.label);
    box.label = choice.label;
    box.checked = chosen.has(String(index));
    box.addEventListener('change', () => {
      notes.touch();
      changed();
    });
    return box;
  });
  const node = element(
    'fieldset',
    { class: 'field', 'aria-describedby': notes.ids },
    element('legend', {}, labelText(label, field)),
    ...notes.nodes,
    element('div', { class: 'choices' }, ...boxes),
  );
  return {
    node,
    get entered() {
      return boxes.flatMap((box, index) => (box.checked ? [String(index)] : []));
    },
    show: (problems, isAll) => notes.show(problems, isAll),
    showFound: (problems) => notes.showFound(problems),
    target: () => ({ focus: () => boxes[0]?.focus(), label }),
  };
}

/** The only valid value, which is shown and not entered. */
export function constWidget(field: ConstField, { id, label = field.label }: WidgetContext): Widget {
  const notes = new FieldNotes(field, id, field.isRequired ? '' : 'This is not sent.');
  const node = element(
    'div',
    { class: 'field', tabindex: '-1' },
    element('p', { class: 'label' }, label),
    ...notes.nodes,
    element('code', {}, field.shown),
  );
  return {
    node,
    entered: '',
    show: () => {},
    showFound: (problems) => notes.showFound(problems),
    target: () => ({ focus: () => node.focus(), label }),
  };
}

/** The label of a field; an item of a list, and an alternative, is there because you added or chose it. */
export function labelText(label: string, { name, isRequired }: FormField): string {
  return isRequired && name !== '' ? `${label} (required)` : label;
}

export function countText(counts: { readonly minItems: number; readonly maxItems?: number }): string {
  const { minItems, maxItems } = counts;
  if (maxItems === undefined) {
    return minItems > 0 ? `At least ${minItems}` : '';
  }
  return minItems > 0 ? `${minItems} to ${maxItems}` : `At most ${maxItems}`;
}

function controlWidget(
  field: TypedField | PickedField,
  control: Control,
  hint: string,
  { id, label = field.label, changed }: WidgetContext,
  controls: readonly HTMLElement[],
): Widget {
  const notes = new FieldNotes(field, id, hint);
  control.id = `control-${id}`;
  control.setAttribute('aria-describedby', notes.ids);
  control.setAttribute('aria-required', String(field.isRequired));
  const update = (): void => control.setAttribute('aria-invalid', String(notes.message !== undefined));
  const entered = (): void => {
    notes.touch();
    changed();
  };
  control.addEventListener(control.tagName === 'SELECT' ? 'change' : 'input', entered);
  control.addEventListener(PICKED, entered);
  update();
  return {
    node: element(
      'div',
      { class: 'field' },
      element('label', { for: control.id }, labelText(label, field)),
      ...notes.nodes.slice(0, 2),
      element('div', { class: 'control' }, ...controls),
      ...notes.nodes.slice(2),
    ),
    get entered() {
      return control.value;
    },
    show: (problems, isAll) => {
      notes.show(problems, isAll);
      update();
    },
    showFound: (problems) => {
      notes.showFound(problems);
      update();
    },
    target: () => ({ focus: () => control.focus(), label }),
  };
}

function showButton(control: Control): HTMLElement {
  const button = element('button', { class: 'fold', type: 'button', 'aria-pressed': 'false' }, 'Show');
  button.addEventListener('click', () => {
    const isShown = control.getAttribute('type') === 'password';
    control.setAttribute('type', isShown ? 'text' : 'password');
    button.textContent = isShown ? 'Hide' : 'Show';
    button.setAttribute('aria-pressed', String(isShown));
  });
  return button;
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
