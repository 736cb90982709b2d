import type * as vscode from 'vscode';
import { Emitter } from '../base/event.ts';
import type { ServerId } from '../host/config/serverDefinition.ts';
import type { LevelChoices } from '../host/connection/lists/levelChoices.ts';
import type { KeptByServer, Successor } from '../host/config/keptByServer.ts';
import { messageLevels, type WantedLevel } from '../host/connection/lists/messageLevel.ts';

const PREFIX = 'mcpHost.logLevel ';

/**
 * From which level on the person wants each server's messages: a choice of ours, because an extension cannot set
 * the level of an output channel.
 */
export class ChosenLevels implements LevelChoices, KeptByServer {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  of(id: ServerId): WantedLevel | undefined {
    const kept = this.#state.get<unknown>(PREFIX + id);
    return ['off' as const, ...messageLevels].find((level) => level === kept);
  }

  /** Undefined leaves it to the level of the log. */
  async choose(id: ServerId, level: WantedLevel | undefined): Promise<void> {
    await this.#state.update(PREFIX + id, level);
    this.#onDidChange.fire();
  }

  async copy(from: ServerId, { id }: Successor): Promise<void> {
    await this.choose(id, this.of(from));
  }

  async forget(id: ServerId): Promise<void> {
    await this.choose(id, undefined);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}
