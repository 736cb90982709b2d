import type * as vscode from 'vscode';
import type { ToolName } from '../../host/tools/toolList.ts';

const KEY = 'mcpHost.recentTools';
const MAX_KEPT = 20;

/** The tools that the person last ran in this workspace. */
export class RecentTools {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** Latest first. */
  get all(): readonly ToolName[] {
    const kept = this.#state.get<unknown>(KEY);
    return Array.isArray(kept) ? kept.filter(isToolName) : [];
  }

  add({ serverId, name }: ToolName): void {
    const others = this.all.filter((one) => one.serverId !== serverId || one.name !== name);
    void this.#state.update(KEY, [{ serverId, name }, ...others].slice(0, MAX_KEPT));
  }
}

function isToolName(value: unknown): value is ToolName {
  return (
    typeof value === 'object' &&
    value !== null &&
    'serverId' in value &&
    typeof value.serverId === 'string' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}
