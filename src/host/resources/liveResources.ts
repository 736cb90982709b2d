import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { Coalesced } from '../../base/time/coalesced.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { messageOf } from '../errors/hostError.ts';
import type { McpHost } from '../servers/mcpHost.ts';
import { resourceKey, type ResourceAddress } from './resourceAddress.ts';

/** Reads and keeps the contents of resources. */
export interface RefreshingReader {
  /** What was read last. */
  peek(address: ResourceAddress): { readonly readAt: number; readonly ttlMs: number | undefined } | undefined;
  refresh(address: ResourceAddress): Promise<unknown>;
}

interface Watched {
  readonly address: ResourceAddress;
  readonly connection: ServerConnection;
  readonly store: DisposableStore;
}

/** Keeps the resources that are shown fresh: subscribes to each on its server, and reads it again when it changes. */
export class LiveResources implements Disposable {
  readonly #onDidChangeLive = new Emitter<ResourceAddress>();
  /** Whether a resource is live may have changed. */
  readonly onDidChangeLive = this.#onDidChangeLive.event;
  readonly #host: Pick<McpHost, 'server'>;
  readonly #reader: RefreshingReader;
  readonly #watched = new Map<string, Watched>();
  readonly #refreshes = new Coalesced<string>((key) => this.#refresh(key));
  readonly #store = new DisposableStore();
  #shown: readonly ResourceAddress[] = [];

  constructor(host: Pick<McpHost, 'server' | 'onDidChangeServers'>, reader: RefreshingReader) {
    this.#host = host;
    this.#reader = reader;
    this.#store.add(host.onDidChangeServers(() => this.show(this.#shown)));
  }

  /** Takes all resources that are shown now: new ones are watched, and those that are gone no longer. */
  show(shown: readonly ResourceAddress[]): void {
    this.#shown = shown;
    const wanted = new Map(shown.map((address) => [resourceKey(address), address]));
    for (const [key, { address, connection, store }] of this.#watched) {
      if (!wanted.has(key) || this.#host.server(address.serverId)?.connection !== connection) {
        this.#watched.delete(key);
        store.dispose();
      }
    }
    for (const [key, address] of wanted) {
      const connection = this.#host.server(address.serverId)?.connection;
      if (connection && !this.#watched.has(key)) {
        this.#watched.set(key, { address, connection, store: this.#watch(address, connection) });
        this.#onDidChangeLive.fire(address);
      }
    }
  }

  /** Whether a resource is shown, and its server notifies of its changes. */
  isLive(address: ResourceAddress): boolean {
    const watched = this.#watched.get(resourceKey(address));
    return watched?.connection.resourceWatch.isLive(address.uri) ?? false;
  }

  /**
   * Call when a document becomes visible. One without a subscription is read again if its time
   * is over (2026-07-28, server/utilities/caching); without a stated time, you reload it yourself.
   */
  lookedAt(address: ResourceAddress): void {
    const { readAt, ttlMs } = this.#reader.peek(address) ?? {};
    const isOver = readAt !== undefined && ttlMs !== undefined && Date.now() >= readAt + ttlMs;
    if (isOver && this.#watched.has(resourceKey(address)) && !this.isLive(address)) {
      void this.#refreshes.run(resourceKey(address));
    }
  }

  dispose(): void {
    this.#store.dispose();
    this.show([]);
    this.#onDidChangeLive.dispose();
  }

  #watch(address: ResourceAddress, { resourceWatch }: ServerConnection): DisposableStore {
    const store = new DisposableStore();
    const { uri } = address;
    const refresh = (): void => void this.#refreshes.run(resourceKey(address));
    const liveChanged = (): void => {
      this.#onDidChangeLive.fire(address);
      // Nothing has reported a change between the first reading and the subscription. What was never read
      // is read when the editor asks for it.
      if (resourceWatch.isLive(uri) && this.#reader.peek(address)) {
        refresh();
      }
    };
    store.add(resourceWatch.onDidUpdate((updated) => updated === uri && refresh()));
    store.add(resourceWatch.onDidChangeLive((changed) => changed === uri && liveChanged()));
    store.add(resourceWatch.watch(uri));
    return store;
  }

  async #refresh(key: string): Promise<void> {
    const { address, connection } = this.#watched.get(key) ?? {};
    if (!address || !connection) {
      return;
    }
    try {
      await this.#reader.refresh(address);
    } catch (error) {
      if (!(error instanceof CancellationError)) {
        connection.logger.log('warn', `The resource ${address.uri} could not be read: ${messageOf(error)}`);
      }
    }
  }
}
