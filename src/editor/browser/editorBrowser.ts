import * as vscode from 'vscode';
import type { Browser } from '../../host/auth/redirect/redirect.ts';
import { isPrintedAs } from './printedAddress.ts';

/** The browser that the editor opens: on a remote, the one of the machine that you sit at. */
export const editorBrowser: Browser = {
  externalUri: async (uri) => (await vscode.env.asExternalUri(vscode.Uri.parse(uri, true))).toString(true),
  open: async (address) => {
    const uri = vscode.Uri.parse(address, true);
    return isPrintedAs(uri, address) && (await vscode.env.openExternal(uri));
  },
};
