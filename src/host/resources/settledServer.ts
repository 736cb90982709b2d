import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { isActive } from '../state/connectionState.ts';
import type { HostServer, McpHost } from '../servers/mcpHost.ts';

/**
 * A server, once it runs or is not starting; otherwise as it is after `waitMs`. A
 * server that is not there is waited for as long: after a reload of the window, definitions are read
 * later than documents are asked for.
 */
export async function settledServer(
  host: Pick<McpHost, 'onDidChangeServer' | 'onDidChangeServers'>,
  find: () => HostServer | undefined,
  waitMs: number,
): Promise<HostServer | undefined> {
  const isSettled = (): boolean => {
    const state = find()?.connection.state;
    return state !== undefined && (state.kind === 'running' || !isActive(state));
  };
  if (!isSettled() && waitMs > 0) {
    const store = new DisposableStore();
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (isSettled()) {
        resolve();
      }
    };
    store.add(host.onDidChangeServer(check));
    store.add(host.onDidChangeServers(check));
    const timer = setTimeout(resolve, waitMs);
    await promise;
    clearTimeout(timer);
    store.dispose();
  }
  return find();
}
