import * as vscode from 'vscode';
import { RESOURCE_SCHEME } from '../../host/resources/resourceAddress.ts';

/**
 * The documents of resources that tabs show or that are loaded otherwise: the tab of an image is not a text document.
 */
export function openDocuments(): readonly vscode.Uri[] {
  const loaded = vscode.workspace.textDocuments.map(({ uri }) => uri);
  const uris = [...shownDocuments(), ...loaded].filter(({ scheme }) => scheme === RESOURCE_SCHEME);
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

/** The documents of resources that tabs show. */
export function shownDocuments(): readonly vscode.Uri[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(documentsOf)
    .filter(({ scheme }) => scheme === RESOURCE_SCHEME);
}

/** What a tab shows. */
export function documentsOf({ input }: vscode.Tab): readonly vscode.Uri[] {
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
  ) {
    return [input.uri];
  }
  return input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff
    ? [input.original, input.modified]
    : [];
}
