import { textBounds } from '../json/bounds.ts';
import { expandExpression, expandLiteral, type Value } from './expandParts.ts';
import {
  templateParts,
  type Operator,
  type TemplatePart,
  type TemplateProblem,
  type VariableSpec,
} from './templateParts.ts';

/** A variable of a template, as you are asked for it. */
export interface TemplateVariable {
  readonly name: string;
  /** Whether the URI is useless without it; one in a query, for example, can be left out. */
  readonly isRequired: boolean;
  /** The separator of the values of one that takes several; undefined for a single value. */
  readonly separator: '/' | '.' | ',' | undefined;
  /** How many characters of the value are used at most; undefined for all of them. */
  readonly prefix: number | undefined;
}

/** What you typed for each variable, by its name. An empty one is left out of the URI. */
export type TemplateValues = Readonly<Record<string, string>>;

export type Expansion =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'problem'; readonly message: string };

/** Characters of a URI; only a template that explodes gives a longer one. */
const MAX_URI = 8_000;

/** A template by RFC 6570, all four levels. */
export class UriTemplate {
  /** As the server wrote it: completion needs it. */
  readonly text: string;
  /** In the order in which they are first named. */
  readonly variables: readonly TemplateVariable[];
  readonly #parts: readonly TemplatePart[];

  private constructor(text: string, parts: readonly TemplatePart[]) {
    this.text = text;
    this.#parts = parts;
    this.variables = variablesOf(parts);
  }

  /** The template, or why it is invalid; never throws. */
  static parse(text: string): UriTemplate | TemplateProblem {
    const parts = templateParts(text);
    return 'kind' in parts ? parts : new UriTemplate(text, parts);
  }

  /** The URI that the values give. */
  expand(values: TemplateValues): Expansion {
    const typed = new Map(Object.entries(values));
    if ([...typed.values()].some((value) => value.length > textBounds.variable)) {
      return { kind: 'problem', message: `A value is longer than ${textBounds.variable} characters.` };
    }
    const uri = this.#expand((spec, separator) => valueIn(typed.get(spec.name) ?? '', spec, separator));
    return uri === undefined
      ? { kind: 'problem', message: `The URI would be longer than ${MAX_URI} characters.` }
      : { kind: 'uri', uri };
  }

  /** The URI so far: a variable without a value, not even an empty one, is shown as `{name}`. */
  preview(values: TemplateValues): string {
    const typed = new Map(Object.entries(values));
    const names = this.variables.map(({ name }) => name);
    const uri = this.#expand((spec, separator) => {
      const value = typed.get(spec.name);
      return value === undefined
        ? placeholder(names.indexOf(spec.name))
        : valueIn(value.slice(0, textBounds.variable), spec, separator);
    });
    return (uri ?? '…').replace(/~~(\d+)~~/g, (whole, index) => {
      const name = names[Number(index)];
      return name === undefined ? whole : `{${name}}`;
    });
  }

  /** Undefined when it becomes too long. */
  #expand(valueOf: (spec: VariableSpec, separator: Separator) => Value): string | undefined {
    let uri = '';
    for (const part of this.#parts) {
      uri +=
        typeof part === 'string'
          ? expandLiteral(part)
          : expandExpression(part, (spec) => valueOf(spec, separatorOf(part.operator, spec)));
      if (uri.length > MAX_URI) {
        return undefined;
      }
    }
    return uri;
  }
}

type Separator = TemplateVariable['separator'];

function variablesOf(parts: readonly TemplatePart[]): readonly TemplateVariable[] {
  const variables = new Map<string, TemplateVariable>();
  for (const { operator, specs } of parts.filter((part) => typeof part === 'object')) {
    for (const spec of specs) {
      const { name, prefix } = spec;
      const before = variables.get(name);
      variables.set(name, {
        name,
        isRequired: before?.isRequired === true || isNeeded(operator),
        separator: before?.separator ?? separatorOf(operator, spec),
        prefix: before ? larger(before.prefix, prefix) : prefix,
      });
    }
  }
  return [...variables.values()];
}

/** A path without one of its segments is another path; queries, path parameters and fragments are optional. */
function isNeeded(operator: Operator): boolean {
  return ['', '+', '/', '.'].includes(operator);
}

function separatorOf(operator: Operator, { isExploded }: VariableSpec): Separator {
  if (!isExploded) {
    return undefined;
  }
  return operator === '/' || operator === '.' ? operator : ',';
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}

/**
 * The value or the values in what was typed; the library would count units of UTF-16 for the prefix. A path
 * keeps its empty segments, because they have a meaning; the `/` at its beginning comes from the template.
 */
function valueIn(typed: string, { prefix }: VariableSpec, separator: Separator): Value {
  if (typed === '') {
    return undefined;
  }
  const value = typed.toWellFormed();
  switch (separator) {
    case undefined:
      return prefix === undefined ? value : Array.from(value).slice(0, prefix).join('');
    case '/':
      return value.replace(/^\//, '').split('/');
    case '.':
    case ',':
      return value
        .split(separator)
        .map((one) => one.trim())
        .filter(Boolean);
  }
}

/** Takes the place of the variable with that number in a preview: characters that no operator encodes. */
function placeholder(index: number): string {
  return `~~${index}~~`;
}
