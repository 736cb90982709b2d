import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isResourceAddress, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceUris } from './resourceUris.ts';
import { addressIn } from './resourceArgument.ts';

const KEY = 'mcpHost.recentResources';
const MAX_KEPT = 50;

/** The resources last opened in this workspace, from wherever: what comes to the front in a tab was opened. */
export class RecentResources implements Disposable {
  readonly #state: vscode.Memento;
  readonly #listening: Disposable;

  constructor(state: vscode.Memento, uris: ResourceUris) {
    this.#state = state;
    this.#listening = vscode.window.tabGroups.onDidChangeTabs(() => {
      const inFront = addressIn(undefined, uris);
      if (inFront) {
        this.#add(inFront);
      }
    });
  }

  /** Latest first. */
  get all(): readonly ResourceAddress[] {
    const kept = this.#state.get<unknown>(KEY);
    return Array.isArray(kept) ? kept.filter(isResourceAddress) : [];
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #add({ serverId, uri }: ResourceAddress): void {
    const { all } = this;
    const isLatest = all[0]?.serverId === serverId && all[0].uri === uri;
    if (!isLatest) {
      const others = all.filter((one) => one.serverId !== serverId || one.uri !== uri);
      void this.#state.update(KEY, [{ serverId, uri }, ...others].slice(0, MAX_KEPT));
    }
  }
}
