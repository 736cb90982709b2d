import * as vscode from 'vscode';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceUris } from './resourceUris.ts';

/**
 * The resource that a command was called for: by a row (it has an `address`), by a document's URI (from a menu of the
 * editor), or, without an argument, by the active tab.
 */
export function addressIn(argument: unknown, uris: ResourceUris): ResourceAddress | undefined {
  if (isRow(argument)) {
    return argument.address;
  }
  const uri = documentIn(argument);
  return uri && uris.addressOf(uri);
}

/** The document that a command was called for: the argument, or that of the active tab. */
export function documentIn(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) {
    return argument;
  }
  return isRow(argument) ? undefined : uriOfTab(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/** The MIME type that the server lists, if a command was called for a row that has it. */
export function mimeTypeIn(argument: unknown): string | undefined {
  return isRow(argument) && 'mimeType' in argument && typeof argument.mimeType === 'string'
    ? argument.mimeType
    : undefined;
}

/** A row of a tree or a quick pick for a resource. */
export function isRow(argument: unknown): argument is { readonly address: ResourceAddress } {
  return typeof argument === 'object' && argument !== null && 'address' in argument;
}

/** What a tab shows; in a diff, the side of the present. */
function uriOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return input.uri;
  }
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
