import path from 'node:path';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { EraStore } from '../../../../../src/host/connection/eraStore.ts';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { visibleFolders } from '../../../../../src/host/folders/sharedRoot.ts';
import { namesOf, type ConnectionBed } from '../../../support/connectionBed.ts';
import { readyIn } from '../../../support/launches.ts';
import { textsOf, type Arguments, type CallOptions, type Peer, type PeerOptions } from './peer.ts';

/** The connection of this host, put together as `McpHost` does. */
export class OwnPeer implements Peer {
  requestMs: number;
  readonly ended: Promise<string>;
  readonly #bed: ConnectionBed;
  readonly #connection: ServerConnection;

  constructor(definition: ServerDefinition, bed: ConnectionBed, options: PeerOptions) {
    const { requestMs = 60_000, folders = [], consent } = options;
    this.requestMs = requestMs;
    this.#bed = bed;
    const eras = new EraStore(path.join(bed.directory, 'eras'));
    this.#connection = bed.connection(definition, {
      requestTimeout: () => this.requestMs,
      admit: readyIn(options.cwd ?? bed.directory),
      roots: () => visibleFolders(definition.origin, folders).onDisk,
      prepareRoots: () => consent?.() ?? Promise.resolve(),
      eraCache: eras.of(() => JSON.stringify(definition)),
      backoff: { firstMs: 50, maxMs: 500, tries: 3, stableMs: 60_000 },
    });
    this.ended = new Promise((resolve) => {
      this.#connection.onDidChangeState((state) => {
        if (state.kind === 'backingOff' || state.kind === 'failed') {
          resolve(state.reason.message);
        }
      });
    });
  }

  connect(): Promise<void> {
    return this.#connection.start();
  }

  listTools(): Promise<readonly string[]> {
    return Promise.resolve(this.knownTools);
  }

  get knownTools(): readonly string[] {
    return namesOf(this.#connection.catalogue?.tools);
  }

  async callTool(name: string, args: Arguments = {}, { onProgress, signal }: CallOptions = {}) {
    const options = {
      ...(onProgress && { onProgress: ({ progress }: { progress: number }) => onProgress(progress) }),
    };
    const { content } = await this.#connection.callTool(name, args, options, signal);
    return textsOf(content);
  }

  async readResource(uri: string): Promise<string> {
    const { contents } = await this.#connection.readResource(uri);
    return textsOf(contents);
  }

  get heard(): string {
    return this.#bed.logger.lines.join('\n');
  }

  get complaints(): readonly string[] {
    return this.#bed.logger.lines.filter((line) => /^(warn|error)/.test(line));
  }

  codeOf(error: unknown): unknown {
    return error instanceof HostError ? error.code : (error as Error).name;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
