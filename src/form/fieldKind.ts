import type { Entered, FormField } from './formField.ts';

/**
 * What is wrong in a field, as a sentence. The path leads to the field: indexes of fields in an object and of items in
 * a list, and 0 for what an alternative contains; it is empty for the field that was read.
 */
export interface FieldProblem {
  readonly path: readonly number[];
  readonly message: string;
}

/** What a field gives: a value, nothing, or the reasons why neither. */
export type ReadField =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'omitted' }
  | { readonly kind: 'problems'; readonly problems: readonly FieldProblem[] };

/** A field inside another one, and what is entered in it. */
export interface FieldPart {
  /** By which the value has it; undefined if both have the same value. */
  readonly name: string | undefined;
  readonly field: FormField;
  readonly entered: Entered;
}

/** Everything that the fields of one kind do, except how a schema makes them and how a page shows them. */
export interface FieldKind<F extends FormField> {
  /** What is entered where nothing is, whatever the defaults are. */
  empty(field: F): Entered;
  /** What is entered before you enter something, where there is no default and this isn't `empty`. */
  begin?(field: F): Entered;
  /**
   * What is entered for a value; undefined if the field can't show it. For a draft, the value can also be a text that was
   * typed and isn't valid.
   */
  show(field: F, value: unknown, isDraft: boolean): Entered | undefined;
  /** Checks required, type, length, range, choice and format. */
  read(field: F, entered: Entered): ReadField;
  /** The value of parts that can't be read: what is typed in them, and nothing for what is empty. */
  draft?(field: F, entered: readonly Entered[]): unknown;
  /** Whether this can be entered: what was kept may be of another form. */
  fits(field: F, entered: Entered): boolean;
  /** The fields that can be in it. */
  within?(field: F): readonly FormField[];
  /** The fields that are in it, by the indexes of paths. */
  parts?(field: F, entered: Entered): readonly FieldPart[];
  /** A value of the right shape to start from. */
  sample(field: F): unknown;
  /** What its value is, in a few words. */
  expectation(field: F): string;
}

/** An empty field. */
export function readNothing({ isRequired, isNullable }: FormField): ReadField {
  if (!isRequired) {
    return { kind: 'omitted' };
  }
  return isNullable ? readValue(null) : readProblem('This is required.');
}

export function readValue(given: unknown): ReadField {
  return { kind: 'value', value: given };
}

export function readProblem(message: string): ReadField {
  return { kind: 'problems', problems: [{ path: [], message }] };
}

/** The page sends only what its fields can hold: this is for anything else. */
export function otherShape(): ReadField {
  return readProblem('This can’t be read.');
}

export function countProblem(count: number, least: number, most: number): ReadField | undefined {
  if (count < least) {
    return readProblem(`At least ${least} must be given.`);
  }
  return count > most ? readProblem(`At most ${most} can be given.`) : undefined;
}

/** An index below `count` as it is entered; -1 for anything else. */
export function indexIn(entered: Entered | undefined, count: number): number {
  const index = typeof entered === 'string' && /^\d{1,6}$/.test(entered) ? Number(entered) : -1;
  return index < count ? index : -1;
}
