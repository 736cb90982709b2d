import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import type { LiveResources } from '../../../host/resources/liveResources.ts';
import type { ResourceUris } from '../resourceUris.ts';
import type { ShownResources } from './shownResources.ts';

/** Marks, in tabs and trees, the documents of resources whose servers report changes. */
export function decorateLive(uris: ResourceUris, shown: ShownResources, live: LiveResources): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri[]>());
  store.add(live.onDidChangeLive((address) => changed.fire([...shown.documentsOf(address)])));
  store.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration: (uri) => {
        const address = uris.addressOf(uri);
        const isRunning = uris.serverOf(uri.authority)?.connection.state.kind === 'running';
        if (!address || !isRunning || shown.documentsOf(address).length === 0) {
          return undefined;
        }
        // On the tab of a text the editor shows its own lock instead of the badge: only the color is seen.
        const green = new vscode.ThemeColor('charts.green');
        return live.isLive(address)
          ? new vscode.FileDecoration('●', 'Live: updated when the server reports a change', green)
          : new vscode.FileDecoration(undefined, 'Not live: refresh it to update it');
      },
    }),
  );
  return store;
}
