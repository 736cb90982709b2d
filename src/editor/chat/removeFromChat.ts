import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { AgentGrants } from '../../host/gate/agentGrants.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand } from '../commands/commands.ts';
import { onServer, reportFailure } from '../commands/onServer.ts';

/** Registers the command that removes a server from the editor's chat. */
export function registerRemoveFromChat(host: McpHost, grants: AgentGrants): Disposable {
  return registerCommand(
    'removeFromChat',
    onServer(host, {
      placeholder: 'Select a server to remove from chat',
      accepts: ({ connection }) => grants.isGranted(connection.definition.id),
      run: (server) =>
        reportFailure(server, 'could not be removed from chat', () =>
          grants.grant(server.connection.definition.id, false),
        ),
    }),
  );
}
