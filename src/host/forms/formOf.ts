import { visibleProse, visibleText } from '../../base/text/visibleText.ts';
import { isRecord } from '../../base/values/record.ts';
import type { FieldBase, FieldChoice, FormField, TextFormat } from '../../form/formField.ts';
import {
  numberAt,
  requiredNames,
  resolveSchema,
  textAt,
  typeOf,
  type Schema,
} from '../schemas/jsonSchema.ts';
import { isSecretField } from './secretField.ts';

/** Levels of objects, lists and alternatives; what is deeper is one field for JSON. */
const MAX_DEPTH = 6;
/** Fields of one form; whatever else it has is written as JSON. */
const MAX_FIELDS = 400;
/** With more choices a value is written as JSON. */
const MAX_CHOICES = 500;
/** Characters from which on a text gets several lines. */
const LONG_TEXT = 200;

const formats: ReadonlySet<string> = new Set<TextFormat>(['email', 'uri', 'date', 'date-time', 'time']);

/** Keywords that say more about an object than its properties do. */
const beyondProperties = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/** How many fields may still be made. */
interface Budget {
  left: number;
}

interface Context {
  readonly root: unknown;
  /** Whether an object has a field for each property, whatever else its schema says. */
  readonly isOutline: boolean;
  readonly depth: number;
  readonly budget: Budget;
}

interface Place {
  readonly name: string;
  readonly isRequired: boolean;
  /** Instead of the name, where there is none. */
  readonly label?: string;
}

/**
 * The form of a JSON schema whose values are objects: an object with a field for each property, required or not, in
 * the schema's order. What can't be shown as a field is one for JSON; in the worst case that is the whole form.
 */
export function formOf(schema: unknown): FormField {
  const field = wholeOf(schema, false);
  return field.kind === 'object' ? field : jsonField(field, 'object');
}

/** What a schema says about its properties, also where a form can't show all that it allows. */
export function outlineOf(schema: unknown): FormField {
  return wholeOf(schema, true);
}

function wholeOf(schema: unknown, isOutline: boolean): FormField {
  const context: Context = { root: schema, isOutline, depth: 0, budget: { left: MAX_FIELDS } };
  const resolved = resolveSchema(schema, schema)?.schema;
  const place: Place = { name: '', isRequired: true, label: 'All values' };
  const typed = resolved?.['type'] === undefined ? { ...resolved, type: 'object' } : schema;
  return { ...fieldOf(typed, place, context), isNullable: false };
}

function fieldOf(value: unknown, place: Place, context: Context): FormField {
  const { root, depth, budget } = context;
  budget.left -= 1;
  const resolved = resolveSchema(value, root);
  const schema = resolved?.schema ?? {};
  const base = baseOf(schema, place, resolved?.isNullable === true);
  if (!resolved || depth > MAX_DEPTH || budget.left < 0) {
    return jsonField(base, 'any');
  }
  const below: Context = { ...context, depth: depth + 1 };
  if (schema['const'] !== undefined) {
    const { const: only } = schema;
    return { ...base, kind: 'const', value: only, shown: visibleText(shownValue(only)) };
  }
  const choices = choicesOf(schema);
  if (choices) {
    return { ...base, kind: 'choice', choices };
  }
  if (hasAlternatives(schema)) {
    return alternativesField(base, schema, below);
  }
  switch (typeOf(schema)) {
    case 'string':
      return textField(base, schema);
    case 'integer':
    case 'number':
      return numberField(base, schema);
    case 'boolean':
      return { ...base, kind: 'boolean' };
    case 'array':
      return listField(base, schema, below);
    case 'object':
      return objectField(base, schema, below);
    default:
      return jsonField(base, 'any');
  }
}

function baseOf(schema: Schema, { name, isRequired, label }: Place, isNullable: boolean): FieldBase {
  const title = textAt(schema, 'title') ?? '';
  const description = textAt(schema, 'description') ?? '';
  const { default: initial } = schema;
  const isNumber = typeOf(schema) === 'number' || typeOf(schema) === 'integer';
  const isText = isNumber || typeOf(schema) === 'string' || typeOf(schema) === undefined;
  return {
    name,
    label: visibleText(title.trim() || label || name.trim() || '(without a name)'),
    ...(description !== '' && { description: visibleProse(description).text }),
    isRequired,
    isNullable,
    isSecret:
      schema['format'] === 'password' ||
      schema['writeOnly'] === true ||
      (isText && isSecretField(name, [title, description], isNumber)),
    // In generated schemas a default of null means that there is none.
    ...(initial !== undefined && initial !== null && { initial }),
  };
}

function textField(base: FieldBase, schema: Schema): FormField {
  const format = textAt(schema, 'format');
  const maxLength = numberAt(schema, 'maxLength');
  return {
    ...base,
    kind: 'text',
    isLong:
      (format === undefined && (maxLength ?? 0) > LONG_TEXT) || schema['contentMediaType'] !== undefined,
    ...(isFormFormat(format) && { format }),
    minLength: numberAt(schema, 'minLength') ?? 0,
    ...(maxLength !== undefined && { maxLength }),
  };
}

function numberField(base: FieldBase, schema: Schema): FormField {
  const bounds = {
    minimum: numberAt(schema, 'minimum'),
    maximum: numberAt(schema, 'maximum'),
    above: numberAt(schema, 'exclusiveMinimum'),
    below: numberAt(schema, 'exclusiveMaximum'),
  };
  const given = Object.entries(bounds).filter(([, bound]) => bound !== undefined);
  return {
    ...base,
    kind: 'number',
    isInteger: typeOf(schema) === 'integer',
    ...(Object.fromEntries(given) as Readonly<Record<keyof typeof bounds, number>>),
  };
}

function listField(base: FieldBase, schema: Schema, context: Context): FormField {
  const { items } = schema;
  const count = countsOf(schema);
  const resolved = resolveSchema(items, context.root);
  if (!resolved || isJsonList(schema) || resolved.schema['const'] !== undefined) {
    return jsonField(base, 'array');
  }
  const choices = resolved.isNullable ? undefined : choicesOf(resolved.schema);
  if (choices) {
    // A choice can't be made twice: a list that needs more is written as JSON.
    return count.minItems > choices.length
      ? jsonField(base, 'array')
      : { ...base, kind: 'choices', choices, ...count };
  }
  const item = fieldOf(items, { name: '', isRequired: true, label: 'Item' }, context);
  return item.kind === 'json' ? jsonField(base, 'array') : { ...base, kind: 'list', item, ...count };
}

function isJsonList({ prefixItems, contains, unevaluatedItems }: Schema): boolean {
  return [prefixItems, contains, unevaluatedItems].some((keyword) => keyword !== undefined);
}

function objectField(base: FieldBase, schema: Schema, context: Context): FormField {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = requiredNames(schema);
  const { additionalProperties, patternProperties, minProperties } = schema;
  const names = [...new Set([...Object.keys(properties), ...required])];
  const hasOtherNames =
    describes(additionalProperties) ||
    describes(patternProperties) ||
    (additionalProperties === true && names.length === 0) ||
    minProperties !== undefined;
  const isOther =
    hasOtherNames ||
    beyondProperties.some((key) => schema[key] !== undefined) ||
    (names.length === 0 && context.depth > 1 && additionalProperties !== false);
  if ((isOther && !context.isOutline) || names.length > context.budget.left) {
    return jsonField(base, 'object');
  }
  const fields = names.map((name) => {
    // A required property without a schema may be anything.
    const property = Object.hasOwn(properties, name) ? properties[name] : true;
    return fieldOf(property, { name, isRequired: required.has(name) }, context);
  });
  return { ...base, kind: 'object', fields };
}

/** Whether it has ways to be filled in, and says nothing else that each of them would have to include. */
function hasAlternatives(schema: Schema): boolean {
  const { anyOf, oneOf, type } = schema;
  if (Array.isArray(type)) {
    return type.length > 1 && !Array.isArray(anyOf) && !Array.isArray(oneOf);
  }
  const union = alternativesIn(schema);
  const others = ['properties', 'required', 'items', 'allOf', 'not', 'if', 'additionalProperties'];
  return (
    union !== undefined &&
    union.length > 0 &&
    union.length <= 20 &&
    !(Array.isArray(anyOf) && Array.isArray(oneOf)) &&
    others.every((key) => schema[key] === undefined)
  );
}

function alternativesIn({ anyOf, oneOf }: Schema): readonly unknown[] | undefined {
  return Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : undefined;
}

function alternativesField(base: FieldBase, schema: Schema, context: Context): FormField {
  const { type, title: _title, description: _description, default: _default, ...rest } = schema;
  const parts = Array.isArray(type)
    ? type.map((one: unknown) => ({ ...rest, type: one, title: typeTitle(one) }))
    : (alternativesIn(schema) ?? []);
  const options = parts.map((part, index) =>
    fieldOf(part, { name: '', isRequired: true, label: `Alternative ${index + 1}` }, context),
  );
  return { ...base, kind: 'alternatives', options };
}

function typeTitle(type: unknown): string {
  switch (type) {
    case 'string':
      return 'Text';
    case 'integer':
      return 'Whole number';
    case 'boolean':
      return 'Yes or no';
    default:
      return typeof type === 'string' ? type.charAt(0).toUpperCase() + type.slice(1) : 'JSON';
  }
}

/** The values that `enum`, or alternatives with `const` and `title`, allow; with the names of `enumNames`. */
function choicesOf(schema: Schema): readonly FieldChoice[] | undefined {
  const { enum: values, enumNames } = schema;
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  const choices = Array.isArray(values)
    ? values.map((value: unknown, index) => choiceOf(value, names[index]))
    : titledValues(alternativesIn(schema));
  return choices && choices.length > 0 && choices.length <= MAX_CHOICES ? choices : undefined;
}

function titledValues(union: readonly unknown[] | undefined): readonly FieldChoice[] | undefined {
  return union?.every((part) => isRecord(part) && part['const'] !== undefined)
    ? union.filter(isRecord).map((part) => choiceOf(part['const'], part['title']))
    : undefined;
}

function choiceOf(value: unknown, name: unknown): FieldChoice {
  const own = shownValue(value);
  const label = typeof name === 'string' && name.trim() !== '' ? name : own;
  return { label: visibleText(label), value };
}

function shownValue(value: unknown): string {
  return typeof value === 'string' && value.trim() !== '' ? value : JSON.stringify(value);
}

function jsonField(
  { kind: _kind, ...base }: FieldBase & { kind?: string },
  accepts: 'object' | 'array' | 'any',
): FormField {
  const { name, label, description, isRequired, isNullable, isSecret, initial } = base;
  return {
    kind: 'json',
    name,
    label,
    ...(description !== undefined && { description }),
    isRequired,
    isNullable,
    isSecret,
    ...(initial !== undefined && { initial }),
    accepts,
  };
}

function countsOf(schema: Schema): { readonly minItems: number; readonly maxItems?: number } {
  const maxItems = numberAt(schema, 'maxItems');
  return { minItems: numberAt(schema, 'minItems') ?? 0, ...(maxItems !== undefined && { maxItems }) };
}

function describes(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}

function isFormFormat(format: string | undefined): format is TextFormat {
  return format !== undefined && formats.has(format);
}
