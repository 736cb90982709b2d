import type { UnknownRecord } from '../../base/values/record.ts';
import { draftOf, enteredOf, nothingEntered } from '../../form/fieldKinds.ts';
import type { Entered, ObjectField } from '../../form/formField.ts';
import { hasSecret } from '../../form/keptFields.ts';
import { printJson } from '../json/readableText.ts';

/**
 * What is entered in a form as JSON, without fields that have secrets in them. Nothing has to be valid: what can't be read
 * is there as the text that was typed.
 */
export function argumentsText(form: ObjectField, entered: Entered): string {
  const within = typeof entered === 'string' ? [] : entered;
  const members = form.fields.flatMap((field, index): [string, unknown][] => {
    const value = hasSecret(field) ? undefined : draftOf(field, within[index] ?? '');
    return value === undefined ? [] : [[field.name, value]];
  });
  return printJson(Object.fromEntries(members));
}

/** The form for arguments; or the names of those that no field can show. Fields with secrets keep what is entered. */
export function enteredArguments(
  form: ObjectField,
  args: UnknownRecord,
  before: Entered,
): { readonly entered: Entered } | { readonly unfit: readonly string[] } {
  const within = typeof before === 'string' ? [] : before;
  const entered = form.fields.map((field, index) => {
    if (Object.hasOwn(args, field.name)) {
      return enteredOf(field, args[field.name], true);
    }
    return hasSecret(field) ? (within[index] ?? nothingEntered(field)) : nothingEntered(field);
  });
  const names = new Set(form.fields.map(({ name }) => name));
  const unfit = [
    ...form.fields.flatMap(({ name }, index) => (entered[index] === undefined ? [name] : [])),
    ...Object.keys(args).filter((name) => !names.has(name)),
  ];
  return unfit.length > 0 ? { unfit } : { entered: entered.filter((one) => one !== undefined) };
}
