import { visibleText } from '../../base/text/visibleText.ts';
import type { FolderState } from '../folders/folderDisk.ts';
import { isInside } from '../folders/rootUri.ts';
import type { RootCandidate } from './rootsView.ts';
import { type FolderProblem, pathOf } from '../folders/sharedRoot.ts';

/** What the last look at a path has found. */
export type LookOf = (path: string) => FolderState | undefined;

/** Whether a folder is what was consented to; `unknown` before it was looked at. */
export type RootTruth =
  | { readonly kind: 'true'; readonly realPath: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'problem'; readonly problem: FolderProblem };

/**
 * Holds what was chosen against the disk: it is there, a sub-folder leads nowhere but into its folder, and
 * the real path is the one that was consented to, if it is known.
 */
export function truthOf(
  { root, within }: Pick<RootCandidate, 'root' | 'within'>,
  consented: string | undefined,
  lookOf: LookOf,
): RootTruth {
  const look = lookOf(pathOf(root));
  const outer = within && lookOf(pathOf(within));
  if (!look || (within && !outer)) {
    return { kind: 'unknown' };
  }
  if (look.kind === 'none') {
    return { kind: 'problem', problem: look.problem };
  }
  if (outer?.kind === 'none') {
    return { kind: 'problem', problem: outer.problem };
  }
  const { realPath } = look;
  if (within && outer && !isInside(realPath, outer.realPath)) {
    return problem('outside', `It leads out of '${within.name}', to ${realPath}.`);
  }
  if (consented !== undefined && consented !== realPath) {
    return problem('moved', `You shared ${consented}, and now it leads to ${realPath}.`);
  }
  return { kind: 'true', realPath };
}

function problem(kind: FolderProblem['kind'], message: string): RootTruth {
  return { kind: 'problem', problem: { kind, message: visibleText(message) } };
}
