import { toDisposable, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Emitter, type Event } from '../../../base/lifetime/event.ts';
import { Gathered } from '../../../base/time/gathered.ts';
import { listenTo } from '../messages/notifications.ts';
import { ListenedSubscriptions } from './listenedSubscriptions.ts';
import { RequestedSubscriptions } from './requestedSubscriptions.ts';
import type { SubscribingClient, SubscriptionChannel, SubscriptionContext } from './subscriptionChannel.ts';

/** Milliseconds for which updates are gathered, so that there are at most ten events a second. */
const UPDATES_MS = 100;

/** Watches resources of one server, over all its connections. */
export interface ResourceWatch {
  /** Subscribes to the resource, whenever the server runs, until its last watcher is disposed. */
  watch(uri: string): Disposable;
  /** Whether the server runs, and has acknowledged that it reports changes of this watched resource. */
  isLive(uri: string): boolean;
  /** A watched resource became live, or is no longer live. It may have changed before it became live. */
  readonly onDidChangeLive: Event<string>;
  /** The server says that a watched resource, or a part of it, has changed. */
  readonly onDidUpdate: Event<string>;
}

export class ResourceSubscriptions implements ResourceWatch, Disposable {
  readonly #onDidChangeLive = new Emitter<string>();
  readonly onDidChangeLive = this.#onDidChangeLive.event;
  readonly #onDidUpdate = new Emitter<string>();
  readonly onDidUpdate = this.#onDidUpdate.event;
  readonly #context: Omit<SubscriptionContext, 'onDidAcknowledge'>;
  /** The number of watchers of each resource. */
  readonly #watchers = new Map<string, number>();
  readonly #updated = new Set<string>();
  #live: ReadonlySet<string> = new Set();
  #channel: SubscriptionChannel | undefined;
  readonly #reporting = new Gathered(UPDATES_MS, () => this.#report());

  constructor(context: Omit<SubscriptionContext, 'onDidAcknowledge'>) {
    this.#context = context;
  }

  watch(uri: string): Disposable {
    this.#count(uri, 1);
    return toDisposable(() => this.#count(uri, -1));
  }

  isLive(uri: string): boolean {
    return this.#live.has(uri) && this.#watchers.has(uri);
  }

  /** Subscribes over a new connection. Dispose the result when the connection ends. */
  serve(client: SubscribingClient): Disposable {
    if (!client.getServerCapabilities()?.resources?.subscribe) {
      return toDisposable(() => {});
    }
    listenTo(client, { resourceUpdated: (uri) => this.#gather(uri) });
    const context: SubscriptionContext = {
      ...this.#context,
      onDidAcknowledge: (uris) => this.#acknowledged(new Set(uris)),
    };
    const channel =
      client.getProtocolEra() === 'modern'
        ? new ListenedSubscriptions(client, context)
        : new RequestedSubscriptions(client, context);
    this.#channel = channel;
    channel.want(new Set(this.#watchers.keys()));
    return toDisposable(() => {
      channel.dispose();
      this.#channel = undefined;
      this.#acknowledged(new Set());
    });
  }

  dispose(): void {
    this.#reporting.dispose();
    this.#onDidChangeLive.dispose();
    this.#onDidUpdate.dispose();
  }

  #count(uri: string, more: 1 | -1): void {
    const before = this.#watchers.get(uri) ?? 0;
    const count = before + more;
    if (count > 0) {
      this.#watchers.set(uri, count);
    } else {
      this.#watchers.delete(uri);
    }
    if (before === 0 || count === 0) {
      this.#channel?.want(new Set(this.#watchers.keys()));
    }
  }

  #acknowledged(uris: ReadonlySet<string>): void {
    const before = this.#live;
    const changed = [...before, ...uris].filter((uri) => before.has(uri) !== uris.has(uri));
    this.#live = uris;
    changed.forEach((uri) => this.#onDidChangeLive.fire(uri));
  }

  /** An update may name a part of a watched resource (2025-11-25, server/resources, subscriptions). */
  #gather(uri: string): void {
    for (const watched of this.#watchers.keys()) {
      if (uri === watched || uri.startsWith(watched.endsWith('/') ? watched : `${watched}/`)) {
        this.#updated.add(watched);
      }
    }
    if (this.#updated.size > 0) {
      this.#reporting.soon();
    }
  }

  #report(): void {
    const updated = [...this.#updated].filter((uri) => this.#watchers.has(uri));
    this.#updated.clear();
    updated.forEach((uri) => this.#onDidUpdate.fire(uri));
  }
}
