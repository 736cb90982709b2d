import { isRecord } from '../../base/values/record.ts';
import { resolveSchema, type Schema } from '../schemas/jsonSchema.ts';

/** What the schema of an object may have at its top level; with any other member its meaning would be a guess. */
const objectKeywords: ReadonlySet<string> = new Set(
  [
    '$schema $id $comment $defs definitions title description default examples deprecated',
    'properties required additionalProperties patternProperties propertyNames unevaluatedProperties',
    'minProperties maxProperties dependentRequired dependentSchemas dependencies',
  ].flatMap((names) => names.split(' ')),
);
const unions = ['anyOf', 'oneOf', 'allOf'] as const;

/** A tool as its author meant it, and what was changed, as a sentence. */
export interface ReadTool {
  readonly tool: Schema;
  readonly note: string;
}

/**
 * Corrects a tool whose input schema breaks the specification (server/tools: a schema of the type `object`), but whose
 * meaning is clear; `docs/internals/protocol.md` lists the cases. Undefined for any other tool.
 */
export function readAsMeant(tool: unknown): ReadTool | undefined {
  const written = isRecord(tool) ? tool['inputSchema'] : undefined;
  const notes: string[] = [];
  const schema = readSchema(written, notes);
  return isRecord(tool) && schema && notes.length > 0
    ? { tool: { ...tool, inputSchema: schema }, note: `In its input schema, ${notes.join(', and ')}.` }
    : undefined;
}

function readSchema(written: unknown, notes: string[]): Schema | undefined {
  if (isEmptyList(written)) {
    notes.push('an empty list is treated as an object without properties');
    return { type: 'object' };
  }
  if (!isRecord(written)) {
    return undefined;
  }
  const schema: Record<string, unknown> = { ...written };
  for (const name of ['$schema', 'type', 'properties', 'required']) {
    if (schema[name] === null) {
      delete schema[name];
      if (name !== 'type') {
        notes.push(`\`${name}\` is \`null\` and treated as missing`);
      }
    }
  }
  if (isEmptyList(schema['properties'])) {
    schema['properties'] = {};
    notes.push('`properties` is an empty list and treated as missing');
  }
  if (schema['type'] === undefined) {
    delete schema['type'];
    if (!canOnlyBeObject(schema)) {
      return undefined;
    }
    notes.push('`type` is missing and treated as `object`');
    return { ...schema, type: 'object' };
  }
  return schema;
}

/** The list that some languages write for an object without members. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Whether a schema without a type can only be meant for objects. */
function canOnlyBeObject(schema: Schema): boolean {
  const { $ref, anyOf: _anyOf, oneOf: _oneOf, allOf: _allOf, ...rest } = schema;
  return (
    Object.keys(rest).every((name) => objectKeywords.has(name) || name.startsWith('x-')) &&
    ($ref === undefined || resolveSchema({ $ref }, schema)?.schema['type'] === 'object') &&
    unions.every((name) => schema[name] === undefined || areObjects(schema[name]))
  );
}

function areObjects(alternatives: unknown): boolean {
  return (
    Array.isArray(alternatives) && alternatives.every((one) => isRecord(one) && one['type'] === 'object')
  );
}
