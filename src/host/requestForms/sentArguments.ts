import type { UnknownRecord } from '../../base/values/record.ts';
import type { FormField } from '../../form/formField.ts';
import { hasSecret } from '../../form/keptFields.ts';
import { outlineOf } from '../forms/formOf.ts';

/** What is sent, and of it what is never stored. */
export interface SentArguments {
  readonly args: UnknownRecord;
  /** Arguments whose values are never stored, and the texts in them. */
  readonly secrets: ReadonlySet<string>;
  readonly secretTexts: readonly string[];
}

/** The arguments of a schema that have a password, a token or a key in them. */
export function secretArguments(inputSchema: unknown): ReadonlySet<string> {
  return new Set(
    propertiesOf(outlineOf(inputSchema))
      .filter(hasSecret)
      .map(({ name }) => name),
  );
}

/** Arguments as they are sent; `secrets` are those of their schema. */
export function sentArguments(args: UnknownRecord, secrets: ReadonlySet<string>): SentArguments {
  const secretTexts = [...secrets].flatMap((name) => (Object.hasOwn(args, name) ? textsIn(args[name]) : []));
  return { args, secrets, secretTexts };
}

function propertiesOf(field: FormField): readonly FormField[] {
  switch (field.kind) {
    case 'object':
      return field.fields;
    case 'alternatives':
      return field.options.flatMap(propertiesOf);
    default:
      return [];
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap(textsIn);
  }
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
