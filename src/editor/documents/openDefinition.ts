import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { recordingAt } from '../../host/added/addedDefinitions.ts';
import { fileKindOf, pathInFile } from '../../host/config/edit/serversFile.ts';
import { isInUserSettings, type DefinitionOrigin } from '../../host/config/serverDefinition.ts';

/** Opens the file of a definition, at the name of the server if it is found. */
export async function openDefinition(
  origin: DefinitionOrigin | { readonly scope: 'user' },
  name?: string,
): Promise<void> {
  const recording = 'place' in origin ? recordingAt(origin.place) : undefined;
  if (recording !== undefined) {
    await vscode.window.showTextDocument(vscode.Uri.file(recording));
    return;
  }
  if (origin.scope === 'extension') {
    await openSampleProgram();
    return;
  }
  if (!('place' in origin) || isInUserSettings(origin)) {
    // No stable API gives the path of the user's settings.
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', {
      revealSetting: { key: 'mcpHost.servers', edit: false },
    });
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(origin.place));
  const editor = await vscode.window.showTextDocument(document);
  const tree = parseTree(document.getText());
  const servers = [...pathInFile(fileKindOf(origin), 'servers', tree)];
  const own = name === undefined ? servers : [...servers, name];
  const node = tree && (findNodeAtLocation(tree, own) ?? findNodeAtLocation(tree, servers));
  // The property with its name encloses its value.
  const offset = node?.parent?.offset ?? node?.offset;
  if (offset !== undefined) {
    const position = document.positionAt(offset);
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenter);
  }
}

/** The sample server has no definition in a file, so its program is shown. */
async function openSampleProgram(): Promise<void> {
  const extension = vscode.extensions.getExtension('mcphost.mcp-host');
  if (extension) {
    await vscode.window.showTextDocument(sampleScript(extension.extensionUri));
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
  }
}

/** The program of the sample server in an installation of this extension. */
function sampleScript(extensionUri: vscode.Uri): vscode.Uri {
  return ownScript(extensionUri, 'sampleServer');
}

/** One of the programs that come with this extension. */
export function ownScript(extensionUri: vscode.Uri, name: 'sampleServer' | 'recordedServer'): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', `${name}.cjs`);
}
