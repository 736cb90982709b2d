import type * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { KeptByServer, Successor } from '../../host/config/keptByServer.ts';
import { isResourceAddress, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { isToolName, type ToolName } from '../../host/tools/toolList.ts';

interface OfServer {
  readonly serverId: ServerId;
}

/** What a list is of. */
interface RecentKind<T> {
  /** Where the list is kept. */
  readonly key: string;
  readonly maxKept: number;
  readonly is: (value: unknown) => value is T;
  readonly isSame: (one: T, other: T) => boolean;
}

/** What you last used of your servers in this workspace. */
export class RecentList<T extends OfServer> implements KeptByServer {
  readonly #state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #kind: RecentKind<T>;

  constructor(state: Pick<vscode.Memento, 'get' | 'update'>, kind: RecentKind<T>) {
    this.#state = state;
    this.#kind = kind;
  }

  /** Latest first. */
  get all(): readonly T[] {
    const kept = this.#state.get<unknown>(this.#kind.key);
    return Array.isArray(kept) ? kept.filter(this.#kind.is) : [];
  }

  add(used: T): void {
    const { key, maxKept, isSame } = this.#kind;
    const others = this.all.filter((one) => !isSame(one, used));
    void this.#state.update(key, [used, ...others].slice(0, maxKept));
  }

  async copy(from: ServerId, { id }: Successor): Promise<void> {
    const renamed = this.all.map((one) => (one.serverId === from ? { ...one, serverId: id } : one));
    await this.#state.update(this.#kind.key, renamed);
  }

  forget(): void {
    // What a removed server had is pushed out over time.
  }
}

export const recentTools: RecentKind<ToolName> = {
  key: 'mcpHost.recentTools',
  maxKept: 20,
  is: isToolName,
  isSame: (one, other) => one.serverId === other.serverId && one.name === other.name,
};

export const recentResources: RecentKind<ResourceAddress> = {
  key: 'mcpHost.recentResources',
  maxKept: 50,
  is: isResourceAddress,
  isSame: (one, other) => one.serverId === other.serverId && one.uri === other.uri,
};
