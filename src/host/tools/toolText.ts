import { isRecord } from '../../base/values/record.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { indentJson } from '../json/indentJson.ts';
import type { PinnedItem, PinnedTool } from './pinnedItem.ts';

/** Levels of a schema whose keys are sorted. */
const MAX_DEPTH = 100;

/**
 * Everything that is pinned of a tool, as lines to read and compare: two different tools never look
 * alike, and the order of keys makes no difference.
 */
export function toolLines(tool: PinnedTool): readonly string[] {
  return [
    ...textLines(tool),
    'Input schema:',
    ...jsonLines(tool.inputSchema),
    ...(tool.outputSchema === undefined ? [] : ['Output schema:', ...jsonLines(tool.outputSchema)]),
    ...(tool.annotations === undefined
      ? []
      : ['Labels of the server, not verified (annotations):', ...jsonLines(tool.annotations)]),
    ...(tool.taskSupport === undefined ? [] : [`Runs as a task: ${seenLine(tool.taskSupport)}`]),
  ];
}

/** The same of a tool, a prompt or a resource template. */
export function itemLines(item: PinnedItem): readonly string[] {
  if ('inputSchema' in item) {
    return toolLines(item);
  }
  if ('uriTemplate' in item) {
    return [
      `URI template: ${seenLine(item.uriTemplate)}`,
      ...textLines(item),
      ...(item.mimeType === undefined ? [] : [`MIME type: ${seenLine(item.mimeType)}`]),
    ];
  }
  return [
    ...textLines(item),
    ...(item.arguments === undefined ? [] : ['Arguments:', ...jsonLines(item.arguments)]),
  ];
}

/** The texts that a model reads of anything that is listed. */
export function textLines({
  name,
  title,
  description,
}: Pick<PinnedItem, 'name' | 'title' | 'description'>): readonly string[] {
  return [
    `Name: ${seenLine(name)}`,
    ...(title === undefined ? [] : [`Title: ${seenLine(title)}`]),
    ...(description === undefined ? [] : ['Description:', ...proseLines(description)]),
  ];
}

/** The parameters of a tool, a readable line for each. */
export function parameterLines({ inputSchema }: PinnedTool): readonly string[] {
  const { properties, required } = isRecord(inputSchema) ? inputSchema : {};
  if (!isRecord(properties)) {
    return [];
  }
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, schema]) => {
    const { type, description } = isRecord(schema) ? schema : {};
    const about = [...(typeof type === 'string' ? [type] : []), needed.has(name) ? 'required' : 'optional'];
    const text = typeof description === 'string' ? `: ${description}` : '';
    return `${seenLine(name)} (${about.map((word) => seenLine(word)).join(', ')})${seenLine(text)}`;
  });
}

/** The lines of a text, with everything invisible written out, indented so that none looks like a heading. */
export function proseLines(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${seenLine(line, true)}`);
}

/** As `visibleText`; an escape that is already in the text gets another backslash. */
function seenLine(text: string, keepsTabs = false): string {
  const told = text.replace(/(\\+)([^\\]?)/gsu, (found, slashes: string, next: string, at: number) => {
    const after = text.slice(at + slashes.length, at + slashes.length + 2);
    const isLikeOne = visibleText(next) !== next || /^(?:u\{|[nrt])/.test(after);
    return isLikeOne ? `${slashes}${slashes}${next}` : found;
  });
  return keepsTabs ? told.split('\t').map(visibleText).join('\t') : visibleText(told);
}

function jsonLines(value: unknown): readonly string[] {
  const json = JSON.stringify(inOrder(value, 0)) as string | undefined;
  return indentJson(json ?? 'undefined')
    .split('\n')
    .map((line) => `  ${visibleText(line)}`);
}

function inOrder(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown) => inOrder(item, depth + 1));
  }
  if (!isRecord(value)) {
    return value;
  }
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key], depth + 1)]));
}
