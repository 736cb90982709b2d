import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { contentPolicy } from './contentPolicy.ts';

/** What each page is called until its script has put in its content; a tab's title may have names of others in it. */
const pageTitles = { review: 'Review Questions', server: 'MCP Server', request: 'MCP Request' };

/** A panel, and what loads its page. */
interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly load: () => void;
}

/** The type of a panel, by which the editor finds who restores it. */
export function panelType(name: keyof typeof pageTitles): string {
  return `mcpHost.${name}`;
}

/** Opens a panel in the active column, with an empty page into which the script of that name puts everything. */
export function openPanel(
  extensionUri: vscode.Uri,
  name: keyof typeof pageTitles,
  tabTitle: string,
): OpenPanel {
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
  name: keyof typeof pageTitles,
  panel: vscode.WebviewPanel,
): OpenPanel {
  panel.webview.options = optionsFor(extensionUri);
  const load = (): void => {
    panel.webview.html = panelPage(panel.webview, bundleIn(extensionUri), name);
  };
  return { panel, load };
}

function optionsFor(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, enableForms: false, localResourceRoots: [bundleIn(extensionUri)] };
}

function bundleIn(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** An empty page: the script of that name puts everything in, as text. Nothing comes from elsewhere. */
function panelPage(webview: vscode.Webview, bundle: vscode.Uri, name: keyof typeof pageTitles): string {
  const nonce = randomBytes(16).toString('base64');
  const source = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(bundle, file)).toString();
  const policy = contentPolicy(webview.cspSource, nonce, name === 'request');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pageTitles[name]}</title>
<link rel="stylesheet" nonce="${nonce}" href="${source(`${name}.css`)}">
</head>
<body data-page="${name}">
<script nonce="${nonce}" src="${source('pages.js')}"></script>
</body>
</html>`;
}
