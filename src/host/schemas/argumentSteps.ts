import { isRecord } from '../../base/values/record.ts';
import {
  numberAt,
  requiredNames,
  resolveSchema,
  textAt,
  typeOf,
  type ResolvedSchema,
  type Schema,
} from './jsonSchema.ts';
import { skeletonOf } from './skeleton.ts';

/** You are asked for more arguments than this as one JSON object. */
const MAX_STEPS = 60;
/** With more choices than this you type instead of pick. */
const MAX_CHOICES = 500;

/** What an empty step means: no such argument, `null`, or that the argument is still missing. */
type WhenEmpty = 'omit' | 'null' | 'refuse';

interface StepBase {
  /** The argument's name; undefined when the step asks for the whole arguments object. */
  readonly argument: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly whenEmpty: WhenEmpty;
  /** The schema's default; undefined when it has none. */
  readonly initial: unknown;
}

export interface TextStep extends StepBase {
  readonly kind: 'text';
  readonly format: string | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  /** True for a value that is hidden while you type, and not kept. */
  readonly isSecret: boolean;
}

export interface NumberStep extends StepBase {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

export interface BooleanStep extends StepBase {
  readonly kind: 'boolean';
}

interface Choice {
  readonly label: string;
  readonly value: unknown;
}

/** One of a few values; with `isMany`, an array of them. */
export interface ChoiceStep extends StepBase {
  readonly kind: 'choice';
  readonly isMany: boolean;
  readonly choices: readonly Choice[];
}

/** Anything that is written as JSON. */
export interface JsonStep extends StepBase {
  readonly kind: 'json';
  readonly accepts: 'object' | 'array' | 'any';
  /** The text to start from when there is no default. */
  readonly skeleton: unknown;
}

/** A list of texts or numbers, entered one after the other. */
export interface ListStep extends StepBase {
  readonly kind: 'list';
  readonly item: TextStep | NumberStep;
  readonly maxItems: number;
}

export type ArgumentStep = TextStep | NumberStep | BooleanStep | ChoiceStep | JsonStep | ListStep;

/**
 * The steps in which you are asked for a tool's arguments, required ones first; none when the tool takes
 * none. A schema that can't be split into arguments gives one step for the whole object.
 */
export function argumentSteps(inputSchema: unknown): readonly ArgumentStep[] {
  const root = resolveSchema(inputSchema, inputSchema)?.schema;
  if (!root || (typeOf(root) ?? 'object') !== 'object' || isBeyondProperties(root)) {
    return [wholeStep(inputSchema)];
  }
  const properties = isRecord(root['properties']) ? root['properties'] : {};
  const required = requiredNames(root);
  return new Set([...Object.keys(properties), ...required]).size > MAX_STEPS
    ? [wholeStep(inputSchema)]
    : propertySteps(root, inputSchema);
}

/** A step for each property that an object's schema lists or requires, required ones first. */
export function propertySteps(
  schema: Schema,
  root: unknown,
): readonly (ArgumentStep & { argument: string })[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = requiredNames(schema);
  const isRequired = (name: string): number => (required.has(name) ? 0 : 1);
  return [...new Set([...Object.keys(properties), ...required])]
    .sort((a, b) => isRequired(a) - isRequired(b))
    .map((name) => {
      // A required property without a schema may be anything.
      const property = Object.hasOwn(properties, name) ? properties[name] : true;
      return { ...stepFor(name, property, required.has(name), root), argument: name };
    });
}

/** The step that asks for the whole arguments object as JSON. */
export function wholeStep(inputSchema: unknown): JsonStep {
  const skeleton = skeletonOf(inputSchema, inputSchema);
  return {
    kind: 'json',
    argument: undefined,
    title: undefined,
    description: undefined,
    whenEmpty: 'refuse',
    initial: undefined,
    accepts: 'object',
    skeleton: isRecord(skeleton) ? skeleton : {},
  };
}

/** True when arguments can have names that `properties` does not list. */
function isBeyondProperties(schema: Schema): boolean {
  const { additionalProperties, patternProperties, properties } = schema;
  if (describes(additionalProperties) || (describes(patternProperties) && !describes(properties))) {
    return true;
  }
  return ['anyOf', 'oneOf', 'allOf', 'then'].some((key) => {
    const parts: unknown = schema[key];
    return (Array.isArray(parts) ? parts : [parts]).some(
      (part) => isRecord(part) && ('properties' in part || '$ref' in part),
    );
  });
}

function describes(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}

function stepFor(name: string, value: unknown, isRequired: boolean, root: unknown): ArgumentStep {
  const resolved = resolveSchema(value, root);
  const schema = resolved?.schema ?? {};
  const base: StepBase = {
    argument: name,
    title: textAt(schema, 'title'),
    description: textAt(schema, 'description'),
    whenEmpty: whenEmpty(resolved, isRequired),
    // In generated schemas a default of null means that there is none.
    initial: schema['default'] === null ? undefined : schema['default'],
  };
  const choices = choicesOf(schema);
  if (choices) {
    return { ...base, kind: 'choice', isMany: false, choices };
  }
  switch (typeOf(schema)) {
    case 'string':
      return {
        ...base,
        kind: 'text',
        format: textAt(schema, 'format'),
        minLength: numberAt(schema, 'minLength') ?? 0,
        maxLength: numberAt(schema, 'maxLength') ?? Infinity,
        isSecret: schema['format'] === 'password' || schema['writeOnly'] === true,
      };
    case 'integer':
    case 'number':
      return {
        ...base,
        kind: 'number',
        isInteger: typeOf(schema) === 'integer',
        minimum: numberAt(schema, 'minimum'),
        maximum: numberAt(schema, 'maximum'),
      };
    case 'boolean':
      return { ...base, kind: 'boolean' };
    case 'array': {
      const items = resolveSchema(schema['items'], root);
      const many = items && !items.isNullable ? choicesOf(items.schema) : undefined;
      if (many) {
        return { ...base, kind: 'choice', isMany: true, choices: many };
      }
      const item = items && !items.isNullable ? stepFor(name, items.schema, true, root) : undefined;
      return (item?.kind === 'text' && !item.isSecret) || item?.kind === 'number'
        ? { ...base, kind: 'list', item, maxItems: numberAt(schema, 'maxItems') ?? Infinity }
        : { ...base, kind: 'json', accepts: 'array', skeleton: skeletonOf(schema, root) };
    }
    case 'object':
      return { ...base, kind: 'json', accepts: 'object', skeleton: skeletonOf(schema, root) };
    default:
      return { ...base, kind: 'json', accepts: 'any', skeleton: skeletonOf(schema, root) };
  }
}

function whenEmpty(resolved: ResolvedSchema | undefined, isRequired: boolean): WhenEmpty {
  if (!isRequired) {
    return 'omit';
  }
  return resolved?.isNullable ? 'null' : 'refuse';
}

/** The values that `enum`, `const`, or alternatives with `const` and `title` allow. */
function choicesOf(schema: Schema): readonly Choice[] | undefined {
  const all = namedValues(schema) ?? titledValues(schema['oneOf']) ?? titledValues(schema['anyOf']);
  return all && all.length > 0 && all.length <= MAX_CHOICES ? all : undefined;
}

function namedValues(schema: Schema): readonly Choice[] | undefined {
  if (schema['const'] !== undefined) {
    return [choice(schema['const'], undefined)];
  }
  const { enum: values, enumNames } = schema;
  if (!Array.isArray(values)) {
    return undefined;
  }
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  return values.map((value: unknown, index) => choice(value, names[index]));
}

function titledValues(union: unknown): readonly Choice[] | undefined {
  if (!Array.isArray(union)) {
    return undefined;
  }
  const parts: readonly unknown[] = union;
  return parts.every((part) => isRecord(part) && part['const'] !== undefined)
    ? parts.filter(isRecord).map((part) => choice(part['const'], part['title']))
    : undefined;
}

function choice(value: unknown, name: unknown): Choice {
  const own = typeof value === 'string' ? value : JSON.stringify(value);
  return { label: typeof name === 'string' && name !== '' ? name : own, value };
}
