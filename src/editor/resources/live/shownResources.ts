import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Emitter, type Event } from '../../../base/lifetime/event.ts';
import { Gathered } from '../../../base/time/gathered.ts';
import { resourceKey, type ResourceAddress } from '../../../host/resources/resourceAddress.ts';
import { documentsOf, shownDocuments } from '../openDocuments.ts';
import type { ResourceUris } from '../resourceUris.ts';

/** Milliseconds for which changes of tabs are gathered: a tab that moves is closed and opened again. */
const SETTLE_MS = 300;

type Resources = ReadonlyMap<string, ResourceAddress>;

/**
 * The resources that tabs show. Taken from tabs, not documents: `onDidCloseTextDocument` comes late or never, and the
 * tab of an image has no text document.
 */
export class ShownResources implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidLook = new Emitter<ResourceAddress>();
  /** A resource that became visible: as the active tab of its group, or with the window. */
  readonly onDidLook = this.#onDidLook.event;
  readonly #uris: ResourceUris;
  readonly #store = new DisposableStore();
  #shown: Resources = new Map();
  #lookedAt: Resources = new Map();
  readonly #updating = new Gathered(SETTLE_MS, () => this.#update());

  constructor(uris: ResourceUris, onDidChangeServers: Event<void>) {
    this.#uris = uris;
    const { tabGroups } = vscode.window;
    for (const event of [
      tabGroups.onDidChangeTabs,
      tabGroups.onDidChangeTabGroups,
      vscode.window.onDidChangeWindowState,
    ]) {
      this.#store.add(
        event(() => {
          this.#look();
          this.#updating.soon();
        }),
      );
    }
    // Tabs from before a reload are there before the servers are known.
    this.#store.add(onDidChangeServers(() => this.#updating.now()));
    this.#updating.now();
  }

  get resources(): readonly ResourceAddress[] {
    return [...this.#shown.values()];
  }

  /** Whether you see the resource now. */
  isLookedAt(address: ResourceAddress): boolean {
    return this.#inFront().has(resourceKey(address));
  }

  /** The documents of a resource that a tab shows. */
  documentsOf(address: ResourceAddress): readonly vscode.Uri[] {
    const key = resourceKey(address);
    return shownDocuments().filter((uri) => {
      const shown = this.#uris.addressOf(uri);
      return shown && resourceKey(shown) === key;
    });
  }

  dispose(): void {
    this.#updating.dispose();
    this.#store.dispose();
    this.#onDidChange.dispose();
    this.#onDidLook.dispose();
  }

  #update(): void {
    this.#shown = this.#resourcesIn(shownDocuments());
    this.#onDidChange.fire();
    this.#look();
  }

  #look(): void {
    const before = this.#lookedAt;
    this.#lookedAt = this.#inFront();
    for (const [key, address] of this.#lookedAt) {
      if (!before.has(key)) {
        this.#onDidLook.fire(address);
      }
    }
  }

  #inFront(): Resources {
    const { tabGroups, state } = vscode.window;
    const tabs = state.focused ? tabGroups.all.flatMap(({ activeTab }) => activeTab ?? []) : [];
    return this.#resourcesIn(tabs.flatMap(documentsOf));
  }

  #resourcesIn(documents: readonly vscode.Uri[]): Resources {
    const addresses = documents.flatMap((uri) => this.#uris.addressOf(uri) ?? []);
    return new Map(addresses.map((address) => [resourceKey(address), address]));
  }
}
