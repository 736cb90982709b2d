import { unlessAborted } from '../../base/lifetime/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { IncreasingTime } from '../../base/time/increasingTime.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { isActive } from '../state/connectionState.ts';
import { HostError } from '../errors/hostError.ts';
import type { McpHost } from '../servers/mcpHost.ts';
import { resourceKey, type ResourceAddress } from './resourceAddress.ts';
import { areSameContents, contentsOf, sizeOf, type ResourceContent } from './resourceContents.ts';

/** The state of a resource when it was read. */
export interface ResourceSnapshot {
  readonly contents: readonly ResourceContent[];
  /** Milliseconds since the epoch; strictly increases with each changed content of this address. */
  readonly mtime: number;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
  /** Milliseconds for which it stays fresh; undefined when the server does not say (2026-07-28 `ttlMs`). */
  readonly ttlMs: number | undefined;
}

/** A resource that has changed; `after` is undefined when it can no longer be read. */
export interface ResourceChange {
  readonly address: ResourceAddress;
  readonly before: ResourceSnapshot | undefined;
  readonly after: ResourceSnapshot | undefined;
}

export interface ReaderLimits {
  /** Bytes of one resource. */
  readonly resource: number;
  /** Bytes of everything that is kept; the newest is always kept. */
  readonly kept: number;
}

const megabyte = 1_024 * 1_024;
const defaultLimits: ReaderLimits = { resource: 64 * megabyte, kept: 128 * megabyte };

/** Milliseconds for which what was read is reused, whatever the server says about its freshness. */
const SHARED_MS = 5_000;

interface Reading {
  readonly number: number;
  readonly snapshot: Promise<ResourceSnapshot>;
  readonly abort: AbortController;
  waiting: number;
}

interface Entry {
  readonly address: ResourceAddress;
  snapshot?: ResourceSnapshot;
  /** The number of the reading that gave the snapshot, or its absence. */
  settled: number;
  /** The server has restarted since. */
  isStale: boolean;
  reading?: Reading;
}

/** Reads resources once for all who ask, and keeps what was read last. */
export class ResourceReader implements Disposable {
  readonly #onDidChange = new Emitter<ResourceChange>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #host: Pick<McpHost, 'server'>;
  readonly #limits: ReaderLimits;
  readonly #time: IncreasingTime;
  /** The least recently used come first. */
  readonly #entries = new Map<string, Entry>();
  readonly #store = new DisposableStore();
  #readings = 0;

  /** @param time - what else the same documents show takes its times from it, too. */
  constructor(
    host: Pick<McpHost, 'server' | 'onDidChangeServer' | 'onDidChangeServers'>,
    time = new IncreasingTime(),
    limits: ReaderLimits = defaultLimits,
  ) {
    this.#host = host;
    this.#time = time;
    this.#limits = limits;
    this.#store.add(host.onDidChangeServer(({ definition }) => this.#serverChanged(definition.id)));
    this.#store.add(host.onDidChangeServers(() => this.#dropRemoved()));
  }

  dispose(): void {
    this.#store.dispose();
    this.#onDidChange.dispose();
    this.#entries.forEach(({ reading }) => reading?.abort.abort());
    this.#entries.clear();
  }

  /** What was read last, however long ago; undefined once the server has stopped. */
  peek(address: ResourceAddress): ResourceSnapshot | undefined {
    return this.#entries.get(resourceKey(address))?.snapshot;
  }

  /**
   * What was read last while it is fresh; otherwise reads. Simultaneous callers share one request, which is
   * cancelled when all of them have aborted.
   *
   * @throws HostError with the server's words, `notRunning` while it does not run; CancellationError.
   */
  read(address: ResourceAddress, signal?: AbortSignal): Promise<ResourceSnapshot> {
    const entry = this.#entryOf(address);
    const { snapshot, reading } = entry;
    if (
      snapshot &&
      !entry.isStale &&
      Date.now() < snapshot.readAt + Math.max(snapshot.ttlMs ?? 0, SHARED_MS)
    ) {
      return Promise.resolve(snapshot);
    }
    return this.#await(reading ?? this.#begin(entry), signal);
  }

  /**
   * Reads again. The same content keeps its `mtime`, and is not a change.
   *
   * @throws as `read`.
   */
  refresh(address: ResourceAddress, signal?: AbortSignal): Promise<ResourceSnapshot> {
    return this.#await(this.#begin(this.#entryOf(address)), signal);
  }

  /** Drops what is kept of a resource that is no longer shown. */
  forget(address: ResourceAddress): void {
    this.#entries.delete(resourceKey(address));
  }

  #entryOf(address: ResourceAddress): Entry {
    const key = resourceKey(address);
    const entry = this.#entries.get(key) ?? { address, settled: 0, isStale: false };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  async #await(reading: Reading, signal: AbortSignal | undefined): Promise<ResourceSnapshot> {
    reading.waiting += 1;
    try {
      return await (signal ? unlessAborted(reading.snapshot, signal) : reading.snapshot);
    } finally {
      reading.waiting -= 1;
      if (reading.waiting === 0) {
        reading.abort.abort();
      }
    }
  }

  #begin(entry: Entry): Reading {
    this.#readings += 1;
    const number = this.#readings;
    const abort = new AbortController();
    const snapshot = this.#read(entry, number, abort.signal).finally(() => {
      if (entry.reading?.number === number) {
        delete entry.reading;
        this.#removeIfEmpty(entry);
      }
    });
    // Those who wait get it; there may be none left.
    snapshot.catch(() => {});
    const reading: Reading = { number, snapshot, abort, waiting: 0 };
    entry.reading = reading;
    return reading;
  }

  async #read(entry: Entry, number: number, signal: AbortSignal): Promise<ResourceSnapshot> {
    const { address } = entry;
    const connection = this.#host.server(address.serverId)?.connection;
    if (!connection) {
      throw new HostError('notRunning', 'the server is no longer configured');
    }
    try {
      const result = await connection.readResource(address.uri, {}, signal);
      const contents = contentsOf(result, this.#limits.resource);
      const { ttlMs } = result as { readonly ttlMs?: unknown };
      const snapshot = { contents, readAt: Date.now(), ttlMs: typeof ttlMs === 'number' ? ttlMs : undefined };
      return this.#settle(entry, number, snapshot);
    } catch (error) {
      // The server says that it is gone; any other failure says nothing about what was read.
      if (error instanceof HostError && error.code === 'protocol') {
        this.#drop(entry, number);
      }
      throw error;
    }
  }

  /** Keeps what was read, unless something that was read later is already there. */
  #settle(entry: Entry, number: number, read: Omit<ResourceSnapshot, 'mtime'>): ResourceSnapshot {
    const before = entry.snapshot;
    if (entry.settled > number && before) {
      return before;
    }
    const isSame = before !== undefined && areSameContents(before.contents, read.contents);
    const after = isSame
      ? { ...read, contents: before.contents, mtime: before.mtime }
      : { ...read, mtime: this.#time.next() };
    if (entry.settled > number || this.#entries.get(resourceKey(entry.address)) !== entry) {
      return after;
    }
    entry.settled = number;
    entry.snapshot = after;
    entry.isStale = false;
    this.#trim(entry);
    if (!isSame) {
      this.#onDidChange.fire({ address: entry.address, before, after });
    }
    return after;
  }

  #drop(entry: Entry, number: number): void {
    const before = entry.snapshot;
    if (entry.settled <= number) {
      entry.settled = number;
      delete entry.snapshot;
      if (before) {
        this.#onDidChange.fire({ address: entry.address, before, after: undefined });
      }
    }
  }

  #serverChanged(id: ServerId): void {
    const state = this.#host.server(id)?.connection.state;
    for (const entry of this.#entriesOf(id)) {
      if (!state || !isActive(state)) {
        this.#dropForGood(entry);
      } else if (state.kind !== 'running') {
        // The server is restarting: what was read last is the best there is.
        entry.isStale = true;
      }
    }
  }

  #dropRemoved(): void {
    [...this.#entries.values()]
      .filter(({ address }) => !this.#host.server(address.serverId))
      .forEach((entry) => this.#dropForGood(entry));
  }

  /** What is still being read comes from a server that is gone. */
  #dropForGood(entry: Entry): void {
    this.#readings += 1;
    this.#drop(entry, this.#readings);
  }

  #entriesOf(id: ServerId): readonly Entry[] {
    return [...this.#entries.values()].filter(({ address }) => address.serverId === id);
  }

  #removeIfEmpty(entry: Entry): void {
    const key = resourceKey(entry.address);
    if (!entry.snapshot && this.#entries.get(key) === entry) {
      this.#entries.delete(key);
    }
  }

  #trim(newest: Entry): void {
    let size = 0;
    for (const [key, entry] of [...this.#entries].toReversed()) {
      size += key.length + sizeOf(entry.snapshot?.contents ?? []);
      if (size > this.#limits.kept && entry !== newest) {
        this.#entries.delete(key);
      }
    }
  }
}
