import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { Settled } from '../../../base/settled.ts';
import { messageOf } from '../../errors/hostError.ts';
import { defaultBackoff, type BackoffPolicy } from '../../../base/backoffPolicy.ts';
import { Retries } from '../requests/retries.ts';
import type { ListKind } from './listKind.ts';

/** Milliseconds without a further notification after which a list counts as changed. */
const QUIET_MS = 50;
/** Milliseconds after the first of them at which it does at the latest: a flood must not put it off for ever. */
const LATEST_MS = 250;
/** Milliseconds that a connection waits for the server to say that it will tell. */
const OPENING_MS = 2_000;

/** What hearing of changed lists asks of a client. */
export type ListeningClient = Pick<
  Client,
  'getProtocolEra' | 'getServerCapabilities' | 'setNotificationHandler' | 'listen'
>;

export interface ListChangesContext {
  readonly logger: Logger;
  /** Milliseconds that the server may take to acknowledge a stream. */
  readonly timeout: number;
  readonly backoff?: BackoffPolicy;
}

/** Whether the server says that a list has changed, or may have said so while nobody heard it. */
export type ChangeSource = 'told' | 'missed';

const filters = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
} as const;
const kinds = Object.keys(filters) as readonly ListKind[];

/**
 * Hears which lists of a server have changed: by its notifications (until 2025-11-25), which from 2026-07-28
 * on come over a stream that is asked for (basic/utilities/subscriptions). A stream that ends is opened
 * again after a wait, and then every list counts as changed, because it may have.
 */
export class ListChanges implements Disposable {
  readonly #client: ListeningClient;
  readonly #context: ListChangesContext;
  readonly #changed: (kind: ListKind, how: ChangeSource) => void;
  readonly #settling: Readonly<Record<ListKind, Settled>>;
  readonly #end = new AbortController();
  readonly #retries: Retries;
  #hasOpened = false;
  /** Something may have changed while nobody told of it. */
  #mayHaveMissed = false;

  constructor(
    client: ListeningClient,
    context: ListChangesContext,
    changed: (kind: ListKind, how: ChangeSource) => void,
  ) {
    this.#client = client;
    this.#context = context;
    this.#changed = changed;
    this.#retries = new Retries(context.backoff ?? defaultBackoff);
    const settled = (kind: ListKind): Settled =>
      new Settled(QUIET_MS, LATEST_MS, () => changed(kind, 'told'));
    this.#settling = {
      tools: settled('tools'),
      resources: settled('resources'),
      prompts: settled('prompts'),
    };
    for (const kind of kinds) {
      client.setNotificationHandler(`notifications/${kind}/list_changed`, () => this.#settling[kind].soon());
    }
  }

  /** Call when the revision is negotiated: resolves when changes are heard of from now on, or after a short wait. */
  async start(): Promise<void> {
    const wished = this.#wished();
    if (this.#client.getProtocolEra() !== 'modern' || wished.length === 0) {
      return;
    }
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#mayHaveMissed = true;
      waited.resolve();
    }, OPENING_MS);
    await Promise.race([this.#open(wished), waited.promise]);
    clearTimeout(timer);
  }

  /** An open stream ends with its connection. */
  dispose(): void {
    this.#end.abort();
    this.#retries.dispose();
    kinds.forEach((kind) => this.#settling[kind].dispose());
  }

  #wished(): readonly ListKind[] {
    const capabilities = this.#client.getServerCapabilities() ?? {};
    return kinds.filter((kind) => capabilities[kind]?.listChanged === true);
  }

  async #open(wished: readonly ListKind[]): Promise<void> {
    const { logger, timeout } = this.#context;
    let subscription: McpSubscription;
    try {
      subscription = await this.#client.listen(
        Object.fromEntries(wished.map((kind) => [filters[kind], true])),
        { timeout, signal: this.#end.signal },
      );
    } catch (error) {
      this.#failed(wished, messageOf(error));
      return;
    }
    const refused = wished.filter((kind) => subscription.honoredFilter[filters[kind]] !== true);
    if (refused.length > 0 && !this.#hasOpened) {
      logger.log('warn', `The server will not tell of changes of its ${refused.join(' and ')}.`);
    }
    this.#hasOpened = true;
    if (this.#mayHaveMissed && !this.#end.signal.aborted) {
      this.#mayHaveMissed = false;
      wished.forEach((kind) => this.#changed(kind, 'missed'));
    }
    const openedAt = Date.now();
    // What is refused as a whole ends, too; it would be refused again.
    if (refused.length < wished.length) {
      void subscription.closed.then((cause) => {
        this.#retries.endedAfter(openedAt);
        this.#failed(wished, cause === 'graceful' ? 'the server ended it' : 'the stream broke off');
      });
    }
  }

  /** One that was never opened is given up after a few tries; one that was is opened again as long as that takes. */
  #failed(wished: readonly ListKind[], reason: string): void {
    if (this.#end.signal.aborted) {
      return;
    }
    this.#mayHaveMissed = true;
    // The failure is logged with the try: when the connection has ended there is none, and nothing to say.
    this.#retries.failed((before, isLast) => {
      const { logger } = this.#context;
      if (isLast && !this.#hasOpened) {
        logger.log('warn', `The server does not tell of changes of its lists: ${reason}`);
        return;
      }
      logger.log(before === 0 ? 'info' : 'debug', `The stream of changed lists is opened again: ${reason}`);
      void this.#open(wished);
    });
  }
}
