import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { HttpServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { httpServer } from './definitions.ts';
import { kill } from './faultBed.ts';
import type { ReceivedRecord } from './receivedRecord.ts';

const script = fileURLToPath(new URL('../../fixtures/servers/faultyHttpServer.ts', import.meta.url));

/** The kinds of servers over HTTP, and what makes one of each. */
export const httpKinds = {
  'Streamable HTTP, legacy': { switches: [], type: 'http' },
  'HTTP, modern': { switches: ['--modern'], type: 'http' },
  'HTTP+SSE': { switches: ['--sse'], type: 'sse' },
} as const;
export type HttpKind = keyof typeof httpKinds;

interface ServedBed {
  readonly received: ReceivedRecord;
  endLater(server: FaultyHttp): FaultyHttp;
}

/** A server over HTTP in a process of its own, which is killed, frozen and started again on its port. */
export class FaultyHttp {
  readonly #env: NodeJS.ProcessEnv;
  readonly #switches: readonly string[];
  readonly #type: 'http' | 'sse';
  #process: ChildProcess | undefined;
  #port = '0';

  private constructor(env: NodeJS.ProcessEnv, kind: HttpKind, switches: readonly string[]) {
    this.#env = env;
    this.#switches = [...httpKinds[kind].switches, ...switches];
    this.#type = httpKinds[kind].type;
  }

  /** Starts one that ends with the bed. */
  static async start(bed: ServedBed, kind: HttpKind, switches: readonly string[] = []): Promise<FaultyHttp> {
    const server = bed.endLater(new FaultyHttp(bed.received.environment, kind, switches));
    await server.revive();
    return server;
  }

  get definition(): HttpServerDefinition {
    return httpServer(`http://127.0.0.1:${this.#port}/mcp`, { type: this.#type });
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Starts it, again on the same port, without anything that it knew. */
  async revive(): Promise<void> {
    const child = spawn(
      process.execPath,
      [...process.execArgv, script, `--port=${this.#port}`, ...this.#switches],
      {
        env: { ...process.env, ...this.#env },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    this.#process = child;
    const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    this.#port = port;
  }

  async kill(): Promise<void> {
    const ended = this.#process && once(this.#process, 'close');
    await kill(this.pid);
    await ended;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.revive();
  }

  /** How many of its responses are under way. */
  async open(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/open`, {
      headers: { connection: 'close' },
    });
    return Number(await response.text());
  }

  async close(): Promise<void> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) {
      await this.kill();
    }
  }
}
