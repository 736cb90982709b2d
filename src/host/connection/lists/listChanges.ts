import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import type { Logger } from '../../../base/logging/logger.ts';
import { Gathered } from '../../../base/time/gathered.ts';
import { messageOf } from '../../errors/hostError.ts';
import { defaultBackoff, type BackoffPolicy, Retries } from '../failures/backoff.ts';
import { listenTo, listFilters, listKinds } from '../messages/notifications.ts';
import type { ListKind } from './serverList.ts';

/** Milliseconds without a further notification after which a list counts as changed. */
const QUIET_MS = 50;
/** Milliseconds after the first notification at which it does at the latest. */
const LATEST_MS = 250;
/** Milliseconds that a connection waits for the server to acknowledge the stream. */
const OPENING_MS = 2_000;

/** The part of a client that is needed here. */
type ListeningClient = Pick<
  Client,
  'getProtocolEra' | 'getServerCapabilities' | 'setNotificationHandler' | 'listen'
>;

interface ListChangesContext {
  readonly logger: Logger;
  /** Milliseconds that the server may take to acknowledge a stream. */
  readonly timeout: number;
  readonly backoff?: BackoffPolicy;
}

/** Whether the server says that a list has changed, or may have done so while there was no stream. */
export type ChangeSource = 'notified' | 'missed';

/**
 * Listens for changes of a server's lists: notifications, which from 2026-07-28 on come over a stream of their own
 * (basic/utilities/subscriptions). A stream that ends is opened again after a wait; then every list counts as changed,
 * because it may have.
 */
export class ListChanges implements Disposable {
  readonly #client: ListeningClient;
  readonly #context: ListChangesContext;
  readonly #changed: (kind: ListKind, how: ChangeSource) => void;
  readonly #settling: Readonly<Record<ListKind, Gathered>>;
  readonly #end = new AbortController();
  readonly #retries: Retries;
  #hasOpened = false;
  /** Lists may have changed while there was no stream. */
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
    const settledOf = (kind: ListKind): Gathered =>
      new Gathered(LATEST_MS, () => changed(kind, 'notified'), QUIET_MS);
    this.#settling = {
      tools: settledOf('tools'),
      resources: settledOf('resources'),
      prompts: settledOf('prompts'),
    };
    listenTo(client, { listChanged: (kind) => this.#settling[kind].soon() });
  }

  /** Call when the revision is negotiated. Resolves when the stream is open, or after a short wait. */
  async start(): Promise<void> {
    const offered = this.#offered();
    if (this.#client.getProtocolEra() !== 'modern' || offered.length === 0) {
      return;
    }
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#mayHaveMissed = true;
      waited.resolve();
    }, OPENING_MS);
    await Promise.race([this.#open(offered), waited.promise]);
    clearTimeout(timer);
  }

  /** An open stream ends with its connection. */
  dispose(): void {
    this.#end.abort();
    this.#retries.dispose();
    listKinds.forEach((kind) => this.#settling[kind].dispose());
  }

  #offered(): readonly ListKind[] {
    const capabilities = this.#client.getServerCapabilities() ?? {};
    return listKinds.filter((kind) => capabilities[kind]?.listChanged === true);
  }

  async #open(offered: readonly ListKind[]): Promise<void> {
    const { logger, timeout } = this.#context;
    let subscription: McpSubscription;
    try {
      subscription = await this.#client.listen(
        Object.fromEntries(offered.map((kind) => [listFilters[kind], true])),
        { timeout, signal: this.#end.signal },
      );
    } catch (error) {
      this.#failed(offered, messageOf(error));
      return;
    }
    const refused = offered.filter((kind) => subscription.honoredFilter[listFilters[kind]] !== true);
    if (refused.length > 0 && !this.#hasOpened) {
      logger.log('warn', `The server does not report changes of its ${refused.join(' and ')}.`);
    }
    this.#hasOpened = true;
    if (this.#mayHaveMissed && !this.#end.signal.aborted) {
      this.#mayHaveMissed = false;
      offered.forEach((kind) => this.#changed(kind, 'missed'));
    }
    const openedAt = Date.now();
    // A stream without any list ends at once, and would do so again.
    if (refused.length < offered.length) {
      void subscription.closed.then((cause) => {
        this.#retries.endedAfter(openedAt);
        this.#failed(offered, cause === 'graceful' ? 'the server ended it' : 'the stream broke');
      });
    }
  }

  /** Gives up after a few tries if the stream was never open, and otherwise never. */
  #failed(offered: readonly ListKind[], reason: string): void {
    if (this.#end.signal.aborted) {
      return;
    }
    this.#mayHaveMissed = true;
    // Logged with the next try: after the end of the connection there is none.
    this.#retries.failed((before, isLast) => {
      const { logger } = this.#context;
      if (isLast && !this.#hasOpened) {
        logger.log('warn', `The server does not report changes of its lists: ${reason}`);
        return;
      }
      logger.log(before === 0 ? 'info' : 'debug', `Reopening the stream of list changes: ${reason}`);
      void this.#open(offered);
    });
  }
}
