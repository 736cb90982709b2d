import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import type { ServerId } from '../../../host/config/serverDefinition.ts';
import type { McpHost } from '../../../host/servers/mcpHost.ts';

/** Milliseconds between two checks: a row that is drawn more often loses presses. */
const STEP_MS = 5_000;

/** Reports each server that is starting every five seconds, because its row says for how long. */
export function tickWhileStarting(host: McpHost, tick: (id: ServerId) => void): Disposable {
  const store = new DisposableStore();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    const starting = host.servers.filter(({ connection }) => connection.state.kind === 'starting');
    starting.forEach(({ connection }) => tick(connection.definition.id));
    if (starting.length === 0) {
      stop();
    }
  };
  store.add({ dispose: stop });
  store.add(
    host.onDidChangeServer(({ state }) => {
      if (state.kind === 'starting') {
        timer ??= setInterval(look, STEP_MS);
      }
    }),
  );
  return store;
}
