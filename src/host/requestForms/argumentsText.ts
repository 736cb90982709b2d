import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import { enteredOf, nothingEntered } from '../../form/enteredValue.ts';
import type { Entered, FormField, ObjectField } from '../../form/formField.ts';
import { hasSecret } from '../../form/keptFields.ts';
import { readField } from '../../form/readField.ts';
import { printJson } from '../json/readableText.ts';

/**
 * What is entered in a form as JSON, without fields that have secrets in them. Nothing has to be valid: what can't be read
 * is there as the text that was typed.
 */
export function argumentsText(form: ObjectField, entered: Entered): string {
  const within = typeof entered === 'string' ? [] : entered;
  const members = form.fields.flatMap((field, index): [string, unknown][] => {
    const value = hasSecret(field) ? undefined : typedValue(field, within[index] ?? '');
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
      return typedEntered(field, args[field.name]);
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

/** The value of a field, or what is typed in it; undefined for nothing. */
function typedValue(field: FormField, entered: Entered): unknown {
  const read = readField(field, entered);
  if (read.kind !== 'problems') {
    return read.kind === 'value' ? read.value : undefined;
  }
  if (typeof entered === 'string') {
    return entered.trim() === '' ? undefined : entered;
  }
  switch (field.kind) {
    case 'object':
      return Object.fromEntries(
        field.fields.flatMap((one, index): [string, unknown][] => {
          const value = typedValue(one, entered[index] ?? '');
          return value === undefined ? [] : [[one.name, value]];
        }),
      );
    case 'list':
      return entered.map((one) => typedValue(field.item, one) ?? null);
    case 'choices':
      return entered.flatMap((one) => {
        const choice = field.choices[Number(one)];
        return choice ? [choice.value] : [];
      });
    case 'alternatives': {
      const option = field.options[Number(entered[0])];
      return option && typedValue(option, entered[1] ?? '');
    }
    default:
      return undefined;
  }
}

/** A field with a value, or with a text that is typed but isn't one; undefined if it can show neither. */
function typedEntered(field: FormField, value: unknown): Entered | undefined {
  if (field.kind === 'json' && field.accepts !== 'any' && typeof value === 'string') {
    return value;
  }
  const exact = enteredOf(field, value);
  if (exact !== undefined) {
    return exact;
  }
  if (field.kind === 'number' && typeof value === 'string') {
    return value;
  }
  if (field.kind === 'list' && Array.isArray(value)) {
    const items = value.map((one) =>
      one === null ? nothingEntered(field.item) : typedEntered(field.item, one),
    );
    return items.includes(undefined) ? undefined : items.filter((one) => one !== undefined);
  }
  if (field.kind === 'object' && isRecord(value)) {
    const read = enteredArguments(field, value, '');
    return 'entered' in read ? read.entered : undefined;
  }
  return undefined;
}
