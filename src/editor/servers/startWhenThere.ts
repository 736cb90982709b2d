import { launchOf, type ServerId } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { reportStartFailure } from './remedyCommands.ts';
import { withStartProgress } from './withStartProgress.ts';
import { until } from '../../base/lifetime/until.ts';

/** Milliseconds within which a saved definition is read. One that is hidden by another, or not saved, never is. */
const READ_MS = 10_000;

/** Starts a server as soon as its definition, which was just saved, is read. A failure is shown. */
export async function startWhenThere(host: McpHost, id: ServerId): Promise<void> {
  if (await isThere(host, id)) {
    await startNow(host, id);
  }
}

/** Starts a server unless it is running. A failure is shown. */
export async function startNow(host: McpHost, id: ServerId): Promise<void> {
  const server = host.server(id);
  // It may already be starting automatically; you wait for it all the same.
  if (server && server.connection.state.kind !== 'running') {
    await reportStartFailure(server, () => withStartProgress(host, server, () => host.start(id)));
  }
}

/** Waits for a definition that was just saved; where `launch` is given, for one with that launch (see `launchOf`). */
export async function isThere(host: McpHost, id: ServerId, launch?: string): Promise<boolean> {
  const isIt = (): boolean => {
    const definition = host.server(id)?.connection.definition;
    return definition !== undefined && (launch === undefined || launchOf(definition) === launch);
  };
  return until((listener) => host.onDidChangeServers(() => listener(undefined)), isIt, READ_MS);
}
