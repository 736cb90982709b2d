import { URI } from 'vscode-uri';
import type { DefinitionOrigin, WorkspaceFolder } from '../config/serverDefinition.ts';

/** A root as one server sees it (2025-11-25, client/roots: `uri` MUST be a `file:` URI). */
export interface SharedRoot {
  readonly uri: string;
  readonly name: string;
}

/** What one server may see of the workspace, and the folders that cannot be roots. */
export interface RootsView {
  readonly shared: readonly SharedRoot[];
  /** Folders whose scheme is not `file:`: they are on no disk that a server could reach. */
  readonly leftOut: readonly WorkspaceFolder[];
}

/** A server that a folder defines sees that folder only; every other one the whole workspace. */
export function rootsFor(origin: DefinitionOrigin, folders: readonly WorkspaceFolder[]): RootsView {
  const visible = origin.folder ? folders.filter(({ uri }) => uri === origin.folder?.uri) : folders;
  const shared: SharedRoot[] = [];
  const leftOut: WorkspaceFolder[] = [];
  for (const folder of visible) {
    const uri = URI.parse(folder.uri, true);
    if (uri.scheme === 'file') {
      shared.push({ uri: uri.toString(), name: folder.name });
    } else {
      leftOut.push(folder);
    }
  }
  return { shared, leftOut };
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
