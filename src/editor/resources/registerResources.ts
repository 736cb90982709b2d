import * as vscode from 'vscode';
import { languageFor } from '../../host/resources/mimeNames.ts';
import { mimeTypeOf } from '../../host/resources/resourceFiles.ts';
import { openDocuments } from './openDocuments.ts';
import { serverNotRunning, troubleSentence, unknownServer } from './troubleText.ts';
import { placedResource, RESOURCE_SCHEME } from '../../host/resources/resourceAddress.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { IncreasingTime } from '../../base/time/increasingTime.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { followServers } from './followServers.ts';
import { registerResourceCommands } from './resourceCommands.ts';
import { ResourceFileSystem } from './resourceFileSystem.ts';
import type { ReadableResources } from './readableResources.ts';
import type { ResourceUris } from './resourceUris.ts';

export interface ResourcesContext {
  readonly host: McpHost;
  readonly uris: ResourceUris;
  readonly reader: ResourceReader;
  readonly readable: ReadableResources;
  /** The reader uses the same: what is shown instead of a document is another content of it. */
  readonly time: IncreasingTime;
}

/** Registers the documents of resources, and the actions on them. */
export function registerResources(context: ResourcesContext): Disposable {
  const { host, uris, reader } = context;
  const store = new DisposableStore();
  const fileSystem = store.add(new ResourceFileSystem(context));
  const following = store.add(followServers({ ...context, fileSystem }));
  store.add(setResourceLanguages(uris, reader));
  store.add(decorateTroubles(host, uris));
  store.add(registerResourceCommands(uris, reader, following.askAgain));
  return store;
}

const PLAIN_NAME = /\.(?:txt|text|log)$/i;

/** Gives a document the language of its MIME type, if its name has none that the editor knows. */
function setResourceLanguages(uris: ResourceUris, reader: ResourceReader): Disposable {
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

/** Marks the tabs of documents whose server isn't running: a picture cannot show that itself. */
function decorateTroubles(host: McpHost, uris: ResourceUris): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri[]>());
  const update = (): void => changed.fire([...openDocuments()]);
  store.add(host.onDidChangeServer(update));
  store.add(host.onDidChangeServers(update));
  store.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration: ({ scheme, authority }) => {
        const server = scheme === RESOURCE_SCHEME ? uris.serverOf(authority) : undefined;
        if (scheme !== RESOURCE_SCHEME || server?.connection.state.kind === 'running') {
          return undefined;
        }
        return new vscode.FileDecoration(
          '!',
          troubleSentence(server ? serverNotRunning(server) : unknownServer),
          new vscode.ThemeColor('list.warningForeground'),
        );
      },
    }),
  );
  return store;
}
