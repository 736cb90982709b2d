import type * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { KeptByServer, Successor } from '../../host/keptByServer.ts';
import { isResourceAddress, type ResourceAddress } from '../../host/resources/resourceAddress.ts';

const KEY = 'mcpHost.recentResources';
const MAX_KEPT = 50;

/** The resources that the person last opened in this workspace, by whatever way. */
export class RecentResources implements KeptByServer {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** Latest first. */
  get all(): readonly ResourceAddress[] {
    const kept = this.#state.get<unknown>(KEY);
    return Array.isArray(kept) ? kept.filter(isResourceAddress) : [];
  }

  async copy(from: ServerId, { id }: Successor): Promise<void> {
    const kept = this.all.map((one) => (one.serverId === from ? { ...one, serverId: id } : one));
    await this.#state.update(KEY, kept);
  }

  forget(): void {
    // What a server had that is gone makes room in time.
  }

  add({ serverId, uri }: ResourceAddress): void {
    const others = this.all.filter((one) => one.serverId !== serverId || one.uri !== uri);
    void this.#state.update(KEY, [{ serverId, uri }, ...others].slice(0, MAX_KEPT));
  }
}
