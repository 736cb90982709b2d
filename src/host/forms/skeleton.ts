import { cutTo } from '../../base/text/words.ts';
import type { FormField, NumberField, TextField } from '../../form/formField.ts';
import { textFormats } from '../../form/textFormat.ts';
import { printJson } from '../json/readableText.ts';
import { outlineOf } from './formOf.ts';

/** Choices that a comment names, and its characters. */
const MAX_CHOICES = 10;
const MAX_COMMENT = 300;

/**
 * JSON with comments to start from: required properties with an empty value, optional ones as a comment, each under the
 * server's description.
 */
export function commentedSkeleton(schema: unknown): string {
  return `${linesOf(outlineOf(schema)).join('\n')}\n`;
}

function linesOf(field: FormField): readonly string[] {
  if (field.kind === 'object' && field.fields.length > 0) {
    return ['{', ...membersOf(field.fields).map(indented), '}'];
  }
  if (field.kind === 'list' && field.item.kind === 'object') {
    return ['[', ...linesOf(field.item).map(indented), ']'];
  }
  const [first] = field.kind === 'alternatives' ? field.options : [];
  return first ? linesOf(first) : printJson(emptyValue(field)).split('\n');
}

/** Required ones first, so that what has to be written is together. */
function membersOf(fields: readonly FormField[]): readonly string[] {
  const sorted = fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const last = sorted.findLastIndex(({ isRequired }) => isRequired);
  return sorted.flatMap((field, index) => {
    const name = JSON.stringify(field.name);
    if (!field.isRequired) {
      return [...commentsOn(field), `// ${name}: ${JSON.stringify(emptyValue(field))}`];
    }
    const text = `${name}: ${linesOf(field).join('\n')}${index < last ? ',' : ''}`;
    return [...commentsOn(field), ...text.split('\n')];
  });
}

/** A value of the right shape: the default, or an empty one with the required properties. */
function emptyValue(field: FormField): unknown {
  if (field.initial !== undefined) {
    return field.initial;
  }
  switch (field.kind) {
    case 'text':
      return '';
    case 'number':
      return field.minimum ?? 0;
    case 'boolean':
      return false;
    case 'choice':
      return field.choices[0]?.value;
    case 'choices':
      return [];
    case 'const':
      return field.value;
    case 'list':
      return field.minItems > 0 ? [emptyValue(field.item)] : [];
    case 'object': {
      const shown = field.fields.filter(({ isRequired, initial }) => isRequired || initial !== undefined);
      return Object.fromEntries(shown.map((one) => [one.name, emptyValue(one)]));
    }
    case 'alternatives':
      return field.options[0] ? emptyValue(field.options[0]) : null;
    case 'json':
      return { object: {}, array: [], any: null }[field.accepts];
  }
}

/** What a property is for, whether it is required, and what it can be. */
function commentsOn(field: FormField): readonly string[] {
  const title = field.label === field.name.trim() ? undefined : field.label;
  const about = [title, field.description].filter((text) => text !== undefined).join(': ');
  return [
    ...(about === '' ? [] : [about]),
    `${field.isRequired ? 'Required' : 'Optional'}: ${expectation(field)}`,
  ].map((text) => `// ${cutTo(text.replaceAll(/\s+/g, ' ').trim(), MAX_COMMENT)}`);
}

/** What can be written, in a few words: `a whole number from 1 to 10`. */
function expectation(field: FormField): string {
  switch (field.kind) {
    case 'text':
      return textExpectation(field);
    case 'number':
      return numberExpectation(field);
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `one of ${labelsOf(field.choices)}`;
    case 'choices':
      return `any of ${labelsOf(field.choices)}`;
    case 'const':
      return field.shown;
    case 'list':
      return `a list, each item ${expectation(field.item)}`;
    case 'object':
      return 'a JSON object';
    case 'alternatives':
      return field.options.map(expectation).join(', or ');
    case 'json':
      return field.accepts === 'any' ? 'a JSON value' : `a JSON ${field.accepts}`;
  }
}

function textExpectation({ format, minLength, maxLength }: TextField): string {
  const rule = format && textFormats[format];
  const range = bounds(minLength > 0 ? minLength : undefined, maxLength);
  const unit = (maxLength ?? minLength) === 1 ? 'character' : 'characters';
  return `${rule ? `${rule.words}, such as ${rule.example}` : 'text'}${range && `, ${range} ${unit}`}`;
}

function numberExpectation({ isInteger, minimum, maximum }: NumberField): string {
  const range = bounds(minimum, maximum);
  return `${isInteger ? 'a whole number' : 'a number'}${range && `, ${range}`}`;
}

function bounds(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) {
    return `${least} to ${most}`;
  }
  return least !== undefined ? `at least ${least}` : most !== undefined ? `at most ${most}` : '';
}

function labelsOf(choices: readonly { readonly label: string }[]): string {
  const labels = choices.slice(0, MAX_CHOICES).map(({ label }) => label);
  return [...labels, ...(choices.length > MAX_CHOICES ? ['…'] : [])].join(', ');
}

function indented(line: string): string {
  return `  ${line}`;
}
