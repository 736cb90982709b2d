import { URI } from 'vscode-uri';
import type { DefinitionOrigin, WorkspaceFolder } from '../config/serverDefinition.ts';

/** A root as one server sees it (2025-11-25, client/roots: `uri` MUST be a `file:` URI). */
export interface SharedRoot {
  readonly uri: string;
  readonly name: string;
}

/** The folders that the person allowed one server to see: by their URIs, or all of the workspace. */
export type AllowedRoots = 'all' | readonly string[];

/** What one server may see of the workspace, and what it cannot. */
export interface RootsView {
  readonly shared: readonly SharedRoot[];
  /** Folders that the person has not allowed this server to see. */
  readonly withheld: readonly SharedRoot[];
  /** Folders whose scheme is not `file:`: they are on no disk that a server could reach. */
  readonly leftOut: readonly WorkspaceFolder[];
}

/**
 * What a server sees of the folders that were allowed for it. A server that a folder defines can see
 * that folder only; every other one the whole workspace.
 */
export function rootsFor(
  origin: Pick<DefinitionOrigin, 'folder'>,
  folders: readonly WorkspaceFolder[],
  allowed: AllowedRoots,
): RootsView {
  const visible = origin.folder ? folders.filter(({ uri }) => uri === origin.folder?.uri) : folders;
  const shared: SharedRoot[] = [];
  const withheld: SharedRoot[] = [];
  const leftOut: WorkspaceFolder[] = [];
  for (const folder of visible) {
    const uri = URI.parse(folder.uri, true);
    if (uri.scheme === 'file') {
      const root = { uri: uri.toString(), name: folder.name };
      (allowed === 'all' || allowed.includes(root.uri) ? shared : withheld).push(root);
    } else {
      leftOut.push(folder);
    }
  }
  return { shared, withheld, leftOut };
}

/** The path of a root on this machine, as its own system writes it. */
export function pathOf(root: SharedRoot): string {
  return URI.parse(root.uri, true).fsPath;
}

/** Another order or another name is a change: servers take the first root as their default. */
export function isSameRoots(a: readonly SharedRoot[], b: readonly SharedRoot[]): boolean {
  return (
    a.length === b.length &&
    a.every((root, index) => root.uri === b[index]?.uri && root.name === b[index]?.name)
  );
}
