import { messageOf } from '../../errors/hostError.ts';
import type { SubscribingClient, SubscriptionChannel, SubscriptionContext } from './subscriptionChannel.ts';

/**
 * Subscribes by one request for each resource (2025-11-25, server/resources, subscriptions). The next request for a
 * resource waits for the answer to the one before.
 */
export class RequestedSubscriptions implements SubscriptionChannel {
  readonly #client: Pick<SubscribingClient, 'subscribeResource' | 'unsubscribeResource'>;
  readonly #context: SubscriptionContext;
  readonly #acknowledged = new Set<string>();
  /** Refused by the server, until they are no longer wanted. */
  readonly #refused = new Set<string>();
  readonly #settling = new Set<string>();
  #wanted: ReadonlySet<string> = new Set();
  #isDisposed = false;

  constructor(
    client: Pick<SubscribingClient, 'subscribeResource' | 'unsubscribeResource'>,
    context: SubscriptionContext,
  ) {
    this.#client = client;
    this.#context = context;
  }

  want(uris: ReadonlySet<string>): void {
    this.#wanted = uris;
    [...this.#refused].filter((uri) => !uris.has(uri)).forEach((uri) => this.#refused.delete(uri));
    new Set([...uris, ...this.#acknowledged]).forEach((uri) => void this.#settle(uri));
  }

  /** The subscriptions end with the connection. */
  dispose(): void {
    this.#isDisposed = true;
  }

  async #settle(uri: string): Promise<void> {
    if (this.#settling.has(uri)) {
      return;
    }
    this.#settling.add(uri);
    while (this.#isUnsettled(uri)) {
      await this.#request(uri, this.#wanted.has(uri));
    }
    this.#settling.delete(uri);
  }

  #isUnsettled(uri: string): boolean {
    return (
      !this.#isDisposed && !this.#refused.has(uri) && this.#wanted.has(uri) !== this.#acknowledged.has(uri)
    );
  }

  async #request(uri: string, isWanted: boolean): Promise<void> {
    const options = { timeout: this.#context.timeout() };
    try {
      await (isWanted
        ? this.#client.subscribeResource({ uri }, options)
        : this.#client.unsubscribeResource({ uri }, options));
    } catch (error) {
      if (this.#isDisposed) {
        return;
      }
      const what = isWanted ? 'subscribe to' : 'unsubscribe from';
      this.#context.logger.log('warn', `Could not ${what} the resource ${uri}: ${messageOf(error)}`);
      if (isWanted) {
        this.#refused.add(uri);
        return;
      }
    }
    if (!this.#isDisposed) {
      // Also after a refused end, which is not tried again: the updates are ignored.
      this.#acknowledged[isWanted ? 'add' : 'delete'](uri);
      this.#context.onDidAcknowledge(this.#acknowledged);
    }
  }
}
