import { fieldsWithin, fitsField, initiallyEntered } from './fieldKinds.ts';
import type { Entered, FormField } from './formField.ts';

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
  return isMeant(field) || fieldsWithin(field).some((one) => hasField(one, isMeant));
}

/** What is entered, by the names of fields. */
export function enteredByName(form: FormField, entered: Entered): KeptFields {
  return byName(fieldsOf(form, entered));
}

/** The same without every field that has a secret in it. */
export function keptFields(form: FormField, entered: Entered): KeptFields {
  return byName(fieldsOf(form, entered).filter(({ field }) => !hasSecret(field)));
}

/** A form with what was kept of it: fields of which nothing is kept, or nothing that fits, have their defaults. */
export function withKeptFields(form: FormField, kept: KeptFields): Entered {
  const entered = fieldsOf(form, undefined).map(({ field }) => {
    const within = Object.hasOwn(kept, field.name) ? kept[field.name] : undefined;
    return within !== undefined && fitsField(field, within) ? within : initiallyEntered(field);
  });
  return form.kind === 'object' ? entered : (entered[0] ?? initiallyEntered(form));
}

interface NamedField {
  readonly field: FormField;
  readonly entered: Entered | undefined;
}

function byName(parts: readonly NamedField[]): KeptFields {
  return Object.fromEntries(
    parts.flatMap(({ field, entered }) => (entered === undefined ? [] : [[field.name, entered]])),
  );
}

function fieldsOf(form: FormField, entered: Entered | undefined): readonly NamedField[] {
  if (form.kind !== 'object') {
    return [{ field: form, entered }];
  }
  const within = typeof entered === 'string' ? [] : (entered ?? []);
  return form.fields.map((field, index) => ({ field, entered: within[index] }));
}
