import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { languageFor } from '../../host/resources/mimeNames.ts';
import { placedResource, RESOURCE_SCHEME } from '../../host/resources/resourceAddress.ts';
import { mimeTypeOf } from '../../host/resources/resourceFiles.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import type { ResourceUris } from './resourceUris.ts';

const PLAIN_NAME = /\.(?:txt|text|log)$/i;

/** Gives a document the language of its MIME type where its name has none that the editor knows. */
export function setResourceLanguages(uris: ResourceUris, reader: ResourceReader): Disposable {
  const setLanguage = async (document: vscode.TextDocument): Promise<void> => {
    const { uri, languageId, isClosed } = document;
    const address = uri.scheme === RESOURCE_SCHEME ? uris.addressOf(uri) : undefined;
    if (!address || isClosed || languageId !== 'plaintext' || PLAIN_NAME.test(uri.path)) {
      return;
    }
    const content = reader.peek(address)?.contents[placedResource(uri.path)?.content ?? 0];
    const language = languageFor(content && mimeTypeOf(content, uris.listedTypeOf(address)));
    const known = language === undefined ? [] : await vscode.languages.getLanguages();
    if (language !== undefined && language !== languageId && known.includes(language) && !document.isClosed) {
      await vscode.languages.setTextDocumentLanguage(document, language);
    }
  };
  const onOpen = (document: vscode.TextDocument): void => void setLanguage(document);
  vscode.workspace.textDocuments.forEach(onOpen);
  return vscode.workspace.onDidOpenTextDocument(onOpen);
}
