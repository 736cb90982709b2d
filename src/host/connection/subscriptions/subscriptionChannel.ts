import type { Client } from '@modelcontextprotocol/client';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import type { Logger } from '../../../base/logging/logger.ts';
import type { BackoffPolicy } from '../failures/backoff.ts';

/** The part of a client that is needed for subscriptions. */
export type SubscribingClient = Pick<
  Client,
  | 'getProtocolEra'
  | 'getServerCapabilities'
  | 'setNotificationHandler'
  | 'subscribeResource'
  | 'unsubscribeResource'
  | 'listen'
>;

/** Subscribes to resources over one connection, in the way of its era. */
export interface SubscriptionChannel extends Disposable {
  /** Call with all wanted resources whenever they have changed. */
  want(uris: ReadonlySet<string>): void;
}

/** What a channel needs of its connection. */
export interface SubscriptionContext {
  readonly logger: Logger;
  readonly backoff: BackoffPolicy;
  /** Milliseconds that the server may take to acknowledge. */
  timeout(): number;
  /** Called with all subscriptions that the server has acknowledged, whenever they have changed. */
  onDidAcknowledge(uris: ReadonlySet<string>): void;
}
