import { isRecord } from '../../base/record.ts';
import { dataKeywords, mapKeywords, MAX_SCHEMA_DEPTH } from './schemaBounds.ts';

/** Says of a keyword, with its value, whether it is left out. */
export type IsLeftOut = (keyword: string, value: unknown) => boolean;

/**
 * A schema without some of its keywords, wherever a schema stands in it; names that its author chose and data stay.
 * It is the same object where nothing is left out. What is too deep for a validator stays as it is.
 */
export function schemaWithout<T>(schema: T, isLeftOut: IsLeftOut): T {
  return without(schema, isLeftOut, false, 1) as T;
}

/** `isMap` where keys are names of the schema's author, and no keywords. */
function without(value: unknown, isLeftOut: IsLeftOut, isMap: boolean, depth: number): unknown {
  if (depth > MAX_SCHEMA_DEPTH) {
    return value;
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const kept = items.map((item) => without(item, isLeftOut, false, depth + 1));
    return kept.every((item, index) => item === items[index]) ? value : kept;
  }
  if (!isRecord(value)) {
    return value;
  }
  const entries = Object.entries(value);
  const kept = entries
    .filter(([key, part]) => isMap || !isLeftOut(key, part))
    .map(([key, part]): [string, unknown] => [
      key,
      !isMap && dataKeywords.has(key)
        ? part
        : without(part, isLeftOut, !isMap && mapKeywords.has(key), depth + 1),
    ]);
  const isSame =
    kept.length === entries.length && kept.every(([, part], index) => part === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(kept);
}
