import type { Client } from '@modelcontextprotocol/client';
import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import type { BackoffPolicy } from '../../../base/backoffPolicy.ts';

/** What subscribing asks of a client. */
export type SubscribingClient = Pick<
  Client,
  | 'getProtocolEra'
  | 'getServerCapabilities'
  | 'setNotificationHandler'
  | 'subscribeResource'
  | 'unsubscribeResource'
  | 'listen'
>;

/** Subscribes resources over one connection, in the way of its era. */
export interface SubscriptionChannel extends Disposable {
  /** Takes the whole set of what shall be subscribed, whenever it has changed. */
  wish(uris: ReadonlySet<string>): void;
}

/** What a channel needs of its connection. */
export interface SubscriptionContext {
  readonly logger: Logger;
  readonly backoff: BackoffPolicy;
  /** Milliseconds that the server may take to acknowledge. */
  timeout(): number;
  /** Called with all that the server has acknowledged, whenever that has changed. */
  onDidAcknowledge(uris: ReadonlySet<string>): void;
}
