import type { FolderProblem, SharedRoot, WorkspaceFolder } from '../folders/sharedRoot.ts';

/** A folder that a server could see, and whether it does. */
export interface RootCandidate {
  /** A canonical `file:` URI, and the name that the server gets. */
  readonly root: SharedRoot;
  /** The workspace folder that a sub-folder lies in. */
  readonly within?: SharedRoot;
  /** What was decided: the checkbox. */
  readonly isChosen: boolean;
  /** What a question would preset. */
  readonly isProposed: boolean;
  /** Why it is not shared although it was chosen, or cannot be chosen at all; then it has no checkbox. */
  readonly problem?: FolderProblem;
}

/**
 * What decides about a server's folders: you; the `roots` of your own definition; the
 * setting `mcpHost.roots.default`; nothing yet.
 */
type RootsBasis = 'person' | 'definition' | 'setting' | 'undecided';

/** What one server may see of the workspace, and what it could. */
export interface RootsView {
  readonly basis: RootsBasis;
  /** Whether a folder that is added later is shared automatically. */
  readonly isForLater: boolean;
  /** What the server gets, in order. */
  readonly shared: readonly SharedRoot[];
  /** The folders of the workspace in their order, each followed by its sub-folders. */
  readonly candidates: readonly RootCandidate[];
  /** Folders whose scheme is not `file:`: they are on no disk that a server could reach. */
  readonly leftOut: readonly WorkspaceFolder[];
}

/** The folders that you can be asked about. */
export function offeredIn({ candidates }: RootsView): readonly RootCandidate[] {
  return candidates.filter(({ problem }) => problem === undefined);
}
