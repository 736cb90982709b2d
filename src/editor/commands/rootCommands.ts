import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { RootCandidate } from '../../host/roots/rootsView.ts';
import type { ServerNode } from '../views/serverNodes.ts';
import { manageRoots } from './manageRoots.ts';
import { pickServer, registerOn, serverOf } from './onServer.ts';
import { addSubfolder, removeSubfolder, resetToAsk, setShared, shareAll } from './shareRoots.ts';

/** What the person does to the folders that servers see: from the tree, or from the palette. */
export function registerRootCommands(host: McpHost): Disposable {
  const store = new DisposableStore();
  const onRoot = (
    command: string,
    run: (server: HostServer, candidate: RootCandidate) => Promise<unknown>,
  ): void => {
    store.add(
      vscode.commands.registerCommand(command, async (node?: ServerNode) => {
        const server = serverOf(host, node);
        if (server && node?.kind === 'root') {
          await run(server, node.candidate);
        }
      }),
    );
  };

  store.add(
    vscode.commands.registerCommand('mcpHost.manageRoots', (argument?: ServerNode | ServerId) =>
      manageRoots(host, serverOf(host, argument)),
    ),
  );
  store.add(
    vscode.commands.registerCommand('mcpHost.addSubfolder', async (argument?: ServerNode | ServerId) => {
      const question = 'Select a server to share a subfolder with';
      const server = serverOf(host, argument) ?? (await pickServer(host, question, () => true));
      if (server) {
        const isFolder = typeof argument === 'object' && argument.kind === 'root';
        await addSubfolder(host, server, isFolder ? argument.candidate.root : undefined);
      }
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.shareAllRoots', {
      question: 'Select a server to share all folders with',
      accepts: () => true,
      run: (server) => shareAll(host, server),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.resetRoots', {
      question: 'Select a server that asks again which folders it may see',
      accepts: ({ connection }) => host.rootsOf(connection.definition).basis === 'person',
      run: (server) => resetToAsk(host, server),
    }),
  );
  onRoot('mcpHost.shareRootAgain', (server, { root }) => setShared(host, server, root.uri, true));
  onRoot('mcpHost.stopSharingRoot', (server, { root, within }) =>
    within ? removeSubfolder(host, server, root.uri) : setShared(host, server, root.uri, false),
  );
  onRoot('mcpHost.removeSubfolder', (server, { root }) => removeSubfolder(host, server, root.uri));
  return store;
}
