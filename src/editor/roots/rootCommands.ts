import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { RootCandidate } from '../../host/roots/rootsView.ts';
import { registerCommands } from '../commands/commands.ts';
import { onServer, pickServer, serverOf } from '../commands/onServer.ts';
import type { ServerNode } from '../nodes/serverNode.ts';
import { manageRoots } from './manageRoots.ts';
import { addSubfolder, removeSubfolder, resetToAsk, setShared, shareAll } from './shareRoots.ts';

/**
 * Registers what you can do with the folders that servers see. What shares folders without a dialog does so only for a
 * row on which you act: models and other extensions can run commands, too.
 */
export function registerRootCommands(host: McpHost, isRow: (value: object) => boolean): Disposable {
  const ownRow = (argument?: ServerNode | ServerId): ServerNode | undefined =>
    typeof argument === 'object' && isRow(argument) ? argument : undefined;
  const onRoot =
    (run: (server: HostServer, candidate: RootCandidate) => Promise<unknown>) =>
    async (argument?: ServerNode): Promise<void> => {
      const row = ownRow(argument);
      const server = serverOf(host, row);
      if (server && row?.kind === 'root') {
        await run(server, row.candidate);
      }
    };
  const shareWithOne = onServer(host, {
    placeholder: 'Select a server to share all folders with',
    run: (server) => shareAll(host, server),
  });
  return registerCommands({
    manageRoots: (argument) => manageRoots(host, serverOf(host, argument)),
    addSubfolder: async (argument) => {
      const placeholder = 'Select a server to share a subfolder with';
      const server = serverOf(host, argument) ?? (await pickServer(host, placeholder));
      if (server) {
        const isFolder = typeof argument === 'object' && argument.kind === 'root';
        await addSubfolder(host, server, isFolder ? argument.candidate.root : undefined);
      }
    },
    shareAllRoots: (argument) => shareWithOne(ownRow(argument)),
    resetRoots: onServer(host, {
      placeholder: 'Select a server that asks again which folders it may see',
      accepts: ({ connection }) => host.rootsOf(connection.definition).basis === 'person',
      run: (server) => resetToAsk(host, server),
    }),
    shareRootAgain: onRoot((server, { root }) => setShared(host, server, root.uri, true)),
    stopSharingRoot: onRoot((server, { root, within }) =>
      within ? removeSubfolder(host, server, root.uri) : setShared(host, server, root.uri, false),
    ),
    removeSubfolder: onRoot((server, { root }) => removeSubfolder(host, server, root.uri)),
  });
}
