import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { LiveResources } from '../../../host/resources/liveResources.ts';
import type { ResourceUris } from '../resourceUris.ts';
import type { ShownResources } from './shownResources.ts';

/** Marks, in tabs and trees, the documents of resources whose servers report changes. */
export class LiveDecorations implements vscode.FileDecorationProvider, Disposable {
  readonly #onDidChange = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.#onDidChange.event;
  readonly #uris: ResourceUris;
  readonly #shown: ShownResources;
  readonly #live: LiveResources;
  readonly #store = new DisposableStore();

  constructor(uris: ResourceUris, shown: ShownResources, live: LiveResources) {
    this.#uris = uris;
    this.#shown = shown;
    this.#live = live;
    this.#store.add(this.#onDidChange);
    this.#store.add(
      live.onDidChangeLive((address) => this.#onDidChange.fire([...shown.documentsOf(address)])),
    );
    this.#store.add(vscode.window.registerFileDecorationProvider(this));
  }

  dispose(): void {
    this.#store.dispose();
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const address = this.#uris.addressOf(uri);
    const isRunning = this.#uris.serverOf(uri.authority)?.connection.state.kind === 'running';
    if (!address || !isRunning || this.#shown.documentsOf(address).length === 0) {
      return undefined;
    }
    // On the tab of a text the editor shows its own lock instead of the badge: only the color is seen.
    return this.#live.isLive(address)
      ? new vscode.FileDecoration(
          '●',
          'Live: updated when the server reports a change',
          new vscode.ThemeColor('charts.green'),
        )
      : new vscode.FileDecoration(undefined, 'Not live: refresh it to update it');
  }
}
