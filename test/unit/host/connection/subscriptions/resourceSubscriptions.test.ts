import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import type { RunningState } from '../../../../../src/host/state/connectionState.ts';
import type { BackoffPolicy } from '../../../../../src/host/connection/failures/backoff.ts';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { serveModern, serveStreamableHttp } from '../../../../fixtures/servers/httpServers.ts';
import { ConnectionBed, receivedBy, textOf } from '../../../support/connectionBed.ts';
import { httpServer, legacyServer, modernServer } from '../../../support/definitions.ts';
import { until, untilSeen, untilState } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

const note = 'test:///note';
const quick: BackoffPolicy = { firstMs: 10, maxMs: 10, tries: 5, stableMs: 60_000 };

/** What the server itself holds subscribed, each as often as it is. */
async function subscribedAt(connection: ServerConnection): Promise<readonly string[]> {
  const answer: unknown = JSON.parse(await textOf(connection.callTool('subscriptions', {})));
  if ((connection.state as RunningState).era === 'modern') {
    return (answer as { readonly open: readonly (readonly string[])[] }).open.flat().toSorted();
  }
  return Object.entries(answer as Record<string, number>)
    .flatMap(([uri, count]) => Array<string>(count).fill(uri))
    .toSorted();
}

function untilSubscribed(connection: ServerConnection, uris: readonly string[]): Promise<void> {
  return untilSeen(
    async () => (await subscribedAt(connection)).join() === uris.join(),
    `the server holds ${uris.length} subscriptions`,
  );
}

function untilLive({ resourceWatch }: ServerConnection, uri = note, live = true): Promise<void> {
  return until(() => resourceWatch.isLive(uri) === live, `${uri} is live`, resourceWatch.onDidChangeLive);
}

function update(connection: ServerConnection, uri: string, text: string, times = 1): Promise<unknown> {
  return connection.callTool('updateResource', { uri, text, times });
}

suite('Resources are subscribed', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function started(definition: ServerDefinition): Promise<ServerConnection> {
    const connection = bed.connection(definition, { backoff: quick });
    await connection.start();
    return connection;
  }

  const stdio: [string, () => Promise<ServerDefinition>][] = [
    ['a legacy server over stdio', () => Promise.resolve(legacyServer())],
    ['a modern server over stdio', () => Promise.resolve(modernServer())],
  ];
  const servers: typeof stdio = [
    ...stdio,
    ['a legacy server over HTTP', async () => httpServer(bed.endLater(await serveStreamableHttp()).url)],
    ['a modern server over HTTP', async () => httpServer(bed.endLater(await serveModern()).url)],
  ];
  for (const [which, definition] of servers) {
    test(`once at ${which}, however many watch, until the last one ends`, async () => {
      const connection = await started(await definition());
      const first = connection.resourceWatch.watch(note);
      const second = connection.resourceWatch.watch(note);
      await untilLive(connection);
      assert.deepEqual(await subscribedAt(connection), [note]);
      first.dispose();
      first.dispose();
      assert.ok(connection.resourceWatch.isLive(note));
      second.dispose();
      assert.ok(!connection.resourceWatch.isLive(note));
      await untilSubscribed(connection, []);
    });

    test(`and none is left at ${which} after 500 opens and closes`, async () => {
      const connection = await started(await definition());
      const { resourceWatch } = connection;
      const kept = resourceWatch.watch('test:///kept');
      for (let round = 0; round < 500; round += 1) {
        const watch = resourceWatch.watch(`test:///note-${round % 7}`);
        if (round % 3 === 0) {
          await delay(1);
        }
        watch.dispose();
      }
      await untilSubscribed(connection, ['test:///kept']);
      assert.ok(resourceWatch.isLive('test:///kept'));
      kept.dispose();
      await untilSubscribed(connection, []);
    });

    test(`and an update of equal length by ${which} is received and read`, async () => {
      const connection = await started(await definition());
      const heard: string[] = [];
      connection.resourceWatch.onDidUpdate((uri) => heard.push(uri));
      connection.resourceWatch.watch(note);
      await untilLive(connection);
      await connection.readResource(note);
      await update(connection, note, 'B note.');
      await until(() => heard.length > 0, 'the update is heard', connection.resourceWatch.onDidUpdate);
      const { contents } = await connection.readResource(note);
      assert.deepEqual(contents, [{ uri: note, mimeType: 'text/plain', text: 'B note.' }]);
    });

    test(`and a thousand updates at once by ${which} are few events`, async () => {
      const connection = await started(await definition());
      let events = 0;
      connection.resourceWatch.onDidUpdate(() => (events += 1));
      connection.resourceWatch.watch(note);
      await untilLive(connection);
      const began = performance.now();
      await update(connection, note, 'The last.', 1_000);
      await until(() => events > 0, 'the updates are heard', connection.resourceWatch.onDidUpdate);
      // One within each 100 ms: a busy machine takes longer to send them all.
      const most = 10 + (performance.now() - began) / 100;
      assert.ok(events <= most, `${events} events, at most ${most}`);
      process.stdout.write(`      1,000 updates by ${which}: ${events} events\n`);
    });

    test(`again when ${which} was stopped and started, and what was watched meanwhile`, async () => {
      const connection = bed.connection(await definition());
      connection.resourceWatch.watch('test:///a');
      await connection.start();
      await untilLive(connection, 'test:///a');
      await connection.stop();
      assert.ok(!connection.resourceWatch.isLive('test:///a'));
      connection.resourceWatch.watch('test:///b');
      await connection.start();
      await untilLive(connection, 'test:///a');
      await untilLive(connection, 'test:///b');
      assert.deepEqual(await subscribedAt(connection), ['test:///a', 'test:///b']);
      assert.ok(!bed.logger.has('Could not'));
    });
  }

  for (const [which, definition] of stdio) {
    test(`again after the process of ${which} was killed`, async () => {
      const connection = await started(await definition());
      connection.resourceWatch.watch(note);
      await untilLive(connection);
      const { pid } = connection.state as RunningState;
      process.kill(pid ?? 0, 'SIGKILL');
      await untilState(connection, 'backingOff');
      assert.ok(!connection.resourceWatch.isLive(note));
      await untilState(connection, 'running');
      await untilLive(connection);
      assert.deepEqual(await subscribedAt(connection), [note]);
    });
  }

  test('by as few streams as there are sets, when a modern server is watched', async () => {
    const server = bed.endLater(await serveModern());
    const connection = await started(httpServer(server.url));
    const watches = Array.from({ length: 20 }, (_, index) =>
      connection.resourceWatch.watch(`test:///${index}`),
    );
    await untilLive(connection, 'test:///19');
    assert.equal(server.streams().opened, 1);
    watches.slice(1).forEach((watch) => watch.dispose());
    await untilSubscribed(connection, ['test:///0']);
    assert.equal(server.streams().opened, 2);
  });

  test('again when the stream of a modern server breaks off', async () => {
    const server = bed.endLater(await serveModern());
    const connection = await started(httpServer(server.url));
    connection.resourceWatch.watch(note);
    await untilLive(connection);
    const lost = untilLive(connection, note, false);
    server.breakStreams();
    await lost;
    await untilLive(connection);
    assert.deepEqual(await subscribedAt(connection), [note]);
    assert.ok(bed.logger.has('warn: Could not subscribe to resources: the stream broke'));
  });

  test('and an update of a part is one of the whole', async () => {
    const connection = await started(legacyServer());
    const heard: string[] = [];
    connection.resourceWatch.onDidUpdate((uri) => heard.push(uri));
    connection.resourceWatch.watch('test:///folder');
    connection.resourceWatch.watch('test:///fold');
    await untilLive(connection, 'test:///fold');
    await untilLive(connection, 'test:///folder');
    await update(connection, 'test:///folder/part', 'New.');
    await until(() => heard.length > 0, 'the update is heard', connection.resourceWatch.onDidUpdate);
    assert.deepEqual(heard, ['test:///folder']);
  });

  test('only if the server declares that it can', async () => {
    const connection = await started(legacyServer(['--subscribing=none']));
    connection.resourceWatch.watch(note);
    const received = await receivedBy(connection);
    assert.equal(received['resources/subscribe'], undefined);
    assert.ok(!connection.resourceWatch.isLive(note));
  });

  test('and a refusal is logged once, and tried again with a new watcher', async () => {
    const connection = await started(legacyServer(['--subscribing=refused']));
    const refusals = (): number =>
      bed.logger.lines.filter((line) => line.includes('Could not subscribe')).length;
    const watch = connection.resourceWatch.watch(note);
    await until(() => refusals() === 1, 'the refusal is logged', bed.logger.onDidLog);
    connection.resourceWatch.watch('test:///other');
    await until(() => refusals() === 2, 'the other is refused', bed.logger.onDidLog);
    watch.dispose();
    connection.resourceWatch.watch(note);
    await until(() => refusals() === 3, 'it is refused again', bed.logger.onDidLog);
    assert.equal((await receivedBy(connection))['resources/subscribe'], 3);
  });
});
