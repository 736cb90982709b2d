import { isRecord } from '../../base/values/record.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { cutTo } from '../../base/text/words.ts';
import { propertySteps, type ArgumentStep, type JsonStep } from './argumentSteps.ts';
import { resolveSchema } from './jsonSchema.ts';
import { printJson } from '../json/readableText.ts';
import { skeletonOf } from './skeleton.ts';
import { expectation } from './typedValue.ts';

/** Levels of objects whose properties have comments. */
const MAX_DEPTH = 4;
/** Properties with comments in all. */
const MAX_PROPERTIES = 200;
/** Choices that are named. */
const MAX_CHOICES = 10;
const MAX_DESCRIPTION = 300;

/**
 * JSON with comments to start from: required properties with an empty value, optional ones as a comment, each
 * under the server's description.
 */
export function commentedSkeleton(step: JsonStep, inputSchema: unknown): string {
  const root = inputSchema;
  let left = MAX_PROPERTIES;

  const objectLines = (value: unknown, depth: number): readonly string[] | undefined => {
    const resolved = resolveSchema(value, root)?.schema;
    if (!resolved || !isRecord(resolved['properties']) || depth >= MAX_DEPTH || left <= 0) {
      return undefined;
    }
    const { properties } = resolved;
    const steps = propertySteps(resolved, root).slice(0, left);
    left -= steps.length;
    const lastRequired = steps.findLastIndex(({ whenEmpty }) => whenEmpty !== 'omit');
    const lines = steps.flatMap((one, index) => {
      const property = isRecord(properties) ? properties[one.argument] : undefined;
      const isRequired = one.whenEmpty !== 'omit';
      const nested = isRequired
        ? valueLines(property, depth + 1)
        : [JSON.stringify(skeletonOf(property, root))];
      const [first = 'null', ...others] = nested;
      const written = [`${JSON.stringify(one.argument)}: ${first}`, ...others];
      const comma = isRequired && index < lastRequired ? ',' : '';
      return [
        ...commentsOn(one),
        ...(isRequired ? withComma(written, comma) : written.map((line) => `// ${line}`)),
      ];
    });
    return ['{', ...lines.map((line) => `  ${line}`), '}'];
  };

  const valueLines = (value: unknown, depth: number): readonly string[] => {
    const resolved = resolveSchema(value, root)?.schema;
    const items = resolved?.['items'];
    const skeleton = skeletonOf(value, root);
    if (isRecord(items) && Array.isArray(skeleton)) {
      const item = objectLines(items, depth + 1);
      return item ? ['[', ...item.map((line) => `  ${line}`), ']'] : [JSON.stringify(skeleton)];
    }
    return objectLines(value, depth) ?? printJson(skeleton).split('\n');
  };

  return [
    ...(step.argument === undefined ? [] : commentsOn(step)),
    ...valueLines(schemaOf(step, inputSchema), 0),
    '',
  ].join('\n');
}

function schemaOf({ argument }: JsonStep, inputSchema: unknown): unknown {
  const properties = resolveSchema(inputSchema, inputSchema)?.schema['properties'];
  return argument === undefined ? inputSchema : isRecord(properties) ? properties[argument] : undefined;
}

/** What a value is for, whether it is required, and what it can be. */
function commentsOn(step: ArgumentStep): readonly string[] {
  const { title, description, whenEmpty } = step;
  const about = [title, description].filter((text) => text !== undefined).join(': ');
  const need = whenEmpty === 'omit' ? 'Optional' : 'Required';
  return [
    ...(about === '' ? [] : [`// ${oneLine(about)}`]),
    `// ${need}: ${step.kind === 'choice' ? choicesOf(step.choices.map(({ label }) => label)) : expectation(step)}`,
  ];
}

function choicesOf(labels: readonly string[]): string {
  const more = labels.length > MAX_CHOICES ? ', …' : '';
  return `one of ${labels.slice(0, MAX_CHOICES).map(oneLine).join(', ')}${more}`;
}

function oneLine(text: string): string {
  const line = visibleText(text.replaceAll(/\s+/g, ' ').trim());
  return cutTo(line, MAX_DESCRIPTION);
}

function withComma(lines: readonly string[], comma: string): readonly string[] {
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${comma}`];
}
