import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { McpSubscription } from '@modelcontextprotocol/client';
import { ListChanges } from '../../../../../src/host/connection/lists/listChanges.ts';
import { RecordingLogger } from '../../../support/recordingLogger.ts';

type Filter = Parameters<ConstructorParameters<typeof ListChanges>[0]['listen']>[0];
type Cause = Awaited<McpSubscription['closed']>;

/** A client whose streams are in the test's hands. */
class ScriptedClient {
  readonly handlers = new Map<string, () => void>();
  readonly filters: Filter[] = [];
  readonly ends: ((cause: Cause) => void)[] = [];
  era: 'legacy' | 'modern' = 'modern';
  /** What the server says of a filter; a refusal is thrown. */
  acknowledge: (filter: Filter) => Promise<Filter> = (filter) => Promise.resolve(filter);

  getProtocolEra(): 'legacy' | 'modern' {
    return this.era;
  }

  getServerCapabilities(): object {
    return { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} };
  }

  setNotificationHandler(method: string, handler: () => void): void {
    this.handlers.set(method, handler);
  }

  async listen(filter: Filter): Promise<McpSubscription> {
    this.filters.push(filter);
    const honoredFilter = await this.acknowledge(filter);
    const closed = Promise.withResolvers<Cause>();
    this.ends.push(closed.resolve);
    return { honoredFilter, closed: closed.promise, close: () => Promise.resolve() };
  }
}

suite('News of changed lists', () => {
  let client: ScriptedClient;
  let logger: RecordingLogger;
  let changed: string[];
  let changes: ListChanges;

  setup(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    client = new ScriptedClient();
    logger = new RecordingLogger();
    changed = [];
    changes = new ListChanges(
      client as unknown as ConstructorParameters<typeof ListChanges>[0],
      { logger, timeout: 1_000, backoff: { firstMs: 100, maxMs: 400, tries: 3, stableMs: 60_000 } },
      (kind) => changed.push(kind),
    );
  });
  teardown(() => {
    changes.dispose();
    mock.timers.reset();
  });

  /** Time goes by, and what is waited for is done. */
  async function pass(ms: number): Promise<void> {
    mock.timers.tick(ms);
    await new Promise(setImmediate);
  }

  test('comes from a legacy server without a subscription', async () => {
    client.era = 'legacy';
    await changes.start();
    assert.deepEqual(client.filters, []);
    for (let told = 0; told < 100; told += 1) {
      client.handlers.get('notifications/tools/list_changed')?.();
      mock.timers.tick(10);
    }
    mock.timers.tick(50);
    assert.ok(changed.length >= 4 && changed.length <= 6, `${changed.length} in a second`);
  });

  test('is asked for of what the server has declared, over one stream', async () => {
    await changes.start();
    assert.deepEqual(client.filters, [{ toolsListChanged: true, promptsListChanged: true }]);
    assert.deepEqual(changed, []);
  });

  test('is logged once if it is less than was asked for', async () => {
    client.acknowledge = () => Promise.resolve({ toolsListChanged: true });
    await changes.start();
    client.ends[0]?.('remote');
    await pass(0);
    await pass(100);
    assert.equal(client.filters.length, 2);
    assert.deepEqual(
      logger.lines.filter((line) => line.startsWith('warn')),
      ['warn: The server does not report changes of its prompts.'],
    );
  });

  test('may have been missed while the stream was gone', async () => {
    await changes.start();
    client.ends[0]?.('remote');
    await pass(0);
    assert.deepEqual(changed, []);
    await pass(100);
    assert.deepEqual(changed, ['tools', 'prompts']);
  });

  test('is asked for again less and less often, and for as long as it takes', async () => {
    await changes.start();
    for (const wait of [100, 200, 400, 400, 400, 400]) {
      const { length } = client.filters;
      client.ends.at(-1)?.('remote');
      await pass(0);
      await pass(wait - 1);
      assert.equal(client.filters.length, length);
      await pass(1);
      assert.equal(client.filters.length, length + 1);
    }
    assert.equal(logger.lines.filter((line) => !line.startsWith('debug')).length, 1);
  });

  test('is asked for a few times of a server that refuses', async () => {
    client.acknowledge = () => Promise.reject(new Error('Method not found'));
    await changes.start();
    for (let tries = 0; tries < 10; tries += 1) {
      await pass(400);
    }
    assert.equal(client.filters.length, 4);
    assert.ok(logger.has('warn: The server does not report changes of its lists: Method not found'));
  });

  test('may have been missed before the stream could be opened', async () => {
    client.acknowledge = () => Promise.reject(new Error('busy'));
    await changes.start();
    client.acknowledge = (filter) => Promise.resolve(filter);
    await pass(100);
    assert.deepEqual(changed, ['tools', 'prompts']);
  });

  test('delays a start for two seconds at most, and counts later if it comes late', async () => {
    const late = Promise.withResolvers<Filter>();
    client.acknowledge = () => late.promise;
    let isStarted = false;
    void changes.start().then(() => (isStarted = true));
    await pass(1_999);
    assert.equal(isStarted, false);
    await pass(1);
    assert.equal(isStarted, true);
    late.resolve({ toolsListChanged: true, promptsListChanged: true });
    await pass(0);
    assert.deepEqual(changed, ['tools', 'prompts']);
  });

  test('is nothing once the connection has ended', async () => {
    await changes.start();
    client.handlers.get('notifications/tools/list_changed')?.();
    changes.dispose();
    client.ends[0]?.('remote');
    await pass(10_000);
    assert.deepEqual(changed, []);
    assert.equal(client.filters.length, 1);
    assert.deepEqual(logger.lines, []);
  });
});
