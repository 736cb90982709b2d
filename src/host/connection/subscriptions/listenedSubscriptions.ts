import type { McpSubscription } from '@modelcontextprotocol/client';
import { messageOf } from '../../errors/hostError.ts';
import { Retries } from '../failures/backoff.ts';
import type { SubscribingClient, SubscriptionChannel, SubscriptionContext } from './subscriptionChannel.ts';

/** Milliseconds for which changes of the wanted resources are gathered: each needs a new stream. */
const GATHER_MS = 50;

interface Stream {
  readonly subscription: McpSubscription;
  readonly openedAt: number;
}

/**
 * Subscribes by one stream for all resources (2026-07-28, basic/utilities/subscriptions). When they change, a new stream
 * opens before the old one closes, so that no update is missed. A stream that ends is opened again after a wait.
 */
export class ListenedSubscriptions implements SubscriptionChannel {
  readonly #client: Pick<SubscribingClient, 'listen'>;
  readonly #context: SubscriptionContext;
  readonly #abort = new AbortController();
  #wanted: ReadonlySet<string> = new Set();
  /** The resources that need no other stream. */
  #settled: ReadonlySet<string> | undefined = new Set();
  #stream: Stream | undefined;
  #isRenewing = false;
  readonly #retries: Retries;

  constructor(client: Pick<SubscribingClient, 'listen'>, context: SubscriptionContext) {
    this.#client = client;
    this.#context = context;
    this.#retries = new Retries(context.backoff);
  }

  want(uris: ReadonlySet<string>): void {
    this.#wanted = uris;
    this.#retries.reset();
    this.#renewIn(GATHER_MS);
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
    const uris = this.#wanted;
    try {
      await this.#replaceStream(uris);
    } catch (error) {
      this.#failed(messageOf(error));
    }
    this.#isRenewing = false;
    if (this.#wanted !== uris) {
      this.#renewIn(0);
    }
  }

  #isSettled(): boolean {
    return (
      this.#settled?.size === this.#wanted.size && [...this.#wanted].every((uri) => this.#settled?.has(uri))
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
      this.#context.logger.log('warn', `The server does not report changes of ${refused}`);
    }
    // A stream without any resource ends at once, and would do so again.
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
    this.#failed(cause === 'graceful' ? 'the server ended it' : 'the stream broke');
  }

  /**
   * Tries again a few times; after that, only when the wanted resources or the connection change. The failure is logged
   * with the next try: after the end of the connection there is none.
   */
  #failed(reason: string): void {
    this.#retries.failed((before, isLast) => {
      const level = before === 0 ? 'warn' : 'debug';
      this.#context.logger.log(level, `Could not subscribe to resources: ${reason}`);
      if (!isLast) {
        void this.#renew();
      }
    });
  }
}
