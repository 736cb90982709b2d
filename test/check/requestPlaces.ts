import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** The methods of a connection, and of the SDK's client, that ask a server for something, or that give a result of it. */
const REQUESTS: ReadonlySet<string> = new Set([
  'callTool',
  'resumeTask',
  'readResource',
  'getPrompt',
  'complete',
]);
/** The same on the wire: what `request` of the SDK's client takes. */
const METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);
/** The ways to the SDK's client, which takes any method. */
const CLIENTS: ReadonlySet<string> = new Set(['client', 'Client', 'openSession', 'sendRequest']);
/** What has those methods: a key of it that is known only when it runs could be any of them. */
const ASKABLE = /(?:^|[.#])(?:connection|client|server|requests|session)$/i;

const gateModule = 'src/host/gate/gate.ts';
const connectionFolder = 'src/host/connection/';
const readerModule = /resources\/resourceReader\.ts$/;
/** Code that works for callers other than you: it must not use what reads for you alone. */
const forCallers =
  /^src\/(?:api\.ts|editor\/(?:api\/|gateway\/|chat\/(?:\w*[aA]gentMode|\w*[cC]hatTools)\.ts)|host\/(?:gate|gateway|chat|ledger)\/)/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/**
 * The places in a source from which a request could reach a server, other than calls on the gate: each as the function
 * around it, and what stands there. Whatever names one of those methods counts, however it is written, so that no
 * alias is missed. Comments don't.
 */
export function requestPlaces(file: string, source: string): readonly string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) {
    throw new Error(`${file} could not be parsed: ${errors[0]?.message}`);
  }
  const found: string[] = [];
  const root: unknown = program;
  if (isNode(root)) {
    const hasGate = childrenOf(root).some((one) => importsGate(one, file));
    visit(root, [], [], (node, parents, names) => {
      const what = requestAt(node, parents, source, file, hasGate);
      if (what !== undefined) {
        found.push(`${names.join('.') || 'module'}: ${what}`);
      }
    });
  }
  return found;
}

/** What stands at a node, if it could be a request. */
function requestAt(
  node: Node,
  parents: readonly Node[],
  source: string,
  file: string,
  hasGate: boolean,
): string | undefined {
  const [parent] = parents;
  const text = (one: Node): string => source.slice(one.start, one.end).replaceAll(/\s+/g, ' ');
  const isNamed = (name: string): boolean =>
    REQUESTS.has(name) || (CLIENTS.has(name) && !file.startsWith(connectionFolder));
  switch (node.type) {
    case 'Identifier': {
      const name = String(node['name']);
      if (name === 'gate' && hasGate && parent && isOtherGate(node, parent, text)) {
        return `gives the name 'gate' to something else in ${text(parent)}`;
      }
      return isNamed(name) ? usedName(name, node, parents, text, hasGate) : undefined;
    }
    case 'Literal':
    case 'TemplateElement': {
      const value = node.type === 'Literal' ? node['value'] : fieldOf(node['value'], 'cooked');
      if (typeof value !== 'string') {
        return undefined;
      }
      const isKey =
        parents.some(isType) ||
        parent?.type === 'MemberExpression' ||
        parents[1]?.type === 'MemberExpression' ||
        (parent?.type === 'Property' && parent['key'] === node);
      return (isNamed(value) && (isKey || /[A-Z]/.test(value))) ||
        (METHODS.has(value) && file.startsWith(connectionFolder))
        ? `names '${value}'`
        : readerModule.test(value) && forCallers.test(file)
          ? 'imports the reader that works for you alone'
          : undefined;
    }
    case 'MemberExpression': {
      const { object, property, computed } = node;
      return computed === true &&
        isNode(object) &&
        isNode(property) &&
        !['Literal', 'TemplateLiteral'].includes(property.type) &&
        ASKABLE.test(text(object))
        ? `takes any member: ${text(node)}`
        : undefined;
    }
    default:
      return undefined;
  }
}

/** What is done with a name that is that of a request, or of the SDK's client. */
function usedName(
  name: string,
  node: Node,
  parents: readonly Node[],
  text: (node: Node) => string,
  hasGate: boolean,
): string | undefined {
  const [parent, grandparent] = parents;
  const isWay = CLIENTS.has(name);
  if (parent?.type === 'MemberExpression' && parent['property'] === node && parent['computed'] !== true) {
    const { object } = parent;
    const isOnGate =
      hasGate && grandparent?.type === 'CallExpression' && grandparent['callee'] === parent && isGate(object);
    return isOnGate && !isWay ? undefined : text(parent);
  }
  if (parent?.type === 'Property' && grandparent?.type === 'ObjectPattern') {
    // Shorthand gives the same name twice: it is the key that counts.
    return parent['key'] === node ? `takes out ${name}` : undefined;
  }
  // A type has no value, and a variable of that name holds nothing that was not found where it came from.
  if (isWay && (parents.some(isType) || (name === 'client' && !isImported(parents)))) {
    return undefined;
  }
  return parent !== undefined && 'key' in parent && parent['key'] === node
    ? `defines ${name}`
    : `uses ${name}`;
}

function isImported([parent]: readonly Node[]): boolean {
  return parent?.type === 'ImportSpecifier' || parent?.type === 'ExportSpecifier';
}

/** `gate`, `this.#gate`, `context.gate`: what a name or members alone lead to. */
function isGate(node: unknown): boolean {
  if (!isNode(node)) {
    return false;
  }
  const last = node.type === 'MemberExpression' ? node['property'] : node;
  return isNode(last) && last['name'] === 'gate' && isPath(node);
}

function isPath(node: unknown): boolean {
  return (
    isNode(node) &&
    (node.type === 'ThisExpression' ||
      node.type === 'Identifier' ||
      (node.type === 'MemberExpression' && node['computed'] !== true && isPath(node['object'])))
  );
}

/** Whether a name `gate` is given here, and not to the gate: that would make every call on it look like one on it. */
function isOtherGate(node: Node, parent: Node, text: (node: Node) => string): boolean {
  const { typeAnnotation } = node;
  if (isNode(typeAnnotation)) {
    return !isGateType(typeAnnotation, text);
  }
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent['id'] === node && !isGate(parent['init']) && !isNewGate(parent['init']);
    case 'AssignmentExpression':
      return parent['left'] === node && !isGate(parent['right']) && !isNewGate(parent['right']);
    case 'PropertyDefinition':
    case 'TSPropertySignature': {
      const type = parent['typeAnnotation'];
      return parent['key'] === node && !(isNode(type) && isGateType(type, text));
    }
    case 'Property': {
      const { key, value } = parent;
      return value === node && isNode(key) && key['name'] !== 'gate';
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return Array.isArray(parent['params']) && parent['params'].includes(node);
    case 'ArrayPattern':
    case 'AssignmentPattern':
    case 'RestElement':
      return true;
    default:
      return false;
  }
}

function isGateType(type: Node, text: (node: Node) => string): boolean {
  return /^: ?(?:Gate|Pick<Gate, [^<>]*>)$/.test(text(type));
}

function isNewGate(node: unknown): boolean {
  return isNode(node) && node.type === 'NewExpression' && fieldOf(node['callee'], 'name') === 'Gate';
}

function importsGate(node: Node, file: string): boolean {
  return (
    node.type === 'ImportDeclaration' &&
    path.posix.join(path.posix.dirname(file), String(fieldOf(node['source'], 'value'))) === gateModule &&
    childrenOf(node).some(
      (one) => fieldOf(one['imported'], 'name') === 'Gate' && fieldOf(one['local'], 'name') === 'Gate',
    )
  );
}

function isType({ type }: Node): boolean {
  return (
    /^TS(?:InterfaceDeclaration|Type\w*|IndexedAccessType|LiteralType)$/.test(type) &&
    type !== 'TSTypeAssertion'
  );
}

type Found = (node: Node, parents: readonly Node[], names: readonly string[]) => void;

/** Goes through a node and all below it, with the nodes around each, and the names of the functions around it. */
function visit(node: Node, parents: readonly Node[], names: readonly string[], found: Found): void {
  found(node, parents, names);
  const around = [node, ...parents];
  const name = nameOf(node);
  const inside = name === undefined ? names : [...names, name];
  for (const child of childrenOf(node)) {
    // The name of a function is not inside it.
    visit(child, around, child === node['key'] || child === node['id'] ? names : inside, found);
  }
}

/** The name of a function or class, also of one that a variable or a property holds. */
function nameOf({ type, id, key, init, value }: Node): string | undefined {
  const holdsFunction = [init, value].some(
    (one) => isNode(one) && /^(?:ArrowFunction|Function|Class)Expression$/.test(one.type),
  );
  return /^(?:Class|Function|TSInterface)Declaration$/.test(type) ||
    (type === 'VariableDeclarator' && holdsFunction)
    ? textOf(fieldOf(id, 'name'))
    : type === 'MethodDefinition' || type === 'PropertyDefinition' || (type === 'Property' && holdsFunction)
      ? `${fieldOf(key, 'type') === 'PrivateIdentifier' ? '#' : ''}${textOf(fieldOf(key, 'name')) ?? 'a member'}`
      : undefined;
}

function childrenOf(node: Node): readonly Node[] {
  const seen = new Set<unknown>();
  return Object.values(node)
    .flat()
    .filter((one): one is Node => isNode(one) && !seen.has(one) && seen.add(one).size > 0);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[field]
    : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
