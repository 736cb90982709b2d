import type { Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';

/** Milliseconds between two looks: a row that is drawn more often loses what is pressed in it. */
const STEP_MS = 5_000;

/** Tells of each server that is being started every five seconds, because its row says for how long. */
export class StartingClock implements Disposable {
  readonly #listening: Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: McpHost, tick: (id: ServerId) => void) {
    this.#listening = host.onDidChangeServer(({ state }) => {
      if (state.kind === 'starting') {
        this.#timer ??= setInterval(() => this.#look(host, tick), STEP_MS);
      }
    });
  }

  dispose(): void {
    this.#listening.dispose();
    clearInterval(this.#timer);
  }

  #look(host: McpHost, tick: (id: ServerId) => void): void {
    const starting = host.servers.filter(({ connection }) => connection.state.kind === 'starting');
    starting.forEach(({ connection }) => tick(connection.definition.id));
    if (starting.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}
