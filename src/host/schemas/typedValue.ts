import type { ParseError } from 'jsonc-parser';
import { isRecord } from '../../base/values/record.ts';
import { messageOf } from '../errors/hostError.ts';
import { jsonErrorText, parseJsonc } from '../errors/jsonError.ts';
import type { ArgumentStep, ChoiceStep, JsonStep, ListStep, NumberStep, TextStep } from './argumentSteps.ts';

/** The typed value of an argument; or that it is left out; or what is wrong with it. */
export type TypedValue =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'omitted' }
  | { readonly kind: 'problem'; readonly message: string };

/** What you type for an empty text, because an empty box means no value. */
const EMPTY_TEXT = '""';

/** Reads what you typed in a step; `message` is a sentence that says what is expected. */
export function readTyped(step: TextStep | NumberStep | JsonStep, typed: string): TypedValue {
  const text = step.kind === 'text' ? typed : typed.trim();
  if (text === '') {
    return readEmpty(step);
  }
  switch (step.kind) {
    case 'text':
      return readText(step, text === EMPTY_TEXT ? '' : text);
    case 'number':
      return readNumber(step, text);
    case 'json':
      return readJson(step, text);
  }
}

/** The typed items of a list: one, several numbers, or a whole list as JSON; or what is wrong with them. */
export type TypedItems =
  | { readonly kind: 'items'; readonly values: readonly unknown[] }
  /** The whole list: no more items follow. */
  | { readonly kind: 'list'; readonly values: readonly unknown[] }
  | { readonly kind: 'problem'; readonly message: string };

/** Reads what you typed as the next item of a list. */
export function readItems({ item }: ListStep, typed: string): TypedItems {
  if (/^\s*\[/.test(typed)) {
    try {
      const whole = parseJson(typed);
      if (Array.isArray(whole)) {
        return { kind: 'list', values: whole };
      }
    } catch {
      // Then it is a text that begins like a list.
    }
  }
  const parts = item.kind === 'number' ? typed.split(/[,;\s]+/).filter(Boolean) : [typed];
  const values: unknown[] = [];
  for (const part of parts) {
    const read = readTyped(item, part);
    if (read.kind !== 'value') {
      return problem(read.kind === 'problem' ? read.message : `This is not ${expectation(item)}.`);
    }
    values.push(read.value);
  }
  return { kind: 'items', values };
}

/** Reads which choices you picked. */
export function readPicked(step: ChoiceStep, picked: readonly unknown[]): TypedValue {
  if (picked.length === 0 && (!step.isMany || step.whenEmpty !== 'refuse')) {
    return readEmpty(step);
  }
  return { kind: 'value', value: step.isMany ? picked : picked[0] };
}

/** The initial text of a step's box: the value as you would type it, `''` for none. */
export function typedText(step: ArgumentStep, value: unknown): string {
  if (value === undefined || value === null) {
    return '';
  }
  if (step.kind === 'text') {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return text === '' ? EMPTY_TEXT : text;
  }
  return JSON.stringify(value) ?? '';
}

/** What a step expects in a few words, such as `an integer from 1 to 10`. */
export function expectation(step: ArgumentStep): string {
  switch (step.kind) {
    case 'text':
      return textExpectation(step);
    case 'number':
      return numberExpectation(step);
    case 'boolean':
      return 'true or false';
    case 'choice':
      return step.isMany ? 'any of these' : 'one of these';
    case 'list':
      return `a list, each item ${expectation(step.item)}`;
    case 'json':
      return step.accepts === 'any' ? 'a JSON value' : `a JSON ${step.accepts}`;
  }
}

function readEmpty(step: ArgumentStep): TypedValue {
  switch (step.whenEmpty) {
    case 'omit':
      return { kind: 'omitted' };
    case 'null':
      return { kind: 'value', value: null };
    case 'refuse':
      return problem(
        step.kind === 'text' && step.minLength === 0
          ? `This argument is required. Type ${EMPTY_TEXT} for an empty text.`
          : `This argument is required: ${expectation(step)}.`,
      );
  }
}

function readText(step: TextStep, text: string): TypedValue {
  // JSON Schema counts characters as code points.
  const length = Array.from(text).length;
  return length < step.minLength || length > step.maxLength
    ? problem(`This is ${characters(length)}: expected is ${textExpectation(step)}.`)
    : { kind: 'value', value: text };
}

function readNumber(step: NumberStep, text: string): TypedValue {
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
  const value = Number(text);
  if (!isNumber || !Number.isFinite(value) || (step.isInteger && !Number.isInteger(value))) {
    return problem(`'${text.slice(0, 40)}' is not ${numberExpectation(step)}.`);
  }
  if (value < (step.minimum ?? -Infinity) || value > (step.maximum ?? Infinity)) {
    return problem(`${value} is out of range: expected is ${numberExpectation(step)}.`);
  }
  // A number that JSON can't represent exactly would reach the server as another one.
  if (step.isInteger && !Number.isSafeInteger(value)) {
    return problem(`${text.slice(0, 40)} is too large to be sent exactly.`);
  }
  return { kind: 'value', value: value === 0 ? 0 : value };
}

function readJson(step: JsonStep, text: string): TypedValue {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return problem(`This is not JSON: ${messageOf(error)}.`);
  }
  const isWanted =
    step.accepts === 'any' || (step.accepts === 'array' ? Array.isArray(value) : isRecord(value));
  return isWanted ? { kind: 'value', value } : problem(`This is not ${expectation(step)}.`);
}

/** Reads hand-written JSON: comments and trailing commas are allowed. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(text, errors);
    const [first] = errors;
    if (first) {
      const before = text.slice(0, first.offset).split('\n');
      const column = (before.at(-1)?.length ?? 0) + 1;
      throw new Error(`${jsonErrorText(first)}, at line ${before.length}, column ${column}`);
    }
    return value;
  }
}

function textExpectation({ format, minLength, maxLength }: TextStep): string {
  const example = format === undefined ? undefined : examples.get(format);
  const kind = format === undefined ? 'text' : `text of the format ${format}`;
  return `${kind}${example ? `, such as ${example}` : ''}${lengthRange(minLength, maxLength)}`;
}

const examples: ReadonlyMap<string, string> = new Map([
  ['date', '2026-03-14'],
  ['time', '14:03:00Z'],
  ['date-time', '2026-03-14T14:03:00Z'],
  ['duration', 'PT1H30M'],
  ['email', 'name@example.com'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['uri', 'https://example.com/'],
]);

function lengthRange(minimum: number, maximum: number): string {
  if (maximum !== Infinity) {
    return minimum > 0 ? `, ${minimum} to ${characters(maximum)}` : `, at most ${characters(maximum)}`;
  }
  return minimum > 0 ? `, at least ${characters(minimum)}` : '';
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

function numberExpectation({ isInteger, minimum, maximum }: NumberStep): string {
  const kind = isInteger ? 'an integer' : 'a number';
  if (minimum !== undefined && maximum !== undefined) {
    return `${kind} from ${minimum} to ${maximum}`;
  }
  if (minimum !== undefined) {
    return `${kind} of at least ${minimum}`;
  }
  return maximum === undefined ? kind : `${kind} of at most ${maximum}`;
}

function problem(message: string): { readonly kind: 'problem'; readonly message: string } {
  return { kind: 'problem', message };
}
