import { isRecord, type UnknownRecord } from '../values/record.ts';

/** What is found of a record; `newer` was written by a later version of this extension. */
export type Found<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'absent' | 'newer' | 'unreadable' };

/** How a kind of record is written. */
export interface RecordFormat<T> {
  /** What the file of that name holds. Does not throw. */
  read(text: string, name: string): Found<T>;
  text(value: T): string;
}

/**
 * JSON objects, with the version that this code writes if there may be others.
 *
 * @param read Gives the value that the fields of an object are, or undefined if they are none.
 */
export function jsonFormat<T extends object>(
  read: (fields: UnknownRecord, name: string) => T | 'newer' | undefined,
  version?: number,
): RecordFormat<T> {
  return {
    read: (text, name) => {
      const fields = parsedJson(text);
      if (!isRecord(fields)) {
        return { kind: 'unreadable' };
      }
      const isNewer =
        version !== undefined && Number.isInteger(fields['version']) && Number(fields['version']) > version;
      const value = isNewer ? 'newer' : fields['version'] === version ? read(fields, name) : undefined;
      return value === undefined
        ? { kind: 'unreadable' }
        : value === 'newer'
          ? { kind: 'newer' }
          : { kind: 'value', value };
    },
    text: (value) =>
      `${JSON.stringify({ ...(version !== undefined && { version }), ...value }, undefined, 2)}\n`,
  };
}

/** Undefined for what is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
