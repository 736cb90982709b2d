import { isRecord } from '../../base/values/record.ts';
import { numberAt, requiredNames, resolveSchema, typeOf } from './jsonSchema.ts';

/** Levels of objects and arrays that are filled in; deeper ones start empty. */
const MAX_DEPTH = 5;
/** Values in one skeleton: a schema that branches at every level would grow without end. */
const MAX_VALUES = 200;

/**
 * A value of the right shape to start from: defaults where the schema has them, required
 * properties with empty values, bounded however the schema refers to itself.
 */
export function skeletonOf(schema: unknown, root: unknown): unknown {
  let left = MAX_VALUES;

  const fill = (value: unknown, depth: number): unknown => {
    left -= 1;
    const schema = resolveSchema(value, root)?.schema;
    if (!schema || left < 0) {
      return null;
    }
    for (const given of [schema['default'], schema['const']]) {
      if (given !== undefined) {
        return given;
      }
    }
    if (Array.isArray(schema['enum']) && schema['enum'].length > 0) {
      return schema['enum'][0];
    }
    switch (typeOf(schema)) {
      case 'string':
        return '';
      case 'integer':
      case 'number':
        return numberAt(schema, 'minimum') ?? 0;
      case 'boolean':
        return false;
      case 'array':
        return depth < MAX_DEPTH && (numberAt(schema, 'minItems') ?? 0) > 0
          ? [fill(schema['items'], depth + 1)]
          : [];
      case 'object': {
        const properties = depth < MAX_DEPTH && isRecord(schema['properties']) ? schema['properties'] : {};
        const required = requiredNames(schema);
        const shown = Object.entries(properties).filter(
          ([name, property]) =>
            required.has(name) || (isRecord(property) && property['default'] !== undefined),
        );
        return Object.fromEntries(
          shown.slice(0, MAX_VALUES).map(([name, property]) => [name, fill(property, depth + 1)]),
        );
      }
      default:
        return null;
    }
  };

  return fill(schema, 0);
}
