import * as vscode from 'vscode';
import type { WorkspaceTrust } from '../../host/servers/admission.ts';
import type { RootsSource } from '../../host/folders/sharedRoot.ts';

/** The window's folders as the host sees them. */
export const workspaceFolders: RootsSource = {
  get folders() {
    return (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name }));
  },
  onDidChange: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(() => listener()),
};

export const workspaceTrust: WorkspaceTrust = {
  get isTrusted() {
    return vscode.workspace.isTrusted;
  },
  onDidGrant: (listener) => vscode.workspace.onDidGrantWorkspaceTrust(() => listener()),
};

/**
 * Identifies this window's workspace wherever something about it is kept: the workspace file, or the first folder, so
 * that adding a folder changes nothing. Empty for a window without a folder.
 */
export function workspaceKey(): string {
  const { workspaceFile, workspaceFolders: [first] = [] } = vscode.workspace;
  const saved = workspaceFile?.scheme === 'untitled' ? undefined : workspaceFile;
  return (saved ?? first?.uri)?.toString() ?? '';
}
