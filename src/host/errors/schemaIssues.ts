/** An issue that a schema reports, as Zod writes it. */
export interface Issue {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
  readonly code?: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
}

/** Characters of a path in a value, whose names come from the server. */
const MAX_PLACE = 200;
/** Characters of a text that is searched for issues. */
const MAX_TEXT = 64 * 1024;

/** An issue as a clause such as "`inputSchema.type` must be "object""; `kind` is what was found, if anything. */
export function issueClause(issue: Issue, kind: string | undefined): string {
  const keys = keysOf(issue);
  const place = keys.length > 0 ? `\`${placeOf(keys)}\`` : 'it';
  if (kind === undefined) {
    return `${place} is missing`;
  }
  switch (issue.code) {
    case 'invalid_type':
      return `${place} must be ${withArticle(issue.expected ?? 'something else')}, not ${kind}`;
    case 'invalid_value':
      return `${place} must be ${(issue.values ?? []).map((one) => JSON.stringify(one)).join(' or ')}`;
    case 'invalid_union':
      return `${place} is not one of the values that are allowed there`;
    default:
      return `${place} is not valid: ${cut(issue.message)}`;
  }
}

export function keysOf({ path = [] }: Issue): readonly unknown[] {
  return path.map((key) => (typeof key === 'object' && key !== null && 'key' in key ? key.key : key));
}

/** The first issue, with the number of the others. */
export function issuesClause(first: string, others: number): string {
  return first + (others > 0 ? `, and ${others} more` : '');
}

/** The type of a value, in words. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : withArticle(Array.isArray(value) ? 'array' : typeof value);
}

/**
 * The text of an error with the issues of a schema in words, where the SDK or a server wrote them as JSON. Any other
 * text stays as it is.
 */
export function withoutJson(text: string): string {
  const start = text.length > MAX_TEXT ? -1 : text.search(/\[\s*\{\s*"/);
  // Printed over several lines, they end in one of their own; a stack trace may follow.
  const ends = start === -1 ? [] : [text.indexOf('\n]', start) + 2, text.lastIndexOf(']') + 1];
  const found = ends.map((end) => ({ end, issues: issuesIn(text.slice(start, end)) }));
  const { end = 0, issues = [] } = found.find(({ issues: some }) => some) ?? {};
  const [first, ...others] = issues;
  if (!first) {
    return text;
  }
  const before = text
    .slice(0, start)
    .replace(/^Invalid result for (\S+): $/, "its answer to '$1' is not valid: ");
  const after = text.slice(end);
  return `${before}${issuesClause(clauseByItsWords(first), others.length)}${after}`;
}

function issuesIn(json: string): readonly Issue[] | undefined {
  try {
    const value = JSON.parse(json) as unknown;
    return Array.isArray(value) && value.every(isIssue) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isIssue(value: unknown): value is Issue {
  const { message, path, code } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof message === 'string' && typeof code === 'string' && Array.isArray(path);
}

/** Zod's message says what was found: "expected string, received null". */
function clauseByItsWords(issue: Issue): string {
  const [, received = 'something else'] = /\breceived (\w+)$/.exec(issue.message) ?? [];
  if (issue.code === 'custom') {
    return keysOf(issue).length > 0
      ? issueClause(issue, received)
      : cut(issue.message.split(' — ', 1)[0] ?? '');
  }
  return issueClause(
    issue,
    received === 'undefined' ? undefined : received === 'null' ? 'null' : withArticle(received),
  );
}

/** As one writes it in code: `arguments[0].name`. */
function placeOf(keys: readonly unknown[]): string {
  const place = keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
  return cut(place);
}

/** The `…` shows that a secret may have been cut. */
function cut(text: string): string {
  return text.length > MAX_PLACE ? `${text.slice(0, MAX_PLACE)}…` : text;
}

function withArticle(expected: string): string {
  switch (expected) {
    case 'array':
      return 'a list';
    case 'record':
    case 'object':
      return 'an object';
    case 'int':
      return 'a whole number';
    case 'something else':
      return expected;
    default:
      return `a ${expected}`;
  }
}
