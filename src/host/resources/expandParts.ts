import { parseTemplate } from 'url-template';
import type { Expression, Operator, VariableSpec } from './templateParts.ts';

/** The value of a variable; undefined, or an empty list, leaves it out. */
export type Value = string | readonly string[] | undefined;

/** The text between expressions, with characters that a URI can't have encoded (RFC 6570, section 3.1). */
export function expandLiteral(text: string): string {
  return parseTemplate(escaped(text)).expand({});
}

/**
 * The text that replaces an expression (RFC 6570, section 3.2). Each variable is passed to the library
 * separately, because one expression can name a variable twice: `{/var:1,var}`.
 */
export function expandExpression(
  { operator, specs }: Expression,
  valueOf: (spec: VariableSpec) => Value,
): string {
  let expanded = '';
  for (const spec of specs) {
    const value = valueOf(spec);
    if (value !== undefined && value.length > 0) {
      const { before, next } = expanded === '' ? { before: '', next: operator } : continuations[operator];
      expanded += before + encoded(next, spec, value);
    }
  }
  return expanded;
}

/** How an expression goes on after its first variable (RFC 6570, appendix A: `sep` and `first`). */
const continuations: Readonly<Record<Operator, { readonly before: string; readonly next: Operator }>> = {
  '': { before: ',', next: '' },
  '+': { before: ',', next: '+' },
  '#': { before: ',', next: '+' },
  '.': { before: '', next: '.' },
  '/': { before: '', next: '/' },
  ';': { before: '', next: ';' },
  '?': { before: '', next: '&' },
  '&': { before: '', next: '&' },
};

function encoded(operator: Operator, { name, isExploded }: VariableSpec, value: NonNullable<Value>): string {
  const key = decoded(name);
  const fit = operator === '+' || operator === '#' ? escaped : (one: string) => one;
  const values = [[key, typeof value === 'string' ? fit(value) : value.map(fit)]];
  return parseTemplate(`{${operator}${key}${isExploded ? '*' : ''}}`).expand(Object.fromEntries(values));
}

/** Where a `%` is followed by a single digit, the library leaves everything around it unchanged. */
function escaped(text: string): string {
  return text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25');
}

/** The library encodes a name, and would encode its `%20` again. */
function decoded(name: string): string {
  try {
    const plain = decodeURIComponent(name);
    return /[{},:*]/.test(plain) ? name : plain;
  } catch {
    return name;
  }
}
