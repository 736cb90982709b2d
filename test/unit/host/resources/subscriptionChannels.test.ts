import assert from 'node:assert/strict';
import type { McpSubscription } from '@modelcontextprotocol/client';
import { Emitter } from '../../../../src/base/lifetime/event.ts';
import { ListenedSubscriptions } from '../../../../src/host/connection/subscriptions/listenedSubscriptions.ts';
import { RequestedSubscriptions } from '../../../../src/host/connection/subscriptions/requestedSubscriptions.ts';
import type {
  SubscriptionChannel,
  SubscriptionContext,
} from '../../../../src/host/connection/subscriptions/subscriptionChannel.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';
import { until } from '../../support/until.ts';

type Cause = Awaited<McpSubscription['closed']>;

/** A request that the test answers. */
interface Asked {
  readonly what: string;
  answer(honored?: readonly string[]): void;
  refuse(): void;
}

/** A client whose every request waits for the test, with what a channel makes of the answers. */
class Bed {
  readonly events: string[] = [];
  readonly logger = new RecordingLogger();
  readonly ends: ((cause: Cause) => void)[] = [];
  acknowledged: readonly string[] = [];
  readonly #asked: Asked[] = [];
  readonly #onEvent = new Emitter<void>();

  readonly context: SubscriptionContext = {
    logger: this.logger,
    backoff: { firstMs: 1, maxMs: 2, tries: 3, stableMs: 60_000 },
    timeout: () => 240_000,
    onDidAcknowledge: (uris) => {
      this.acknowledged = [...uris];
      this.#note(`holds ${this.acknowledged.join()}`);
    },
  };

  readonly subscribeResource = ({ uri }: { uri: string }) => this.#ask(`subscribe ${uri}`, () => ({}));
  readonly unsubscribeResource = ({ uri }: { uri: string }) => this.#ask(`unsubscribe ${uri}`, () => ({}));
  readonly listen = (filter: { resourceSubscriptions?: string[] }): Promise<McpSubscription> => {
    const uris = filter.resourceSubscriptions ?? [];
    return this.#ask(`listen ${uris.join()}`, (honored = uris): McpSubscription => {
      const closed = Promise.withResolvers<Cause>();
      this.ends.push(closed.resolve);
      return {
        honoredFilter: { resourceSubscriptions: [...honored] },
        closed: closed.promise,
        close: () => {
          this.#note(`close ${uris.join()}`);
          closed.resolve('local');
          return Promise.resolve();
        },
      };
    });
  };

  /** The next request, which must be this one. */
  async next(what: string): Promise<Asked> {
    await until(() => this.#asked.length > 0, `the client is asked to ${what}`, this.#onEvent.event);
    const asked = this.#asked.shift();
    assert.equal(asked?.what, what);
    return asked;
  }

  until(event: string): Promise<void> {
    return until(() => this.events.includes(event), event, this.#onEvent.event);
  }

  #note(event: string): void {
    this.events.push(event);
    this.#onEvent.fire();
  }

  #ask<T>(what: string, result: (honored?: readonly string[]) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#asked.push({
        what,
        answer: (honored) => resolve(result(honored)),
        refuse: () => reject(new Error('no room')),
      });
      this.#note(what);
    });
  }
}

function want(channel: SubscriptionChannel, ...uris: string[]): void {
  channel.want(new Set(uris));
}

suite('Subscriptions by request', () => {
  test('send the next request for a resource when the one before is answered', async () => {
    const bed = new Bed();
    const channel = new RequestedSubscriptions(bed, bed.context);
    want(channel, 'a');
    const first = await bed.next('subscribe a');
    want(channel);
    want(channel, 'a');
    want(channel);
    assert.deepEqual(bed.events, ['subscribe a']);
    first.answer();
    (await bed.next('unsubscribe a')).answer();
    await bed.until('holds ');
    assert.deepEqual(bed.events, ['subscribe a', 'holds a', 'unsubscribe a', 'holds ']);
  });

  test('send nothing more when the resources are the wanted ones again', async () => {
    const bed = new Bed();
    const channel = new RequestedSubscriptions(bed, bed.context);
    want(channel, 'a');
    const first = await bed.next('subscribe a');
    want(channel);
    want(channel, 'a');
    first.answer();
    await bed.until('holds a');
    want(channel, 'a', 'b');
    await bed.next('subscribe b');
    assert.deepEqual(bed.events, ['subscribe a', 'holds a', 'subscribe b']);
  });

  test('take no answer after the end of their connection', async () => {
    const bed = new Bed();
    const channel = new RequestedSubscriptions(bed, bed.context);
    want(channel, 'a', 'b');
    const [a, b] = [await bed.next('subscribe a'), await bed.next('subscribe b')];
    channel.dispose();
    a.answer();
    b.refuse();
    await Promise.resolve();
    assert.deepEqual(bed.acknowledged, []);
    assert.deepEqual(bed.logger.lines, []);
  });
});

suite('Subscriptions by stream', () => {
  let bed: Bed;
  let channel: ListenedSubscriptions;
  setup(() => {
    bed = new Bed();
    channel = new ListenedSubscriptions(bed, bed.context);
  });
  teardown(() => channel.dispose());

  test('open the stream for a changed set before they close the old one', async () => {
    want(channel, 'a');
    (await bed.next('listen a')).answer();
    await bed.until('holds a');
    want(channel, 'a', 'b');
    (await bed.next('listen a,b')).answer();
    await bed.until('close a');
    want(channel);
    await bed.until('close a,b');
    assert.deepEqual(bed.events, [
      'listen a',
      'holds a',
      'listen a,b',
      'holds a,b',
      'close a',
      'holds ',
      'close a,b',
    ]);
  });

  test('follow a change that comes while a stream is opened', async () => {
    want(channel, 'a');
    const first = await bed.next('listen a');
    want(channel, 'b');
    first.answer();
    (await bed.next('listen b')).answer();
    await bed.until('close a');
    assert.deepEqual(bed.acknowledged, ['b']);
  });

  test('hold what the server honors, and say once what it does not', async () => {
    want(channel, 'a', 'b');
    (await bed.next('listen a,b')).answer(['b', 'c']);
    await bed.until('holds b');
    assert.deepEqual(bed.logger.lines, ['warn: The server does not report changes of a']);
  });

  test('do not ask again for what the server does not honor', async () => {
    want(channel, 'a');
    (await bed.next('listen a')).answer([]);
    await bed.until('holds ');
    bed.ends[0]?.('graceful');
    want(channel, 'a', 'b');
    await bed.next('listen a,b');
    assert.deepEqual(bed.events, ['listen a', 'holds ', 'listen a,b']);
  });

  test('open a stream again that the server ended, and one that was refused, a few times', async () => {
    want(channel, 'a');
    (await bed.next('listen a')).answer();
    await bed.until('holds a');
    bed.ends[0]?.('graceful');
    await bed.until('holds ');
    (await bed.next('listen a')).refuse();
    (await bed.next('listen a')).refuse();
    (await bed.next('listen a')).refuse();
    await until(() => bed.logger.lines.length === 4, 'it is given up', bed.logger.onDidLog);
    assert.deepEqual(bed.logger.lines, [
      'warn: Could not subscribe to resources: the server ended it',
      ...Array<string>(3).fill('debug: Could not subscribe to resources: no room'),
    ]);
    want(channel, 'b');
    (await bed.next('listen b')).answer();
    await bed.until('holds b');
  });

  test('keep the old stream while the new one is refused', async () => {
    want(channel, 'a');
    (await bed.next('listen a')).answer();
    await bed.until('holds a');
    want(channel, 'a', 'b');
    (await bed.next('listen a,b')).refuse();
    (await bed.next('listen a,b')).answer();
    await bed.until('close a');
    assert.deepEqual(bed.events, ['listen a', 'holds a', 'listen a,b', 'listen a,b', 'holds a,b', 'close a']);
  });
});
