import {
  canBeAbsent,
  type Entered,
  type FieldChoice,
  type FormField,
  type ObjectField,
} from './formField.ts';
import { readField } from './readField.ts';

/**
 * What a field shows before anything is entered: its default, or those of what is in it. An object that need not be there
 * is absent, so that a default in it doesn't require the rest.
 */
export function initiallyEntered(field: FormField): Entered {
  const { initial } = field;
  return (initial === undefined ? undefined : enteredOf(field, initial)) ?? initiallyWithin(field);
}

function initiallyWithin(field: FormField): Entered {
  switch (field.kind) {
    case 'list':
      // What must be there anyway is shown at once.
      return Array.from({ length: field.isRequired ? Math.min(field.minItems, 20) : 0 }, () =>
        initiallyEntered(field.item),
      );
    case 'object':
      return canBeAbsent(field) ? nothingEntered(field) : addedEntered(field);
    default:
      return nothingEntered(field);
  }
}

/** What an object shows when it is added. */
export function addedEntered({ fields }: ObjectField): readonly Entered[] {
  return fields.map(initiallyEntered);
}

/** A field as it is for a value; undefined if the field can't show the value. */
export function enteredOf(field: FormField, value: unknown): Entered | undefined {
  if (value === null && field.isNullable) {
    return nothingEntered(field);
  }
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' ? JSON.stringify(value) : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? (value ? 'yes' : 'no') : undefined;
    case 'choice': {
      const index = indexOf(field.choices, value);
      return index < 0 ? undefined : String(index);
    }
    case 'choices': {
      const indexes = Array.isArray(value) ? value.map((one) => indexOf(field.choices, one)) : [-1];
      return indexes.includes(-1) ? undefined : [...new Set(indexes)].map(String);
    }
    case 'const':
      return isSame(field.value, value) ? '' : undefined;
    case 'list':
      return Array.isArray(value) ? all(value.map((one) => enteredOf(field.item, one))) : undefined;
    case 'object':
      return enteredInObject(field.fields, value);
    case 'alternatives':
      return enteredInFirst(field.options, value);
    case 'json':
      return value === undefined ? undefined : JSON.stringify(value, undefined, 2);
  }
}

/** A field in which nothing is entered, whatever its defaults are. */
export function nothingEntered(field: FormField): Entered {
  switch (field.kind) {
    case 'choices':
    case 'alternatives':
    case 'list':
      return [];
    case 'object':
      return canBeAbsent(field) ? '' : field.fields.map(nothingEntered);
    default:
      return '';
  }
}

/** Whether two values of JSON are the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) {
    return one === other;
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(memberOf(one, key), memberOf(other, key)))
  );
}

function enteredInObject(fields: readonly FormField[], value: unknown): Entered | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return undefined;
  }
  const names = new Set(fields.map(({ name }) => name));
  if (!Object.keys(value).every((name) => names.has(name))) {
    return undefined;
  }
  return all(
    fields.map((field) =>
      Object.hasOwn(value, field.name)
        ? enteredOf(field, memberOf(value, field.name))
        : nothingEntered(field),
    ),
  );
}

function enteredInFirst(options: readonly FormField[], value: unknown): Entered | undefined {
  const able = options.flatMap((option, index) => {
    const entered = enteredOf(option, value);
    return entered === undefined ? [] : [{ index, entered, read: readField(option, entered) }];
  });
  const found = able.find(({ read }) => read.kind === 'value' && isSame(read.value, value)) ?? able[0];
  return found && [String(found.index), found.entered];
}

function all(parts: readonly (Entered | undefined)[]): readonly Entered[] | undefined {
  const shown = parts.filter((part) => part !== undefined);
  return shown.length === parts.length ? shown : undefined;
}

function indexOf(choices: readonly FieldChoice[], value: unknown): number {
  return choices.findIndex((choice) => isSame(choice.value, value));
}

function memberOf(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}
