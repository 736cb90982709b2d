/** What every field of a form has. Its texts are shown as they are: nothing in them is invisible. */
export interface FieldBase {
  /** The name of the property; empty for the whole, for an item of a list and for an alternative. */
  readonly name: string;
  readonly label: string;
  /** May have several lines. */
  readonly description?: string;
  readonly isRequired: boolean;
  /** `null` is valid; it is what an empty required field gives. */
  readonly isNullable: boolean;
  /** It asks for a password, a token or a key: masked, and never proposed again. */
  readonly isSecret: boolean;
  /** The schema's default, which the form shows before you change it; undefined without one. */
  readonly initial?: unknown;
}

/** The formats that a form checks; any other is the server's to check. */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time' | 'time';

export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly isLong: boolean;
  readonly format?: TextFormat;
  /** In code points, as JSON Schema counts characters. */
  readonly minLength: number;
  readonly maxLength?: number;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Bounds that the number itself must not have. */
  readonly above?: number;
  readonly below?: number;
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}

export interface FieldChoice {
  readonly label: string;
  readonly value: unknown;
}

/** One of some values. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly choices: readonly FieldChoice[];
}

/** Several of some values, each once. */
export interface ChoicesField extends FieldBase {
  readonly kind: 'choices';
  readonly choices: readonly FieldChoice[];
  readonly minItems: number;
  readonly maxItems?: number;
}

/** The only value that is valid: shown, and given if the field is required. */
export interface ConstField extends FieldBase {
  readonly kind: 'const';
  readonly value: unknown;
  readonly shown: string;
}

export interface ListField extends FieldBase {
  readonly kind: 'list';
  /** The field of each item. */
  readonly item: FormField;
  readonly minItems: number;
  readonly maxItems?: number;
}

export interface ObjectField extends FieldBase {
  readonly kind: 'object';
  readonly fields: readonly FormField[];
}

/** Whether an object is there only if you add it. */
export function canBeAbsent({ isRequired, isNullable }: ObjectField): boolean {
  return !isRequired || isNullable;
}

/** One of several ways to fill it in. */
export interface AlternativesField extends FieldBase {
  readonly kind: 'alternatives';
  readonly options: readonly FormField[];
}

/** What no other field can show, written as JSON. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
  readonly accepts: 'object' | 'array' | 'any';
}

export type FormField =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ChoicesField
  | ConstField
  | ListField
  | ObjectField
  | AlternativesField
  | JsonField;

/**
 * What is entered in a field: for a text, a number and JSON as it is typed; `yes`, `no` or empty; the index of a choice
 * or empty; the indexes of several; what is in each item of a list or each field of an object, in their order, and a text
 * for an object that is absent; the index of an alternative and what is entered for it, or nothing.
 */
export type Entered = string | readonly Entered[];
