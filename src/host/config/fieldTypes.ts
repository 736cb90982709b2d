import { isRecord } from '../../base/values/record.ts';
import { isServerAddress, isSocketScheme } from '../addresses/serverAddress.ts';
import { hasBraces } from './braces.ts';
import { nearestName } from './nearestName.ts';

/**
 * One edit that fixes a problem: at its path, or for `declareInput` at the end of the inputs. `useInput` replaces a
 * secret by a reference to a new input.
 */
export type ProblemFix =
  | { readonly kind: 'rename'; readonly to: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'insert'; readonly field: string; readonly value: unknown }
  | { readonly kind: 'declareInput'; readonly id: string }
  | { readonly kind: 'useInput' };

/** Reports what is wrong with a value, or with something at a path inside it. */
export type Complain = (message: string, path?: readonly (string | number)[], fix?: ProblemFix) => undefined;

/** What a field can hold. */
export interface FieldType<T> {
  /** Without the `fields` inside it. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly fields?: Fields;
  /** The value; undefined if it counts as missing, or after a complaint. */
  readonly read: (written: unknown, name: string, complain: Complain) => T | undefined;
}

/** Everything about a field: readers, TypeScript types, JSON Schemas and imports take it from here. */
export interface Field<T = unknown> {
  readonly type: FieldType<T>;
  /** Markdown, for hovers; `#mcpHost.…#` means a setting. */
  readonly description: string;
  /** The value if the field is missing. */
  readonly default?: T;
  /** For a required field: what to do if it is missing. */
  readonly required?: string;
  /** What other programs call the field. */
  readonly aliases?: readonly string[];
  /** Imports keep it, like the fields of the launch. */
  readonly isImported?: true;
}

export type Fields = Readonly<Record<string, Field>>;

type Certain = { readonly default: unknown } | { readonly required: string };
export type ValueOf<F> = F extends { readonly type: FieldType<infer T> } ? T : never;

/** The values of fields. Those that are required or have a default are always there. */
export type Values<F> = {
  readonly [Name in keyof F as F[Name] extends Certain ? Name : never]: ValueOf<F[Name]>;
} & {
  readonly [Name in keyof F as F[Name] extends Certain ? never : Name]?: ValueOf<F[Name]>;
};

/** Reads the fields of an object. `reportMissing` reports those that are missing. */
export function readFields<F extends Fields>(
  fields: F,
  object: Readonly<Record<string, unknown>>,
  complain: Complain,
  prefix = '',
): Values<F> {
  const values = Object.entries(fields).map(([name, { type, default: preset }]) => {
    const written = ownValue(object, name);
    const value =
      written === undefined
        ? undefined
        : type.read(written, prefix + name, (message, path = [], fix) =>
            complain(message, [name, ...path], fix),
          );
    return [name, value === undefined ? preset : value] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values<F>;
}

/** Complains about each required field that is missing, unless it is only misspelt. */
export function reportMissing(
  fields: Fields,
  object: object,
  complain: Complain,
  misspelt: ReadonlySet<string> = new Set(),
): void {
  for (const [field, { required }] of Object.entries(fields)) {
    if (required !== undefined && !Object.hasOwn(object, field) && !misspelt.has(field)) {
      complain(`"${field}" is missing: ${required}.`, [], { kind: 'insert', field, value: '' });
    }
  }
}

/** The fields to write into a file: those that differ from their defaults. */
export function writtenFields(fields: Fields, values: object): Record<string, unknown> {
  const written = Object.keys(fields).map((name) => [name, ownValue(values, name)] as const);
  return Object.fromEntries(
    written.filter(
      ([name, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(fields[name]?.default),
    ),
  );
}

export function ownValue(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}

function plainType<T>(
  schema: FieldType<T>['schema'],
  isValid: (value: unknown) => value is T,
  what: string,
): FieldType<T> {
  return {
    schema,
    read: (written, name, complain) => (isValid(written) ? written : complain(`"${name}" must be ${what}.`)),
  };
}

export const flag = plainType({ type: 'boolean' }, (value) => typeof value === 'boolean', 'true or false');

export const text = plainType({ type: 'string' }, (value) => typeof value === 'string', 'a string');

export const texts = plainType(
  { type: 'array', items: text.schema },
  (value): value is readonly string[] =>
    Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'a list of strings',
);

export const milliseconds = plainType(
  { type: 'number', exclusiveMinimum: 0 },
  (value): value is number => typeof value === 'number' && value > 0,
  'a number of milliseconds above 0',
);

export function oneOf<const T extends string>(choices: readonly T[]): FieldType<T> {
  const quoted = choices.map((choice) => `"${choice}"`);
  return plainType(
    choices.length === 1 ? { const: choices[0] } : { enum: choices },
    (value): value is T => choices.some((choice) => choice === value),
    [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter(Boolean).join(' or '),
  );
}

/** A value of one of two types. */
export function anyOf<A, B>(one: FieldType<A>, other: FieldType<B>, what: string): FieldType<A | B> {
  const read = (written: unknown): A | B | undefined =>
    one.read(written, '', () => undefined) ?? other.read(written, '', () => undefined);
  return {
    schema: { anyOf: [one.schema, other.schema] },
    read: (written, name, complain) => read(written) ?? complain(`"${name}" must be ${what}.`),
  };
}

/** A path; an empty one counts as missing. */
export const path: FieldType<string> = {
  schema: text.schema,
  read: (written, name, complain) => text.read(written, name, complain) || undefined,
};

export const nonEmptyText: FieldType<string> = {
  schema: { type: 'string', minLength: 1 },
  read: (written, name, complain) =>
    written === '' ? complain(`"${name}" must not be empty.`) : text.read(written, name, complain),
};

/** An address. If it has a variable, it is checked when the server starts. */
export const address: FieldType<string> = {
  schema: { type: 'string', pattern: '^(https?|unix|pipe)://|\\$\\{' },
  read: (written, name, complain) => {
    const url = nonEmptyText.read(written, name, complain);
    if (url === undefined || isServerAddress(url) || hasBraces(url)) {
      return url;
    }
    return complain(
      isSocketScheme(url)
        ? `"${name}" must have the whole path of the socket, and after "#" the HTTP path, such as "unix:///run/server.sock#/mcp"; "${url}" has not.`
        : `"${name}" must be an http: or https: address; "${url}" is not.`,
    );
  },
};

/** Strings by name; numbers and booleans count as strings, and null as missing. */
export const namedTexts: FieldType<Readonly<Record<string, string>>> = {
  schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  read: (written, name, complain) => {
    if (!isRecord(written)) {
      return complain(`"${name}" must be an object of strings.`);
    }
    const given = Object.entries(written).filter(([, value]) => value !== null);
    const entries = given.map(([key, value]): [string, string] | undefined =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [key, String(value)]
        : complain(`"${name}.${key}" must be a string.`, [key]),
    );
    return Object.fromEntries(entries.filter((entry) => entry !== undefined));
  },
};

/** An object that has only these fields. */
export function objectWith<const F extends Fields>(fields: F): FieldType<Values<F>> {
  const known = Object.keys(fields);
  return {
    schema: { type: 'object', additionalProperties: false },
    fields,
    read: (written, name, complain) => {
      if (!isRecord(written)) {
        return complain(`"${name}" must be an object with ${known.map((one) => `"${one}"`).join(' or ')}.`);
      }
      for (const field of Object.keys(written).filter((one) => !known.includes(one))) {
        const meant = nearestName(field, known);
        complain(
          `"${name}.${field}" is not a field${meant === undefined ? '.' : `: did you mean "${meant}"?`}`,
          [field],
          meant === undefined ? { kind: 'remove' } : { kind: 'rename', to: meant },
        );
      }
      return readFields(fields, written, complain, `${name}.`);
    },
  };
}
