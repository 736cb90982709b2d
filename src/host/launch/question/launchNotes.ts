import { wordsOf } from '../../config/serverDefinition.ts';
import type { Launch } from '../fingerprint.ts';
import { isInsideWorkspace } from '../warnings/insideWorkspace.ts';
import { codeArguments } from '../warnings/codeArguments.ts';
import { fetchedProgram } from '../warnings/packageRunners.ts';
import { visibleText } from '../../../base/text/visibleText.ts';

/**
 * What is worth knowing of a launch before you allow it, a sentence each. Most honest servers have one of these notes;
 * what is unusual for them is in `launchWarnings`.
 *
 * @param workspace The paths of the workspace's folders.
 */
export function launchNotes(
  { definition, workingDirectory }: Pick<Launch, 'definition' | 'workingDirectory'>,
  workspace: readonly string[],
): string[] {
  const words = wordsOf(definition);
  const also = codeArguments(words)
    .filter(({ kind }) => kind === 'also')
    .map(({ name, index }) => `${name} also loads what argument ${index} names.`);
  const fetched = fetchedProgram(words);
  if (!fetched) {
    return also;
  }
  const { runner, kind, isPinned, isLocal } = fetched;
  const name = `"${visibleText(fetched.spec)}"`;
  const what = kind === 'container' ? `the image ${name}` : name;
  const from =
    kind !== 'container' && isAddress(fetched.spec) ? ', from that address and not from a registry' : '';
  return [
    ...also,
    ...(isLocal ? [] : [`${runner} downloads ${what} at the first start and runs it${from}.`]),
    // `npx` and `bunx` look for it there first.
    ...(kind === 'npm' && !isLocal && isInsideWorkspace('.', workingDirectory, workspace)
      ? [`A copy of it in "node_modules" of the workspace would run instead.`]
      : []),
    ...(isPinned ? [] : [`It has no fixed version: a later start may run a newer one.`]),
  ];
}

/** A repository or a file on the web, instead of a package's name. */
function isAddress(spec: string): boolean {
  return /^(?:git\+|git:|https?:|ssh:|github:|gitlab:|bitbucket:|gist:)|@\s*(?:git\+|https?:)|^[\w.-]+\/[\w.-]+(?:#|$)/.test(
    spec,
  );
}
