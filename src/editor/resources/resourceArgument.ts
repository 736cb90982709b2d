import * as vscode from 'vscode';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceUris } from './resourceUris.ts';

/**
 * The resource that a command was called for: by a row of a tree (it has an `address`), by a document's
 * URI (a menu of the editor hands it over), or, without an argument, by the tab in front.
 */
export function addressIn(argument: unknown, uris: ResourceUris): ResourceAddress | undefined {
  if (isRow(argument)) {
    return argument.address;
  }
  const uri = documentIn(argument);
  return uri && uris.addressOf(uri);
}

/** The document that a command was called for: the one it was handed, or that of the tab in front. */
export function documentIn(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) {
    return argument;
  }
  return isRow(argument) ? undefined : uriOfTab(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/** What the server has listed a resource as, where a command was called for a row that says so. */
export function mimeTypeIn(argument: unknown): string | undefined {
  return isRow(argument) && 'mimeType' in argument && typeof argument.mimeType === 'string'
    ? argument.mimeType
    : undefined;
}

/** A row of a tree, or of a quick pick, that stands for a resource. */
export function isRow(argument: unknown): argument is { readonly address: ResourceAddress } {
  return typeof argument === 'object' && argument !== null && 'address' in argument;
}

/** What a tab shows; of a diff, the side that is the present. */
function uriOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return input.uri;
  }
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
