import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { RESOURCE_SCHEME } from '../../host/resources/resourceAddress.ts';
import { openDocuments } from './openDocuments.ts';
import type { ResourceUris } from './resourceUris.ts';
import { notRunning, troubleSentence, unknownServer } from './troubleText.ts';

/** Marks the tabs of documents whose server does not run: a picture cannot say so itself. */
export function decorateTroubles(host: McpHost, uris: ResourceUris): Disposable {
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
          troubleSentence(server ? notRunning(server) : unknownServer),
          new vscode.ThemeColor('list.warningForeground'),
        );
      },
    }),
  );
  return store;
}
