import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { McpHost } from '../../../host/servers/mcpHost.ts';
import type { LiveResources } from '../../../host/resources/liveResources.ts';
import type { ResourceAddress } from '../../../host/resources/resourceAddress.ts';
import { addressIn } from '../resourceArgument.ts';
import type { ResourceUris } from '../resourceUris.ts';

/** Says in the status bar whether the resource in front is live; a click refreshes it. */
export class LiveStatus implements Disposable {
  readonly #host: McpHost;
  readonly #uris: ResourceUris;
  readonly #live: LiveResources;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(host: McpHost, uris: ResourceUris, live: LiveResources) {
    this.#host = host;
    this.#uris = uris;
    this.#live = live;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('mcpHost.live', vscode.StatusBarAlignment.Right, 100),
    );
    this.#item.name = 'MCP Resource';
    this.#item.command = 'mcpHost.refreshResource';
    const update = (): void => this.#update();
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(update));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabGroups(update));
    this.#store.add(live.onDidChangeLive(update));
    this.#store.add(host.onDidChangeServers(update));
    this.#store.add(host.onDidChangeServer(update));
    update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const address = addressIn(undefined, this.#uris);
    if (!address) {
      this.#item.hide();
      return;
    }
    const isLive = this.#live.isLive(address);
    this.#item.text = isLive ? '$(broadcast) Live' : '$(circle-slash) Not Live';
    this.#item.tooltip = `${isLive ? 'The server tells when this resource changes.' : this.#whyNot(address)} Click to refresh it.`;
    this.#item.show();
  }

  #whyNot({ serverId }: ResourceAddress): string {
    const server = this.#host.server(serverId);
    return server?.connection.state.kind === 'running'
      ? 'The server does not tell when this resource changes.'
      : `The server '${server?.label ?? ''}' is not running.`;
  }
}
