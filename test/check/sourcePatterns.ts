import {
  parseSync,
  Visitor,
  type Argument,
  type Expression,
  type Program,
  type Span,
  type TemplateLiteral,
} from 'oxc-parser';

/** A regular expression in a source. */
export interface SourcePattern {
  readonly line: number;
  /** As it is written there, in one line. */
  readonly text: string;
  /** Undefined if it is known only when the code runs. */
  readonly pattern: RegExp | undefined;
}

type Constants = ReadonlyMap<string, string | number | RegExp>;

/**
 * The regular expressions of a source: literals, what `RegExp` is given, texts for `match`, `matchAll` and `search`, and
 * those of JSON schemas, which editors try on files.
 * What `RegExp` is given is known if it consists of texts, numbers and constants at the top of the same file. Any other
 * use of `RegExp` could make an expression, too.
 */
export function sourcePatterns(file: string, source: string): readonly SourcePattern[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) {
    throw new Error(`${file} could not be parsed: ${errors[0]?.message}`);
  }
  const constants = constantsOf(program, source);
  const found: SourcePattern[] = [];
  const add = ({ start, end }: Span, pattern: RegExp | undefined): void => {
    const line = source.slice(0, start).split('\n').length;
    found.push({ line, text: source.slice(start, end).replaceAll(/\s+/g, ' '), pattern });
  };
  /** Where the name `RegExp` makes nothing that isn't found already. */
  const harmless = new Set<number>();
  const visitCall = (node: Expression): void => {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') {
      return;
    }
    const { callee } = node;
    if (callee.type === 'Identifier' && callee.name === 'RegExp') {
      harmless.add(callee.start);
      const value = valueOf(node, constants);
      add(node, value instanceof RegExp ? value : undefined);
    } else if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
      const text = /^(?:match|matchAll|search)$/.test(callee.property.name)
        ? valueOf(node.arguments[0], constants)
        : undefined;
      if (typeof text === 'string') {
        add(node, expression(text, ''));
      }
    }
  };
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) {
        add(node, expression(node.regex.pattern, node.regex.flags));
      }
    },
    NewExpression: visitCall,
    CallExpression: visitCall,
    ObjectExpression: ({ properties }) => {
      for (const one of properties) {
        const isPattern =
          one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'pattern';
        const text = isPattern ? valueOf(one.value, constants) : undefined;
        // Patterns of files have that name, too: most of those are no expressions.
        const pattern = typeof text === 'string' ? expression(text, 'u') : undefined;
        if (pattern) {
          add(one, pattern);
        }
      }
    },
    BinaryExpression: ({ operator, right }) => void (operator === 'instanceof' && harmless.add(right.start)),
    TSTypeReference: ({ typeName }) => void harmless.add(typeName.start),
    Identifier: (node) => {
      if (node.name === 'RegExp' && !harmless.has(node.start)) {
        add(node, undefined);
      }
    },
  }).visit(program);
  return found;
}

/** The values of constants at the top of a file whose name stands for nothing else in it. */
function constantsOf(program: Program, source: string): Constants {
  const top = program.body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((one) => (one?.type === 'VariableDeclaration' && one.kind === 'const' ? one.declarations : []));
  const otherwise = new Set<string>();
  const bind = (...places: readonly (Span | null)[]): void => {
    // With names in types and default values, which does no harm.
    for (const { start, end } of places.filter((place) => place !== null)) {
      source
        .slice(start, end)
        .match(/[\w$]+/g)
        ?.forEach((name) => otherwise.add(name));
    }
  };
  new Visitor({
    VariableDeclarator: (one) => bind(top.includes(one) ? null : one.id),
    FunctionDeclaration: ({ id, params }) => bind(id, ...params),
    FunctionExpression: ({ id, params }) => bind(id, ...params),
    ArrowFunctionExpression: ({ params }) => bind(...params),
    ClassDeclaration: ({ id }) => bind(id),
    ClassExpression: ({ id }) => bind(id),
    CatchClause: ({ param }) => bind(param),
  }).visit(program);
  const constants = new Map<string, string | number | RegExp>();
  for (const { id, init } of top) {
    const value = id.type === 'Identifier' && !otherwise.has(id.name) ? valueOf(init, constants) : undefined;
    if (id.type === 'Identifier' && value !== undefined) {
      constants.set(id.name, value);
    }
  }
  return constants;
}

type Value = string | number | RegExp | undefined;

/** What an expression gives; undefined if that is known only when the code runs. */
function valueOf(node: Argument | null | undefined, constants: Constants): Value {
  switch (node?.type) {
    case 'Literal':
      if ('regex' in node) {
        return expression(node.regex.pattern, node.regex.flags);
      }
      return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined;
    case 'Identifier':
      return constants.get(node.name);
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return valueOf(node.expression, constants);
    case 'TemplateLiteral':
      return joined(node, 'cooked', constants);
    case 'TaggedTemplateExpression':
      return isStringRaw(node.tag) ? joined(node.quasi, 'raw', constants) : undefined;
    case 'BinaryExpression':
      return node.operator === '+'
        ? sum(valueOf(node.left, constants), valueOf(node.right, constants))
        : undefined;
    case 'NewExpression':
    case 'CallExpression': {
      const [pattern, flags] = node.arguments.map((one) => valueOf(one, constants));
      const isKnown =
        node.callee.type === 'Identifier' && node.callee.name === 'RegExp' && pattern !== undefined;
      if (!isKnown || (node.arguments.length > 1 && typeof flags !== 'string')) {
        return undefined;
      }
      const given = pattern instanceof RegExp ? pattern : { source: String(pattern), flags: '' };
      return expression(given.source, typeof flags === 'string' ? flags : given.flags);
    }
    default:
      return undefined;
  }
}

function isStringRaw(tag: Expression): boolean {
  return (
    tag.type === 'MemberExpression' &&
    tag.object.type === 'Identifier' &&
    tag.object.name === 'String' &&
    tag.property.type === 'Identifier' &&
    tag.property.name === 'raw'
  );
}

function joined(
  { quasis, expressions }: TemplateLiteral,
  kind: 'cooked' | 'raw',
  constants: Constants,
): Value {
  const values = expressions.map((one) => valueOf(one, constants));
  return values.some((value) => value === undefined || value instanceof RegExp)
    ? undefined
    : quasis.map(({ value }, index) => `${value[kind]}${String(values[index] ?? '')}`).join('');
}

function sum(left: Value, right: Value): Value {
  return typeof left === 'number' && typeof right === 'number'
    ? left + right
    : [left, right].some((one) => one === undefined || one instanceof RegExp)
      ? undefined
      : `${String(left)}${String(right)}`;
}

/** Undefined for one that isn't valid. */
function expression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
