import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { isBinaryName } from '../../host/resources/mimeNames.ts';
import { isAuthorityOf, placedResource, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { documentsOf, openDocuments, shownDocuments } from './openDocuments.ts';
import type { ResourceFileSystem } from './resourceFileSystem.ts';
import type { ResourceUris } from './resourceUris.ts';

export interface FollowingContext {
  readonly host: McpHost;
  readonly uris: ResourceUris;
  readonly reader: ResourceReader;
  readonly fileSystem: ResourceFileSystem;
}

export interface Following extends Disposable {
  /** Makes documents that show no resource try again. */
  readonly askAgain: (this: void, address: ResourceAddress) => void;
}

/** Keeps open documents up to date: when resources change, and when servers stop and start. */
export function followServers({ host, uris, reader, fileSystem }: FollowingContext): Following {
  const store = new DisposableStore();
  const states = new WeakMap<ServerConnection, string>();

  store.add(
    reader.onDidChange(({ address, after }) => {
      const documents = openDocuments().filter((uri) => isOf(uri, address));
      // The last picture is better than a viewer's error; a badge on its tab shows that it is old.
      fileSystem.changed(after ? documents : documents.filter(({ path }) => !isBinaryName(path)));
    }),
  );
  store.add(
    host.onDidChangeServer((connection) => {
      const { kind } = connection.state;
      if (states.get(connection) !== kind) {
        states.set(connection, kind);
        const documents = openDocuments().filter(
          ({ authority }) => uris.serverOf(authority)?.connection === connection,
        );
        if (kind === 'running') {
          documents.forEach((uri) => comeBack(uri));
        } else {
          fileSystem.changed(documents.filter((uri) => fileSystem.isInTrouble(uri)));
        }
      }
    }),
  );
  store.add(
    host.onDidChangeServers(() =>
      fileSystem.changed(openDocuments().filter((uri) => fileSystem.isInTrouble(uri))),
    ),
  );
  store.add(
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      const shown = shownDocuments();
      closed
        .flatMap(documentsOf)
        .flatMap((uri) => uris.addressOf(uri) ?? [])
        .filter((address) => !shown.some((uri) => isOf(uri, address)))
        .forEach((address) => reader.forget(address));
    }),
  );

  /** What is read again is a change only if the content differs, and not if it was a notice. */
  function comeBack(uri: vscode.Uri): void {
    const address = uris.addressOf(uri);
    if (address && reader.peek(address) && !fileSystem.isInTrouble(uri)) {
      // The log has the failure, and what was read last is still shown.
      reader.refresh(address).catch(() => {});
    } else {
      fileSystem.changed([uri]);
    }
  }
  return {
    askAgain: (address) =>
      fileSystem.changed(openDocuments().filter((uri) => isOf(uri, address) && fileSystem.isInTrouble(uri))),
    dispose: () => store.dispose(),
  };
}

/** Compared without the server, which may be gone from the configuration. */
function isOf({ authority, path }: vscode.Uri, { serverId, uri }: ResourceAddress): boolean {
  return isAuthorityOf(authority, serverId) && placedResource(path)?.uri === uri;
}
