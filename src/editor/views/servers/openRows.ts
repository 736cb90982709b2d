import type * as vscode from 'vscode';
import type { KeptByServer, Successor } from '../../../host/config/keptByServer.ts';
import type { ServerId } from '../../../host/config/serverDefinition.ts';

/** Separates the id of a server from the name of a row below it: no name of a server has a line break. */
export const BELOW = '\n';

/** Rows that are remembered: those that were opened first are forgotten. */
const MOST = 200;

/** The rows of a tree that are open in this workspace. The editor remembers them by id only until its window closes. */
export class OpenRows implements KeptByServer {
  readonly #state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #key: string;
  readonly #open: Set<string>;

  constructor(state: Pick<vscode.Memento, 'get' | 'update'>, key: string) {
    this.#state = state;
    this.#key = key;
    const kept = state.get<unknown>(key);
    this.#open = new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []);
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  set(id: string, isOpen: boolean): void {
    const wasOpen = this.#open.delete(id);
    if (isOpen) {
      this.#open.add(id);
    }
    if (wasOpen !== isOpen) {
      this.#keep();
    }
  }

  copy(from: ServerId, { id: to }: Successor): void {
    for (const id of this.#open) {
      if (isOf(from, id)) {
        this.#open.add(to + id.slice(from.length));
      }
    }
    this.#keep();
  }

  forget(server: ServerId): void {
    for (const id of this.#open) {
      if (isOf(server, id)) {
        this.#open.delete(id);
      }
    }
    this.#keep();
  }

  #keep(): void {
    [...this.#open].slice(0, -MOST).forEach((oldest) => this.#open.delete(oldest));
    void this.#state.update(this.#key, [...this.#open]);
  }
}

function isOf(server: ServerId, row: string): boolean {
  return row === server || row.startsWith(server + BELOW);
}
