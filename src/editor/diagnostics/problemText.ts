import {
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  type Edit,
  type FormattingOptions,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { removalOf } from '../../host/config/edit/removalOf.ts';
import type { DefinitionLayer } from '../../host/config/readDefinitions.ts';
import type { DefinitionOrigin, DefinitionProblem, LayerPart } from '../../host/config/serverDefinition.ts';

/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  readonly offset: number;
  readonly length: number;
}

type JsonPath = readonly (string | number)[];

/** Where a part of a layer stands in the file that the layer is read from. */
export function pathInFile({ scope, format }: DefinitionOrigin, part: LayerPart): JsonPath {
  if (part === 'file') {
    return [];
  }
  if (format === 'mcpJson') {
    return [part === 'servers' ? 'mcpServers' : 'inputs'];
  }
  const setting = `mcpHost.${part}`;
  return scope === 'workspace' ? ['settings', setting] : [setting];
}

/**
 * What to underline for a problem: the name of the field, or the value in a list, or the nearest thing
 * around it that is there; where the JSON itself is broken, the place where it breaks.
 */
export function stretchOf(text: string, problem: DefinitionProblem): Stretch {
  const errors: ParseError[] = [];
  const tree = parse(text, errors);
  const [broken] = errors;
  if (problem.path === undefined && broken) {
    return { offset: broken.offset, length: Math.max(broken.length, 1) };
  }
  if (!tree) {
    return { offset: 0, length: 1 };
  }
  const path = fullPath(problem);
  const node = path
    .map((_, index) => findNodeAtLocation(tree, path.slice(0, path.length - index)))
    .find((one) => one !== undefined);
  const shown = node && (keyOf(node) ?? node);
  return shown ? { offset: shown.offset, length: shown.length } : { offset: tree.offset, length: 1 };
}

/** The layer that a text would be if it were saved; undefined while settings are no valid JSON. */
export function layerIn(text: string, origin: DefinitionOrigin): DefinitionLayer | undefined {
  if (origin.format === 'mcpJson') {
    return { origin, text };
  }
  const errors: ParseError[] = [];
  const tree = parse(text, errors);
  const valueOf = (part: LayerPart): unknown => {
    const node = tree && findNodeAtLocation(tree, [...pathInFile(origin, part)]);
    return node && (getNodeValue(node) as unknown);
  };
  return errors.length > 0 ? undefined : { origin, servers: valueOf('servers'), inputs: valueOf('inputs') };
}

/** The edits that mend a problem, with comments and formatting kept; none when its place is gone. */
export function editsFor(text: string, problem: DefinitionProblem): readonly Edit[] {
  const { fix } = problem;
  const tree = parse(text);
  if (!fix || !tree) {
    return [];
  }
  const path = fullPath(problem);
  const node = path.length === 0 ? tree : findNodeAtLocation(tree, [...path]);
  const formattingOptions = formattingOf(text);
  switch (fix.kind) {
    case 'rename': {
      const key = node && keyOf(node);
      return key ? [{ offset: key.offset, length: key.length, content: JSON.stringify(fix.to) }] : [];
    }
    case 'remove':
      return node?.parent?.type === 'property' ? removalOf(text, node.parent) : [];
    case 'insert':
      return node?.type === 'object'
        ? modify(text, [...path, fix.field], fix.value, { formattingOptions })
        : [];
    case 'declareInput': {
      const inputs = [...pathInFile(problem.origin, 'inputs')];
      const declaration = { type: 'promptString', id: fix.id, description: fix.id, password: true };
      return findNodeAtLocation(tree, inputs)?.type === 'array'
        ? modify(text, [...inputs, -1], declaration, { formattingOptions, isArrayInsertion: true })
        : modify(text, inputs, [declaration], { formattingOptions });
    }
  }
}

/** What a fix is called in the editor's list of quick fixes. */
export function fixTitle({ path, fix }: DefinitionProblem): string | undefined {
  const field = String(path?.at(-1) ?? '');
  switch (fix?.kind) {
    case 'rename':
      return `Rename "${field}" to "${fix.to}"`;
    case 'remove':
      return `Remove "${field}"`;
    case 'insert':
      return `Insert "${fix.field}"`;
    case 'declareInput':
      return `Declare the input "${fix.id}"`;
    case undefined:
      return undefined;
  }
}

function fullPath({ origin, part = 'servers', path = [] }: DefinitionProblem): (string | number)[] {
  return [...pathInFile(origin, part), ...path];
}

function parse(text: string, errors: ParseError[] = []): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    // Nested too deeply for the parser.
    return undefined;
  }
}

function keyOf({ parent }: Node): Node | undefined {
  return parent?.type === 'property' ? parent.children?.[0] : undefined;
}

function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
