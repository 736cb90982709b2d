import { isRecord } from './record.ts';

/** Whether a value that comes from outside is of a type. */
export type Guard<T> = (value: unknown) => value is T;

/** The guards of an object's members. One that is made by `isOptional` is for a member that may be absent. */
type Guards = Readonly<Record<string, Guard<unknown>>>;

type Guarded<G> = G extends Guard<infer T> ? T : never;

/** The objects that `isShape` accepts. */
export type Shape<G extends Guards> = {
  readonly [Name in keyof G as undefined extends Guarded<G[Name]> ? never : Name]: Guarded<G[Name]>;
} & {
  readonly [Name in keyof G as undefined extends Guarded<G[Name]> ? Name : never]?: Exclude<
    Guarded<G[Name]>,
    undefined
  >;
};

/** Accepts an object with these members; it may have others as well. */
export function isShape<G extends Guards>(guards: G): Guard<Shape<G>> {
  const members = Object.entries(guards);
  return (value): value is Shape<G> =>
    isRecord(value) && members.every(([name, isMember]) => isMember(value[name]));
}

export function isOptional<T>(is: Guard<T>): Guard<T | undefined> {
  return (value) => value === undefined || is(value);
}

export function isOneOf<T>(values: readonly T[]): Guard<T> {
  return (value): value is T => values.some((one) => one === value);
}

export const isString: Guard<string> = (value) => typeof value === 'string';

export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean';

export const isFiniteNumber: Guard<number> = (value): value is number => Number.isFinite(value);

export const isInteger: Guard<number> = (value): value is number => Number.isInteger(value);

export const isSafeInteger: Guard<number> = (value): value is number => Number.isSafeInteger(value);
