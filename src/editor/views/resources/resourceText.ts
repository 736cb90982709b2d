import type { Resource } from '@modelcontextprotocol/client';
import { counted, sizeText } from '../../../base/text/words.ts';
import { inTooltip, oneLine } from '../../messages/plainText.ts';

/** Characters of a row; the editor would cut longer text anyway. */
const MAX_ROW = 200;

/** A server's text in a row of a tree. */
export function inRow(text: string): string {
  return oneLine(text.slice(0, 2 * MAX_ROW), MAX_ROW);
}

/** Both counts: "7 resources · 1 template". */
export function countsText(resources: number, templates: number): string {
  const parts = [counted(resources, 'resource'), counted(templates, 'template')];
  return parts.filter((part) => !part.startsWith('0 ')).join(' · ');
}

/**
 * Everything that a server says about a resource (server/resources); the facts come first, so that no description can
 * forge them.
 */
export function resourceTooltip(resource: Resource, label: string): string {
  const { uri, name, mimeType, size, annotations, description } = resource;
  const facts: readonly (readonly [what: string, value: string | undefined])[] = [
    ['Name', name === label ? undefined : name],
    ['URI', uri],
    ['Type', mimeType],
    ['Size', size === undefined ? undefined : sizeText(size)],
    ['For', audienceText(annotations?.audience)],
    [
      'Priority',
      annotations?.priority === undefined ? undefined : `${Math.round(annotations.priority * 100)} %`,
    ],
    ['Changed', dateText(annotations?.lastModified)],
  ];
  return tooltipOf(label, facts, description);
}

/** A heading, facts of one line each, and a text of any lines. */
export function tooltipOf(
  heading: string,
  facts: readonly (readonly [what: string, value: string | undefined])[],
  text: string | undefined,
): string {
  const lines = facts.flatMap(([what, value]) =>
    value?.trim() ? [`${what}: ${oneLine(value, 1_000)}`] : [],
  );
  const paragraphs = [[oneLine(heading, 1_000), ...lines].join('\n'), inTooltip(text?.trim() ?? '')];
  return paragraphs.filter(Boolean).join('\n\n');
}

function audienceText(audience: readonly string[] | undefined): string | undefined {
  const names = { user: 'you', assistant: 'models' };
  return audience
    ?.flatMap((role) => (role === 'user' || role === 'assistant' ? [names[role]] : []))
    .join(' and ');
}

/** An ISO 8601 time in your locale; undefined if it is invalid. */
function dateText(time: string | undefined): string | undefined {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime())
    ? undefined
    : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
