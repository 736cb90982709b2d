import { messageOf } from '../../errors/hostError.ts';
import type { SubscribingClient, SubscriptionChannel, SubscriptionContext } from './subscriptionChannel.ts';

/**
 * Subscribes by one request for each resource (2025-11-25, server/resources, subscriptions). For one
 * resource a request is sent when the one before it has been answered, so that the last wish holds.
 */
export class RequestedSubscriptions implements SubscriptionChannel {
  readonly #client: Pick<SubscribingClient, 'subscribeResource' | 'unsubscribeResource'>;
  readonly #context: SubscriptionContext;
  readonly #acknowledged = new Set<string>();
  /** What the server refused; it is asked again when the wish comes up anew. */
  readonly #refused = new Set<string>();
  readonly #settling = new Set<string>();
  #wished: ReadonlySet<string> = new Set();
  #isDisposed = false;

  constructor(
    client: Pick<SubscribingClient, 'subscribeResource' | 'unsubscribeResource'>,
    context: SubscriptionContext,
  ) {
    this.#client = client;
    this.#context = context;
  }

  wish(uris: ReadonlySet<string>): void {
    this.#wished = uris;
    [...this.#refused].filter((uri) => !uris.has(uri)).forEach((uri) => this.#refused.delete(uri));
    new Set([...uris, ...this.#acknowledged]).forEach((uri) => void this.#settle(uri));
  }

  /** The subscriptions end with the connection: nothing is sent. */
  dispose(): void {
    this.#isDisposed = true;
  }

  async #settle(uri: string): Promise<void> {
    if (this.#settling.has(uri)) {
      return;
    }
    this.#settling.add(uri);
    while (this.#isUnsettled(uri)) {
      await this.#ask(uri, this.#wished.has(uri));
    }
    this.#settling.delete(uri);
  }

  #isUnsettled(uri: string): boolean {
    return (
      !this.#isDisposed && !this.#refused.has(uri) && this.#wished.has(uri) !== this.#acknowledged.has(uri)
    );
  }

  async #ask(uri: string, isWished: boolean): Promise<void> {
    const options = { timeout: this.#context.timeout() };
    try {
      await (isWished
        ? this.#client.subscribeResource({ uri }, options)
        : this.#client.unsubscribeResource({ uri }, options));
    } catch (error) {
      if (this.#isDisposed) {
        return;
      }
      const what = isWished ? 'subscribed' : 'unsubscribed';
      this.#context.logger.log('warn', `The resource ${uri} could not be ${what}: ${messageOf(error)}`);
      if (isWished) {
        this.#refused.add(uri);
        return;
      }
    }
    if (!this.#isDisposed) {
      // One whose end the server refused is not asked about again: its updates are not heard.
      this.#acknowledged[isWished ? 'add' : 'delete'](uri);
      this.#context.onDidAcknowledge(this.#acknowledged);
    }
  }
}
