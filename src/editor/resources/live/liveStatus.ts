import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import type { LiveResources } from '../../../host/resources/liveResources.ts';
import type { ResourceAddress } from '../../../host/resources/resourceAddress.ts';
import type { McpHost } from '../../../host/servers/mcpHost.ts';
import { commandId } from '../../commands/commandList.ts';
import { addressIn } from '../resourceArgument.ts';
import type { ResourceUris } from '../resourceUris.ts';

/** Shows in the status bar whether the active resource is live; a click refreshes it. */
export function showLiveStatus(host: McpHost, uris: ResourceUris, live: LiveResources): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('mcpHost.live', vscode.StatusBarAlignment.Right, 100),
  );
  item.name = 'MCP Resource';
  item.command = commandId('refreshResource');
  const update = (): void => {
    const address = addressIn(undefined, uris);
    if (!address) {
      item.hide();
      return;
    }
    const isLive = live.isLive(address);
    item.text = isLive ? '$(broadcast) Live' : '$(circle-slash) Not Live';
    const why = isLive ? 'The server reports when this resource changes.' : whyNotLive(host, address);
    item.tooltip = `${why} Select to refresh it.`;
    item.show();
  };
  store.add(vscode.window.tabGroups.onDidChangeTabs(update));
  store.add(vscode.window.tabGroups.onDidChangeTabGroups(update));
  store.add(live.onDidChangeLive(update));
  store.add(host.onDidChangeServers(update));
  store.add(host.onDidChangeServer(update));
  update();
  return store;
}

function whyNotLive(host: McpHost, { serverId }: ResourceAddress): string {
  const server = host.server(serverId);
  return server?.connection.state.kind === 'running'
    ? "The server doesn't report when this resource changes."
    : `Server '${server?.label ?? ''}' isn't running.`;
}
