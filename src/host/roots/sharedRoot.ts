import { URI } from 'vscode-uri';
import type { DefinitionOrigin, WorkspaceFolder } from '../config/serverDefinition.ts';

/** A root as one server sees it (2025-11-25, client/roots: `uri` MUST be a `file:` URI). */
export interface SharedRoot {
  readonly uri: string;
  readonly name: string;
}

/** The folders that a server could see: a server that a folder defines that folder only, others all. */
export function visibleFolders(
  origin: Pick<DefinitionOrigin, 'folder'>,
  folders: readonly WorkspaceFolder[],
): { readonly onDisk: readonly SharedRoot[]; readonly leftOut: readonly WorkspaceFolder[] } {
  const visible = origin.folder ? folders.filter(({ uri }) => uri === origin.folder?.uri) : folders;
  const onDisk: SharedRoot[] = [];
  const leftOut: WorkspaceFolder[] = [];
  for (const folder of visible) {
    const uri = URI.parse(folder.uri, true);
    if (uri.scheme === 'file') {
      onDisk.push({ uri: uri.toString(), name: folder.name });
    } else {
      leftOut.push(folder);
    }
  }
  return { onDisk, leftOut };
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
