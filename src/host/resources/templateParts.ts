/** The operators of RFC 6570, section 2.2; the empty one is simple expansion. */
export type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

/** One variable as an expression names it. */
export interface VariableSpec {
  readonly name: string;
  /** `{list*}`: each value separately. */
  readonly isExploded: boolean;
  /** `{name:3}`: how many characters of the value are used, counted as code points. */
  readonly prefix: number | undefined;
}

export interface Expression {
  readonly operator: Operator;
  readonly specs: readonly VariableSpec[];
}

/** A template from its start to its end: literal text and expressions. */
export type TemplatePart = string | Expression;

export interface TemplateProblem {
  readonly kind: 'malformed';
  /** What is wrong, as a sentence without the server or the name. */
  readonly message: string;
}

/** Characters of a template; RFC 6570 has no limit. */
const MAX_TEMPLATE = 4_000;
/** Expressions and variables: you are asked for each. */
const MAX_EXPRESSIONS = 100;
const MAX_VARIABLES = 50;

const operators: readonly string[] = ['+', '#', '.', '/', ';', '?', '&'];

/**
 * `varspec` of RFC 6570, section 2.3. The hyphen is not part of it, but servers use it, and it has no
 * other meaning there.
 */
const spec =
  /^((?:[A-Za-z0-9_-]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_-]|%[0-9A-Fa-f]{2}))*)(?:(\*)|:([1-9][0-9]{0,3}))?$/;

/** The parts of a template, or why it is invalid. */
export function templateParts(template: string): readonly TemplatePart[] | TemplateProblem {
  if (template.length > MAX_TEMPLATE) {
    return malformed(`The template is longer than ${MAX_TEMPLATE} characters.`);
  }
  // Every second piece was between braces.
  const pieces = template.split(/\{([^{}]*)\}/);
  const parts: TemplatePart[] = [];
  for (const [index, piece] of pieces.entries()) {
    const part = index % 2 === 0 ? literal(piece) : expression(piece);
    if (typeof part === 'object' && 'kind' in part) {
      return part;
    }
    if (part !== '') {
      parts.push(part);
    }
  }
  return tooMany(parts) ?? parts;
}

function literal(text: string): string | TemplateProblem {
  const [brace] = /[{}]/.exec(text) ?? [];
  if (brace === undefined) {
    return text.toWellFormed();
  }
  return malformed(
    brace === '{' ? "A '{' is not closed by a '}'." : "A '}' stands alone, without a '{' before it.",
  );
}

function expression(text: string): Expression | TemplateProblem {
  const operator = operators.includes(text.charAt(0)) ? (text.charAt(0) as Operator) : '';
  const specs: VariableSpec[] = [];
  for (const one of text.slice(operator.length).split(',')) {
    const [, name, star, prefix] = spec.exec(one) ?? [];
    if (name === undefined) {
      return malformed(
        one === '' ? `'{${text}}' lacks a name.` : `'{${text}}' is not an expression of RFC 6570.`,
      );
    }
    specs.push({
      name,
      isExploded: star !== undefined,
      prefix: prefix === undefined ? undefined : Number(prefix),
    });
  }
  return { operator, specs };
}

function tooMany(parts: readonly TemplatePart[]): TemplateProblem | undefined {
  const expressions = parts.filter((part) => typeof part === 'object');
  const names = new Set(expressions.flatMap(({ specs }) => specs.map(({ name }) => name)));
  if (expressions.length > MAX_EXPRESSIONS) {
    return malformed(`The template has more than ${MAX_EXPRESSIONS} expressions.`);
  }
  return names.size > MAX_VARIABLES
    ? malformed(`The template has more than ${MAX_VARIABLES} variables.`)
    : undefined;
}

function malformed(message: string): TemplateProblem {
  return { kind: 'malformed', message };
}
