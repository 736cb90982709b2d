import { applyEdits, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { findLast, removalOf } from '../../host/config/edit/jsonEdits.ts';
import { secretInput } from '../../host/config/edit/secrets.ts';
import { fileKindOf, pathInFile, type ServersFile } from '../../host/config/edit/serversFile.ts';
import {
  settingsIn,
  styleIn,
  takenNames,
  withInputsDeclared,
  withMember,
} from '../../host/config/edit/withServer.ts';
import type { DefinitionLayer } from '../../host/config/readDefinitions.ts';
import type { DefinitionOrigin, DefinitionProblem } from '../../host/config/serverDefinition.ts';
import { HostError } from '../../host/errors/hostError.ts';

/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  readonly offset: number;
  readonly length: number;
}

/**
 * What to underline for a problem: the name of the field, or the value in a list, or the nearest thing around it
 * that exists; where the JSON itself is broken, the place where it breaks.
 */
export function stretchOf(text: string, problem: DefinitionProblem): Stretch {
  const errors: ParseError[] = [];
  const tree = parse(text, errors);
  const [broken] = errors;
  if (problem.path === undefined && broken) {
    return { offset: broken.offset, length: Math.max(broken.length, 1) };
  }
  const path = fullPath(problem, tree);
  const node = path
    .map((_, index) => findLast(tree, path.slice(0, path.length - index)))
    .find((one) => one !== undefined);
  const { offset, length } = (node && (keyOf(node) ?? node)) ?? { offset: tree?.offset ?? 0, length: 1 };
  return { offset, length };
}

/** The layer that a text would be if it were saved; undefined while settings are not valid JSON. */
export function layerIn(text: string, origin: DefinitionOrigin): DefinitionLayer | undefined {
  return origin.format === 'mcpJson'
    ? { origin, text }
    : unlessInvalid(() => ({ origin, ...settingsIn(text, fileKindOf(origin)) }));
}

/** The text after the fix of a problem, which keeps comments and formatting; undefined if its place is gone. */
export function withFix(text: string, problem: DefinitionProblem): string | undefined {
  const { fix, origin } = problem;
  const where = fileKindOf(origin);
  const tree = parse(text);
  const path = fullPath(problem, tree);
  const node = findLast(tree, path);
  switch (fix?.kind) {
    case 'rename': {
      const key = node && keyOf(node);
      const content = JSON.stringify(fix.to);
      return key && applyEdits(text, [{ offset: key.offset, length: key.length, content }]);
    }
    case 'remove':
      return node?.parent?.type === 'property' ? applyEdits(text, removalOf(text, node.parent)) : undefined;
    case 'insert':
      return node?.type === 'object'
        ? unlessInvalid(() => withMember(text, path, fix.field, fix.value, styleIn(text, where)))
        : undefined;
    case 'declareInput': {
      const { id } = fix;
      const declaration = { type: 'promptString', id, description: id, password: true } as const;
      return node && unlessInvalid(() => withInputsDeclared(text, where, [declaration]));
    }
    case 'useInput':
      return node && unlessInvalid(() => withSecretInput(text, where, problem, node));
    case undefined:
      return undefined;
  }
}

/** With a new input in place of a secret, which you then enter when the server starts. */
function withSecretInput(
  text: string,
  where: ServersFile,
  { name = '', path = [] }: DefinitionProblem,
  { offset, length }: Node,
): string {
  const input = secretInput(name, String(path.at(-1)), takenNames(text, where).inputs);
  const content = JSON.stringify(`\${input:${input.id}}`);
  return withInputsDeclared(applyEdits(text, [{ offset, length, content }]), where, [input]);
}

/** The title of a quick fix. */
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
    case 'useInput':
      return `Replace the value of "${field}" with an input`;
    case undefined:
      return undefined;
  }
}

function fullPath(
  { origin, part = 'servers', path = [] }: DefinitionProblem,
  tree: Node | undefined,
): readonly (string | number)[] {
  return [...pathInFile(fileKindOf(origin), part, tree), ...path];
}

function unlessInvalid<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    // The parser throws a RangeError for what is nested too deeply.
    if (error instanceof HostError || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function parse(text: string, errors: ParseError[] = []): Node | undefined {
  return unlessInvalid(() => parseTree(text, errors, { allowTrailingComma: true }));
}

function keyOf({ parent }: Node): Node | undefined {
  return parent?.type === 'property' ? parent.children?.[0] : undefined;
}
