import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { contentPolicy } from './contentPolicy.ts';

/** What each page is called until its script has put in its content; a tab's title may have names of others in it. */
const pageTitles = { review: 'Review Questions', server: 'MCP Server' };

/** Opens a panel in the active column, with an empty page into which the script of that name puts everything. */
export function openPanel(
  extensionUri: vscode.Uri,
  name: keyof typeof pageTitles,
  tabTitle: string,
): { readonly panel: vscode.WebviewPanel; readonly load: () => void } {
  const bundle = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const panel = vscode.window.createWebviewPanel(`mcpHost.${name}`, tabTitle, vscode.ViewColumn.Active, {
    enableScripts: true,
    enableForms: false,
    localResourceRoots: [bundle],
  });
  const load = (): void => {
    panel.webview.html = panelPage(panel.webview, bundle, name);
  };
  return { panel, load };
}

/** An empty page: the script of that name puts everything in, as text. Nothing comes from elsewhere. */
function panelPage(webview: vscode.Webview, bundle: vscode.Uri, name: keyof typeof pageTitles): string {
  const nonce = randomBytes(16).toString('base64');
  const source = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(bundle, file)).toString();
  const policy = contentPolicy(webview.cspSource, nonce);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pageTitles[name]}</title>
<link rel="stylesheet" nonce="${nonce}" href="${source(`${name}.css`)}">
</head>
<body>
<script nonce="${nonce}" src="${source(`${name}.js`)}"></script>
</body>
</html>`;
}
