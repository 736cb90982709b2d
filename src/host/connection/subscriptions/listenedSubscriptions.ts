import type { McpSubscription } from '@modelcontextprotocol/client';
import { Retries } from '../requests/retries.ts';
import { messageOf } from '../../errors/hostError.ts';
import type { SubscribingClient, SubscriptionChannel, SubscriptionContext } from './subscriptionChannel.ts';

/** Milliseconds for which changed wishes are gathered: each costs a new stream. */
const WISHES_MS = 50;

interface Stream {
  readonly subscription: McpSubscription;
  readonly openedAt: number;
}

/**
 * Subscribes by one stream for the whole set (2026-07-28, basic/utilities/subscriptions): a changed set is
 * a new stream, opened before the old one is closed, so that no update falls between. A stream that ends
 * is opened again after a wait.
 */
export class ListenedSubscriptions implements SubscriptionChannel {
  readonly #client: Pick<SubscribingClient, 'listen'>;
  readonly #context: SubscriptionContext;
  readonly #abort = new AbortController();
  #wished: ReadonlySet<string> = new Set();
  /** The set for which there is nothing left to do. */
  #settled: ReadonlySet<string> | undefined = new Set();
  #stream: Stream | undefined;
  #isRenewing = false;
  readonly #retries: Retries;

  constructor(client: Pick<SubscribingClient, 'listen'>, context: SubscriptionContext) {
    this.#client = client;
    this.#context = context;
    this.#retries = new Retries(context.backoff);
  }

  wish(uris: ReadonlySet<string>): void {
    this.#wished = uris;
    this.#retries.reset();
    this.#renewIn(WISHES_MS);
  }

  /** An open stream ends with its connection. */
  dispose(): void {
    this.#retries.dispose();
    this.#abort.abort();
  }

  #renewIn(ms: number): void {
    this.#retries.after(ms, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing || this.#isSettled()) {
      return;
    }
    this.#isRenewing = true;
    const uris = this.#wished;
    try {
      await this.#replaceStream(uris);
    } catch (error) {
      this.#failed(messageOf(error));
    }
    this.#isRenewing = false;
    if (this.#wished !== uris) {
      this.#renewIn(0);
    }
  }

  #isSettled(): boolean {
    return (
      this.#settled?.size === this.#wished.size && [...this.#wished].every((uri) => this.#settled?.has(uri))
    );
  }

  async #replaceStream(uris: ReadonlySet<string>): Promise<void> {
    const previous = this.#stream;
    let acknowledged: ReadonlySet<string> = new Set();
    let stream: Stream | undefined;
    if (uris.size > 0) {
      const subscription = await this.#client.listen(
        { resourceSubscriptions: [...uris] },
        { timeout: this.#context.timeout(), signal: this.#abort.signal },
      );
      stream = { subscription, openedAt: Date.now() };
      acknowledged = new Set(
        subscription.honoredFilter.resourceSubscriptions?.filter((uri) => uris.has(uri)),
      );
    }
    this.#stream = stream;
    this.#settled = uris;
    this.#context.onDidAcknowledge(acknowledged);
    previous?.subscription.close().catch(() => {});
    if (acknowledged.size < uris.size) {
      const refused = [...uris].filter((uri) => !acknowledged.has(uri)).join(', ');
      this.#context.logger.log('warn', `The server does not tell of changes of ${refused}`);
    }
    // What is refused as a whole ends, too; it would be refused again.
    if (stream && acknowledged.size > 0) {
      void stream.subscription.closed.then((cause) => this.#ended(stream, cause));
    }
  }

  #ended(stream: Stream, cause: string): void {
    if (stream !== this.#stream || this.#abort.signal.aborted) {
      return;
    }
    this.#stream = undefined;
    this.#settled = undefined;
    this.#retries.endedAfter(stream.openedAt);
    this.#context.onDidAcknowledge(new Set());
    this.#failed(cause === 'graceful' ? 'the server ended it' : 'the stream broke off');
  }

  /**
   * The next try follows by itself, a few times; later ones when the wishes or the connection change. The
   * failure is logged with the try: when the connection has ended there is none, and nothing to say.
   */
  #failed(reason: string): void {
    this.#retries.failed((before, isLast) => {
      const level = before === 0 ? 'warn' : 'debug';
      this.#context.logger.log(level, `The subscription to resources failed: ${reason}`);
      if (!isLast) {
        void this.#renew();
      }
    });
  }
}
