import { DisposableStore } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { isActive } from '../../host/connection/connectionState.ts';
import type { McpHost } from '../../host/mcpHost.ts';
import { reportStartFailure } from './remedyCommands.ts';
import { withStartProgress } from './withStartProgress.ts';

/** Milliseconds within which a saved definition is read; one that is shadowed, or not saved, never is. */
const READ_MS = 10_000;

/** Starts a server as soon as its definition, which was just saved, is read. Why it fails is told. */
export async function startWhenThere(host: McpHost, id: ServerId): Promise<void> {
  const store = new DisposableStore();
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => {
    if (host.server(id)) {
      resolve();
    }
  };
  store.add(host.onDidChangeServers(check));
  const timer = setTimeout(resolve, READ_MS);
  store.add({ dispose: () => clearTimeout(timer) });
  check();
  try {
    await promise;
  } finally {
    store.dispose();
  }
  const server = host.server(id);
  if (server && !isActive(server.connection.state)) {
    await reportStartFailure(server, () => withStartProgress(host, server, () => host.start(id)));
  }
}
