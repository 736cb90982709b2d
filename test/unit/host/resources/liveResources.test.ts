import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/lifetime/event.ts';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { LiveResources, type RefreshingReader } from '../../../../src/host/resources/liveResources.ts';
import { resourceKey, type ResourceAddress } from '../../../../src/host/resources/resourceAddress.ts';
import { ConnectionBed, receivedBy, textOf } from '../../support/connectionBed.ts';
import { legacyServer, modernServer } from '../../support/definitions.ts';
import { until, untilState } from '../../support/until.ts';

/** A host of servers that the test adds and removes. */
class Servers {
  readonly #connections = new Map<string, ServerConnection>();
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChangeServers = this.#onDidChange.event;

  server(id: string) {
    const connection = this.#connections.get(id);
    return connection && { connection, label: 'server' };
  }

  put(connection: ServerConnection): void {
    this.#connections.set(connection.definition.id, connection);
    this.#onDidChange.fire();
  }
}

/** Keeps the text of each resource that was read. */
class Reader implements RefreshingReader {
  readonly texts = new Map<string, string>();
  readonly #servers: Servers;
  readonly #onDidRead = new Emitter<void>();
  readonly onDidRead = this.#onDidRead.event;
  ttlMs: number | undefined;
  reads = 0;

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  peek(address: ResourceAddress) {
    return this.texts.has(resourceKey(address)) ? { readAt: Date.now(), ttlMs: this.ttlMs } : undefined;
  }

  async refresh(address: ResourceAddress): Promise<void> {
    const { contents } =
      (await this.#servers.server(address.serverId)?.connection.readResource(address.uri)) ?? {};
    const [content] = contents ?? [];
    this.texts.set(resourceKey(address), content && 'text' in content ? content.text : '');
    this.reads += 1;
    this.#onDidRead.fire();
  }
}

suite('A resource that is shown', () => {
  let bed: ConnectionBed;
  let servers: Servers;
  let reader: Reader;
  let live: LiveResources;
  setup(() => {
    bed = new ConnectionBed();
    servers = new Servers();
    reader = new Reader(servers);
    live = new LiveResources(servers, reader);
  });
  teardown(async () => {
    live.dispose();
    await bed.close();
  });

  async function started(definition: ServerDefinition) {
    const connection = bed.connection(definition, {
      backoff: { firstMs: 10, maxMs: 10, tries: 5, stableMs: 60_000 },
    });
    servers.put(connection);
    await connection.start();
    const address = { serverId: definition.id, uri: 'test:///note' };
    await reader.refresh(address);
    return { connection, address, textNow: () => reader.texts.get(resourceKey(address)) };
  }

  function untilLive(address: ResourceAddress): Promise<void> {
    return until(() => live.isLive(address), 'it is live', live.onDidChangeLive);
  }

  for (const [era, definition] of [
    ['legacy', legacyServer()],
    ['modern', modernServer()],
  ] as const) {
    test(`is read again when its ${era} server says that it has changed`, async () => {
      const { connection, address, textNow } = await started(definition);
      live.show([address, { ...address }]);
      await untilLive(address);
      await until(() => reader.reads === 2, 'it is read once subscribed', reader.onDidRead);
      await connection.callTool('updateResource', { uri: address.uri, text: 'B note.' });
      await until(() => textNow() === 'B note.', 'the update of equal length is read', reader.onDidRead);
    });

    test(`costs few readings, whatever its ${era} server says`, async () => {
      const { connection, address, textNow } = await started(definition);
      live.show([address]);
      await untilLive(address);
      await connection.callTool('updateResource', { uri: address.uri, text: 'The last.', times: 1_000 });
      await until(() => textNow() === 'The last.', 'the update is read', reader.onDidRead);
      process.stdout.write(`      1,000 updates, ${era}: ${reader.reads} readings\n`);
      assert.ok(reader.reads <= 20, `${reader.reads} readings`);
    });

    test(`is live again when its ${era} server was killed, with what changed meanwhile`, async () => {
      const { connection, address, textNow } = await started(definition);
      live.show([address]);
      await untilLive(address);
      await connection.callTool('updateResource', { uri: address.uri, text: 'Lost with the process.' });
      await until(() => textNow() === 'Lost with the process.', 'the update is read', reader.onDidRead);
      process.kill((connection.state as RunningState).pid ?? 0, 'SIGKILL');
      await untilState(connection, 'backingOff');
      assert.ok(!live.isLive(address));
      await untilLive(address);
      await until(() => textNow() === 'A note.', 'the new process is read', reader.onDidRead);
    });
  }

  test('is subscribed once, and no longer after it was shown and hidden 500 times', async () => {
    const { connection, address } = await started(legacyServer());
    const other = { ...address, uri: 'test:///other' };
    for (let round = 0; round < 500; round += 1) {
      live.show([address, other]);
      live.show([other]);
    }
    live.show([address]);
    await untilLive(address);
    // After this answer that about the other one is here, too, and what follows from it is sent.
    await connection.callTool('subscriptions', {});
    assert.deepEqual(JSON.parse(await textOf(connection.callTool('subscriptions', {}))), {
      [address.uri]: 1,
    });
    live.show([]);
    assert.deepEqual(JSON.parse(await textOf(connection.callTool('subscriptions', {}))), {});
    const { 'resources/subscribe': asked = 0, 'resources/unsubscribe': ended } = await receivedBy(connection);
    assert.equal(asked, ended);
  });

  test('moves over when its server is another one', async () => {
    const { connection, address } = await started(legacyServer());
    live.show([address]);
    await untilLive(address);
    const next = bed.connection(legacyServer());
    servers.put(next);
    assert.ok(!live.isLive(address));
    await next.start();
    await untilLive(address);
    assert.deepEqual(JSON.parse(await textOf(connection.callTool('subscriptions', {}))), {});
  });

  test('is not read for nothing when the editor has not read it yet', async () => {
    const { address } = await started(legacyServer());
    const unread = { ...address, uri: 'test:///unread' };
    live.show([unread]);
    await untilLive(unread);
    assert.equal(reader.reads, 1);
  });

  test('is read when it changes although it could not be read before', async () => {
    const { connection, address } = await started(legacyServer());
    live.show([address]);
    await untilLive(address);
    await until(() => reader.reads === 2, 'it is read once subscribed', reader.onDidRead);
    reader.texts.clear();
    await connection.callTool('updateResource', { uri: address.uri, text: 'There again.' });
    await until(
      () => reader.texts.get(resourceKey(address)) === 'There again.',
      'the update is read',
      reader.onDidRead,
    );
  });

  test('is read again when it is shown after its time, unless it is live', async () => {
    const { address } = await started(legacyServer(['--subscribing=none']));
    live.show([address]);
    live.lookedAt(address);
    assert.equal(reader.reads, 1);
    reader.ttlMs = 60_000;
    live.lookedAt(address);
    assert.equal(reader.reads, 1);
    reader.ttlMs = 0;
    live.lookedAt(address);
    await until(() => reader.reads === 2, 'it is read', reader.onDidRead);
  });

  test('says in the log why it could not be read', async () => {
    const { connection, address } = await started(legacyServer());
    live.show([address]);
    await untilLive(address);
    reader.refresh = () => Promise.reject(new Error('no such note'));
    await connection.callTool('updateResource', { uri: address.uri, text: 'x' });
    await until(
      () => bed.logger.has('warn: The resource test:///note could not be read: no such note'),
      'it is logged',
      bed.logger.onDidLog,
    );
  });
});
