import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import type { LastSeen } from '../../../host/resources/lastSeen.ts';
import { placedResource } from '../../../host/resources/resourceAddress.ts';
import type { ResourceReader } from '../../../host/resources/resourceReader.ts';
import { registerCommand } from '../../commands/commands.ts';
import type { ContextKeys } from '../../workspace/contextKeys.ts';
import { LAST_SEEN, type ViewDocuments } from '../../documents/viewDocuments.ts';
import { addressIn, documentIn } from '../resourceArgument.ts';
import type { ReadableResources } from '../readableResources.ts';
import type { ResourceUris } from '../resourceUris.ts';

export interface CompareDependencies {
  readonly uris: ResourceUris;
  readonly lastSeen: LastSeen;
  readonly reader: Pick<ResourceReader, 'onDidChange'>;
  readonly readable: ReadableResources;
  readonly viewDocuments: ViewDocuments;
  readonly contextKeys: ContextKeys;
}

/** Registers "Compare with Last Seen", and sets the context key that offers it for the active editor. */
export function registerCompareResource({ contextKeys, ...dependencies }: CompareDependencies): Disposable {
  const { uris, lastSeen, reader } = dependencies;
  const store = new DisposableStore();
  const update = (): void => {
    const address = addressIn(undefined, uris);
    contextKeys.set('mcpHost.hasLastSeen', address !== undefined && lastSeen.of(address) !== undefined);
  };
  store.add(reader.onDidChange(update));
  store.add(vscode.window.tabGroups.onDidChangeTabs(update));
  store.add(vscode.window.tabGroups.onDidChangeTabGroups(update));
  store.add(
    registerCommand('compareResource', (argument: unknown) => compare(documentIn(argument), dependencies)),
  );
  return store;
}

async function compare(
  uri: vscode.Uri | undefined,
  { uris, lastSeen, readable, viewDocuments }: Omit<CompareDependencies, 'contextKeys'>,
): Promise<void> {
  const address = uri && uris.addressOf(uri);
  if (!address) {
    return;
  }
  const before = lastSeen.of(address);
  if (!before) {
    void vscode.window.showInformationMessage('This resource has not changed since you last saw it.');
    return;
  }
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const bytes = before.contents[placedResource(uri.path)?.content ?? 0]?.bytes ?? new Uint8Array();
  const original = viewDocuments.keep(`${LAST_SEEN}/${name}`, bytes);
  const title = `${visibleText(name)} (Last Seen ↔ Now)`;
  // The editor does not report what a comparison of images shows.
  readable.open(uri);
  await vscode.commands.executeCommand('vscode.diff', original, uri, title, { preview: false });
  await useLanguageOf(uri, original);
}

/** The present may have its language from the server's MIME type, which the name of the other side does not show. */
async function useLanguageOf(present: vscode.Uri, original: vscode.Uri): Promise<void> {
  const [wanted, document] = [present, original].map((uri) =>
    vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString()),
  );
  if (wanted && document && wanted.languageId !== document.languageId) {
    await vscode.languages.setTextDocumentLanguage(document, wanted.languageId);
  }
}
