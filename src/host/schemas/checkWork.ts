import { weightOf, type Weight } from '../json/weight.ts';
import { targetOf, type Schema } from './jsonSchema.ts';

/** Parts of a schema up to which it is compiled and checked in this thread: some tens of milliseconds. */
const MAX_PARTS = 500;
/** Units of work of a check in this thread: a part of the schema with a part of the value, a few microseconds at most. */
const MAX_WORK = 50_000;
/** Characters that count as one value: the length of a text is counted, and its format compared. */
const VALUE_CHARACTERS = 16;

/** Formats that the validator checks in a time in proportion to the text, measured with texts of 20,000 characters. */
const linearFormats: ReadonlySet<unknown> = new Set([
  'binary',
  'byte',
  'date',
  'date-time',
  'double',
  'duration',
  'email',
  'float',
  'hostname',
  'int32',
  'int64',
  'ipv4',
  'ipv6',
  'json-pointer',
  'password',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
]);

/**
 * A path that means the same here and in the validator, which also follows anchors, takes `#/` for `#`, and leaves out a
 * second `#`.
 */
const plainReference = /^#(?:\/[\w$][\w$.-]*)*$/;

/** What a check against a schema costs: in proportion to the value, or to its square. */
interface CheckCost {
  readonly parts: number;
  readonly comparesItems: boolean;
}

/**
 * What checks against a schema cost; undefined if that has no bound in the size of the value, or the schema is large:
 * a pattern is the server's, and references can double the work at each level.
 */
export function costOf(schema: unknown): CheckCost | undefined {
  let parts = 0;
  let comparesItems = false;
  // Follows each reference wherever it stands, so that a circle exceeds the parts.
  const isBounded = (value: unknown): boolean => {
    parts += 1;
    if (parts > MAX_PARTS) {
      return false;
    }
    if (typeof value !== 'object' || value === null) {
      return true;
    }
    // A property can have the name of a keyword, but no such value.
    const { $ref, format, pattern, patternProperties, uniqueItems, ...rest } = value as Schema;
    comparesItems ||= uniqueItems === true;
    return (
      typeof pattern !== 'string' &&
      patternProperties === undefined &&
      (typeof format !== 'string' || linearFormats.has(format)) &&
      typeof rest['$dynamicRef'] !== 'string' &&
      typeof rest['$recursiveRef'] !== 'string' &&
      // Another base for references, or another name for the whole schema.
      (typeof rest['$id'] !== 'string' || (value === schema && !rest['$id'].includes('#'))) &&
      (typeof $ref !== 'string' || isBoundedTarget($ref)) &&
      Object.values(value).every(isBounded)
    );
  };
  const isBoundedTarget = (reference: string): boolean => {
    const target = plainReference.test(reference) ? targetOf(reference, schema) : undefined;
    return target !== undefined && isBounded(target);
  };
  return isBounded(schema) ? { parts, comparesItems } : undefined;
}

/** Whether a value is checked in this thread. */
export function isQuick({ parts, comparesItems }: CheckCost, value: unknown): boolean {
  const most: Weight = { values: MAX_WORK / parts, characters: (MAX_WORK / parts) * VALUE_CHARACTERS };
  const { values, characters } = weightOf(value, most);
  const size = values + characters / VALUE_CHARACTERS;
  return parts * (comparesItems ? size ** 2 : size) <= MAX_WORK;
}
