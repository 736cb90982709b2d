import { URI } from 'vscode-uri';
import { placeOfUri } from './rootUri.ts';
import type { Event } from '../../base/lifetime/event.ts';

/** A folder of the workspace; `uri` in the editor's spelling. */
export interface WorkspaceFolder {
  readonly uri: string;
  readonly name: string;
}

/** A root as one server sees it (2025-11-25, client/roots: `uri` MUST be a `file:` URI). */
export interface SharedRoot {
  readonly uri: string;
  readonly name: string;
}

/** What can never be a root; `root` has no canonical URI. */
export interface RefusedRoot {
  readonly root: SharedRoot;
  readonly problem: FolderProblem;
}

/** The folders of the workspace as one server could see them. */
export interface VisibleFolders {
  readonly onDisk: readonly SharedRoot[];
  readonly refused: readonly RefusedRoot[];
  /** Folders whose scheme is not `file:`. */
  readonly leftOut: readonly WorkspaceFolder[];
}

/** The folders that a server could see: a server that a folder defines that folder only, others all. */
export function visibleFolders(
  origin: { readonly folder?: WorkspaceFolder },
  folders: readonly WorkspaceFolder[],
): VisibleFolders {
  const visible = origin.folder ? folders.filter(({ uri }) => uri === origin.folder?.uri) : folders;
  const onDisk: SharedRoot[] = [];
  const refused: RefusedRoot[] = [];
  const leftOut: WorkspaceFolder[] = [];
  for (const folder of visible) {
    const place = placeOfUri(folder.uri);
    if (!/^file:/i.test(folder.uri)) {
      leftOut.push(folder);
    } else if (place.kind === 'refused') {
      refused.push({ root: folder, problem: { kind: 'refused', message: place.message } });
    } else if (!onDisk.some(({ uri }) => uri === place.uri)) {
      onDisk.push({ uri: place.uri, name: folder.name });
    }
  }
  return { onDisk, refused, leftOut };
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

/** Why a folder is not shared; `message` is a sentence. */
export interface FolderProblem {
  /** `moved`: its real path is not the one that you agreed to share; `outside`: it leads out of its folder. */
  readonly kind: 'missing' | 'unreadable' | 'notAFolder' | 'moved' | 'outside' | 'refused';
  readonly message: string;
}

/** The workspace's folders, in their order. */
export interface RootsSource {
  readonly folders: readonly WorkspaceFolder[];
  readonly onDidChange: Event<void>;
}
