import {
  canBeAbsent,
  type AlternativesField,
  type ChoicesField,
  type Entered,
  type FormField,
  type JsonField,
  type ListField,
  type NumberField,
  type ObjectField,
  type TextField,
} from './formField.ts';
import { textFormats } from './textFormat.ts';

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

/**
 * Reads what is entered in a field: required, type, length, range, choice and format are checked. A pattern never is,
 * because it is the server's, and might run forever.
 */
export function readField(field: FormField, entered: Entered): ReadField {
  switch (field.kind) {
    case 'const':
      return field.isRequired ? value(field.value) : { kind: 'omitted' };
    case 'choices':
      return readChoices(field, entered);
    case 'list':
      return readList(field, entered);
    case 'object':
      return readObject(field, entered);
    case 'alternatives':
      return readAlternative(field, entered);
    default:
      return typeof entered === 'string' ? readText(field, entered) : otherShape();
  }
}

type TypedField = Exclude<
  FormField,
  ListField | ObjectField | AlternativesField | ChoicesField | { kind: 'const' }
>;

function readText(field: TypedField, entered: string): ReadField {
  const text = field.kind === 'text' ? entered : entered.trim();
  if (text === '') {
    const isText = field.kind === 'text' && field.isRequired && field.initial === '' && !field.isNullable;
    return isText ? readString(field, text) : readNothing(field);
  }
  switch (field.kind) {
    case 'text':
      return readString(field, text);
    case 'number':
      return readNumber(field, text);
    case 'boolean':
      return text === 'yes' || text === 'no' ? value(text === 'yes') : otherShape();
    case 'choice': {
      const choice = field.choices[indexIn(text)];
      return choice ? value(choice.value) : otherShape();
    }
    case 'json':
      return readJson(field, text);
  }
}

/** An empty field. */
function readNothing({ isRequired, isNullable }: FormField): ReadField {
  if (!isRequired) {
    return { kind: 'omitted' };
  }
  return isNullable ? value(null) : problem('This is required.');
}

function readString({ minLength, maxLength = Infinity, format }: TextField, text: string): ReadField {
  const length = Array.from(text).length;
  if (length < minLength || length > maxLength) {
    const [few, many] = [length < minLength, characters(length < minLength ? minLength : maxLength)];
    return problem(`This has ${characters(length)}; ${few ? 'at least' : 'at most'} ${many} can be sent.`);
  }
  const rule = format && textFormats[format];
  return rule && !rule.isValid(text)
    ? problem(`This must be ${rule.words}, such as ${rule.example}`)
    : value(text);
}

function readNumber(field: NumberField, text: string): ReadField {
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
  const number = Number(text);
  if (!isNumber || !Number.isFinite(number)) {
    return problem(`This must be ${field.isInteger ? 'a whole number' : 'a number'}.`);
  }
  if (field.isInteger && !Number.isInteger(number)) {
    return problem('This must be a whole number.');
  }
  // A number that JSON can't represent exactly would reach the server as another one.
  if (field.isInteger && !Number.isSafeInteger(number)) {
    return problem('This number is too large to be sent exactly.');
  }
  const { minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity } = field;
  if (number < minimum) {
    return problem(`This must be at least ${minimum}.`);
  }
  if (number > maximum) {
    return problem(`This must be at most ${maximum}.`);
  }
  if (number <= above) {
    return problem(`This must be more than ${above}.`);
  }
  // JSON has no negative zero.
  return number >= below ? problem(`This must be less than ${below}.`) : value(number === 0 ? 0 : number);
}

function readJson({ accepts }: JsonField, text: string): ReadField {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return problem('This must be JSON.');
  }
  const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
  if (accepts === 'object' && !isObject) {
    return problem('This must be a JSON object, such as {"name": "value"}');
  }
  return accepts === 'array' && !Array.isArray(read)
    ? problem('This must be a JSON array, such as ["value"]')
    : value(read);
}

function readChoices(field: ChoicesField, entered: Entered): ReadField {
  const { choices, minItems, maxItems = Infinity } = field;
  if (typeof entered === 'string') {
    return otherShape();
  }
  if (entered.length === 0 && (!field.isRequired || minItems > 0)) {
    return readNothing(field);
  }
  const indexes = new Set(entered.map((one) => (typeof one === 'string' ? indexIn(one) : -1)));
  const chosen = choices.filter((_choice, index) => indexes.has(index));
  if (chosen.length !== entered.length) {
    return otherShape();
  }
  return countProblem(chosen.length, minItems, maxItems) ?? value(chosen.map((choice) => choice.value));
}

function readList(field: ListField, entered: Entered): ReadField {
  const { item, minItems, maxItems = Infinity } = field;
  if (typeof entered === 'string') {
    return otherShape();
  }
  if (entered.length === 0 && (!field.isRequired || minItems > 0)) {
    return readNothing(field);
  }
  const read = entered.map((one) => readField(item, one));
  const problems = problemsBelow(read);
  if (problems.length > 0) {
    return { kind: 'problems', problems };
  }
  return (
    countProblem(read.length, minItems, maxItems) ??
    value(read.map((one) => (one.kind === 'value' ? one.value : null)))
  );
}

function readObject(field: ObjectField, entered: Entered): ReadField {
  const { fields } = field;
  if (entered === '' && canBeAbsent(field)) {
    return readNothing(field);
  }
  if (typeof entered === 'string' || entered.length !== fields.length) {
    return otherShape();
  }
  const read = fields.map((one, index) => readField(one, entered[index] ?? ''));
  const problems = problemsBelow(read);
  return problems.length > 0
    ? { kind: 'problems', problems }
    : value(
        // A property may have any name, such as __proto__.
        Object.fromEntries(
          fields.flatMap(({ name }, index) => {
            const one = read[index];
            return one?.kind === 'value' ? [[name, one.value]] : [];
          }),
        ),
      );
}

function readAlternative(field: AlternativesField, entered: Entered): ReadField {
  if (typeof entered === 'string') {
    return otherShape();
  }
  const [chosen, within] = entered;
  if (chosen === undefined || chosen === '') {
    return readNothing(field);
  }
  const option = typeof chosen === 'string' ? field.options[indexIn(chosen)] : undefined;
  if (!option || within === undefined) {
    return otherShape();
  }
  const read = readField(option, within);
  return read.kind === 'problems' ? { kind: 'problems', problems: problemsBelow([read]) } : read;
}

function problemsBelow(read: readonly ReadField[]): readonly FieldProblem[] {
  return read.flatMap((one, index) =>
    one.kind === 'problems'
      ? one.problems.map(({ path, message }) => ({ path: [index, ...path], message }))
      : [],
  );
}

function countProblem(count: number, least: number, most: number): ReadField | undefined {
  if (count < least) {
    return problem(`At least ${least} must be given.`);
  }
  return count > most ? problem(`At most ${most} can be given.`) : undefined;
}

function indexIn(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : -1;
}

function value(given: unknown): ReadField {
  return { kind: 'value', value: given };
}

function problem(message: string): ReadField {
  return { kind: 'problems', problems: [{ path: [], message }] };
}

/** The page sends only what its fields can hold: this is for anything else. */
function otherShape(): ReadField {
  return problem('This can’t be read.');
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}
