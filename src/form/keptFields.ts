import { initiallyEntered } from './enteredValue.ts';
import { canBeAbsent, type Entered, type FormField } from './formField.ts';

/** What is entered in the fields of a form, by their names; a form that is one field has an empty name. */
export type KeptFields = Readonly<Record<string, Entered>>;

/** Whether a field asks for a password, a token or a key, or a field in it does. */
export function hasSecret(field: FormField): boolean {
  return hasField(field, ({ isSecret }) => isSecret);
}

/** Whether you can write a text of your own in a field, or in a field in it. */
export function takesText(field: FormField): boolean {
  return hasField(field, ({ kind }) => kind === 'text' || kind === 'json');
}

function hasField(field: FormField, isMeant: (field: FormField) => boolean): boolean {
  const isIn = (one: FormField): boolean => hasField(one, isMeant);
  switch (field.kind) {
    case 'object':
      return isMeant(field) || field.fields.some(isIn);
    case 'alternatives':
      return isMeant(field) || field.options.some(isIn);
    case 'list':
      return isMeant(field) || isIn(field.item);
    default:
      return isMeant(field);
  }
}

/** What is entered, by the names of fields. */
export function enteredByName(form: FormField, entered: Entered): KeptFields {
  return byName(partsOf(form, entered));
}

/** The same without every field that has a secret in it. */
export function keptFields(form: FormField, entered: Entered): KeptFields {
  return byName(partsOf(form, entered).filter(({ field }) => !hasSecret(field)));
}

/** A form with what was kept of it: fields of which nothing is kept, or nothing that fits, have their defaults. */
export function withKeptFields(form: FormField, kept: KeptFields): Entered {
  const entered = partsOf(form, undefined).map(({ field }) => {
    const within = Object.hasOwn(kept, field.name) ? kept[field.name] : undefined;
    return within !== undefined && fits(field, within) ? within : initiallyEntered(field);
  });
  return form.kind === 'object' ? entered : (entered[0] ?? initiallyEntered(form));
}

interface Part {
  readonly field: FormField;
  readonly entered: Entered | undefined;
}

function byName(parts: readonly Part[]): KeptFields {
  return Object.fromEntries(
    parts.flatMap(({ field, entered }) => (entered === undefined ? [] : [[field.name, entered]])),
  );
}

function partsOf(form: FormField, entered: Entered | undefined): readonly Part[] {
  if (form.kind !== 'object') {
    return [{ field: form, entered }];
  }
  const within = typeof entered === 'string' ? [] : (entered ?? []);
  return form.fields.map((field, index) => ({ field, entered: within[index] }));
}

/** Whether something can be entered in a field: what was kept may be of another form. */
function fits(field: FormField, entered: Entered): boolean {
  if (typeof entered === 'string') {
    switch (field.kind) {
      case 'text':
      case 'number':
      case 'json':
        return true;
      case 'boolean':
        return ['', 'yes', 'no'].includes(entered);
      case 'choice':
        return entered === '' || isIndex(entered, field.choices.length);
      case 'const':
        return entered === '';
      case 'object':
        return entered === '' && canBeAbsent(field);
      default:
        return false;
    }
  }
  switch (field.kind) {
    case 'choices':
      return entered.every((one) => isIndex(one, field.choices.length));
    case 'list':
      return entered.every((one) => fits(field.item, one));
    case 'object':
      return (
        entered.length === field.fields.length &&
        field.fields.every((one, index) => fits(one, entered[index] ?? ''))
      );
    case 'alternatives': {
      const [chosen, within] = entered;
      const option = isIndex(chosen, field.options.length) ? field.options[Number(chosen)] : undefined;
      return entered.length === 0 || (option !== undefined && within !== undefined && fits(option, within));
    }
    default:
      return false;
  }
}

function isIndex(one: Entered | undefined, count: number): boolean {
  return typeof one === 'string' && /^\d{1,6}$/.test(one) && Number(one) < count;
}
