import { textBounds } from '../json/bounds.ts';

/** Characters that a text may have, by the name of its member. */
const bounds: ReadonlyMap<string, number> = new Map([
  ...[
    'name',
    'version',
    'role',
    'type',
    'theme',
    'format',
    '$id',
    '$ref',
    '$schema',
    '$anchor',
    'x-mcp-header',
  ].map((name) => [name, textBounds.name] as const),
  ...['uri', 'uriTemplate', 'src', 'websiteUrl'].map((name) => [name, textBounds.uri] as const),
  ...['title', 'mimeType', 'lastModified', 'taskSupport', 'audience', 'sizes', 'required', 'pattern'].map(
    (name) => [name, textBounds.label] as const,
  ),
]);

/** An entry with fewer characters has no text that is too long. */
export const shortestBound = Math.min(textBounds.prose, ...bounds.values());

/**
 * Which text of a list's entry is too long, as a clause; undefined if none is. Other members than those above count as
 * prose. The entry must not be nested too deeply.
 */
export function textFault(entry: unknown, name = ''): string | undefined {
  if (typeof entry === 'string') {
    const most = bounds.get(name) ?? textBounds.prose;
    return entry.length > most
      ? `${name === '' ? 'a text' : `\`${name.slice(0, 100)}\``} has more than ${most.toLocaleString('en-US')} characters`
      : undefined;
  }
  if (typeof entry !== 'object' || entry === null) {
    return undefined;
  }
  const parts = Array.isArray(entry)
    ? entry.map((part: unknown) => [name, part] as const)
    : Object.entries(entry);
  for (const [key, part] of parts) {
    const fault = key.length > textBounds.name ? nameFault() : textFault(part, key);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}

function nameFault(): string {
  return `the name of a member has more than ${textBounds.name.toLocaleString('en-US')} characters`;
}
