import type * as vscode from 'vscode';
import { Emitter } from '../../base/lifetime/event.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import {
  type LevelChoices,
  messageLevels,
  type WantedLevel,
} from '../../host/connection/messages/logLevels.ts';
import type { KeptByServer, Successor } from '../../host/config/keptByServer.ts';

const PREFIX = 'mcpHost.logLevel ';

/**
 * The lowest level of messages that you want from each server. It is kept here, because an extension cannot set the
 * level of an output channel.
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
