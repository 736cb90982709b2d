import { cutTo } from '../../base/text/words.ts';
import { expectationOf, sampleOf } from '../../form/fieldKinds.ts';
import type { FormField } from '../../form/formField.ts';
import { printJson } from '../json/readableText.ts';
import { outlineOf } from './formOf.ts';

/** Characters of a comment. */
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
  return first ? linesOf(first) : printJson(sampleOf(field)).split('\n');
}

/** Required ones first, so that what has to be written is together. */
function membersOf(fields: readonly FormField[]): readonly string[] {
  const sorted = fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const last = sorted.findLastIndex(({ isRequired }) => isRequired);
  return sorted.flatMap((field, index) => {
    const name = JSON.stringify(field.name);
    if (!field.isRequired) {
      return [...commentsOn(field), `// ${name}: ${JSON.stringify(sampleOf(field))}`];
    }
    const text = `${name}: ${linesOf(field).join('\n')}${index < last ? ',' : ''}`;
    return [...commentsOn(field), ...text.split('\n')];
  });
}

/** What a property is for, whether it is required, and what it can be. */
function commentsOn(field: FormField): readonly string[] {
  const title = field.label === field.name.trim() ? undefined : field.label;
  const about = [title, field.description].filter((text) => text !== undefined).join(': ');
  return [
    ...(about === '' ? [] : [about]),
    `${field.isRequired ? 'Required' : 'Optional'}: ${expectationOf(field)}`,
  ].map((text) => `// ${cutTo(text.replaceAll(/\s+/g, ' ').trim(), MAX_COMMENT)}`);
}

function indented(line: string): string {
  return `  ${line}`;
}
