import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelPage, type PageName } from './panelPage.ts';

/** A panel, and what loads its page. */
interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly load: () => void;
}

/** The type of a panel, by which the editor finds who restores it. */
export function panelType(name: PageName): string {
  return `mcpHost.${name}`;
}

/** Opens a panel in the active column, with an empty page into which the script of that name puts everything. */
export function openPanel(extensionUri: vscode.Uri, name: PageName, tabTitle: string): OpenPanel {
  const panel = vscode.window.createWebviewPanel(
    panelType(name),
    tabTitle,
    vscode.ViewColumn.Active,
    optionsFor(extensionUri),
  );
  return restoredPanel(extensionUri, name, panel);
}

/** As `openPanel`, for a panel that the editor has opened again. */
export function restoredPanel(
  extensionUri: vscode.Uri,
  name: PageName,
  panel: vscode.WebviewPanel,
): OpenPanel {
  panel.webview.options = optionsFor(extensionUri);
  const load = (): void => {
    const { webview } = panel;
    const bundle = bundleIn(extensionUri);
    panel.webview.html = panelPage(name, {
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
      source: (file) => webview.asWebviewUri(vscode.Uri.joinPath(bundle, file)).toString(),
    });
  };
  return { panel, load };
}

function optionsFor(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, enableForms: false, localResourceRoots: [bundleIn(extensionUri)] };
}

function bundleIn(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}
