import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { serveModern, serveSse, serveStreamableHttp } from '../../../../fixtures/servers/httpServers.ts';
import { ConnectionBed, namesOf, receivedBy } from '../../../support/connectionBed.ts';
import { httpServer, legacyServer, modernServer, stdioServer } from '../../../support/definitions.ts';
import { until } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

suite('The catalogue follows the server', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  const legacyServers = [
    ['stdio', () => Promise.resolve(legacyServer())],
    ['Streamable HTTP', async () => httpServer(bed.endLater(await serveStreamableHttp()).url)],
    ['HTTP+SSE', async () => httpServer(bed.endLater(await serveSse()).url)],
  ] as const;
  for (const [transport, definition] of legacyServers) {
    for (const kind of ['tools', 'resources', 'prompts'] as const) {
      test(`lists ${kind} again when a legacy server over ${transport} says that they changed`, async () => {
        const connection = bed.connection(await definition());
        await connection.start();
        await connection.callTool('list', { kind, names: ['one', 'other'] });
        await untilListed(connection, kind, ['one', 'other']);
        assert.deepEqual(namesOf(connection.catalogue?.[kind]), ['one', 'other']);
      });
    }
  }

  const modernServers = [
    ['stdio', () => Promise.resolve(modernServer())],
    ['HTTP', async () => httpServer(bed.endLater(await serveModern()).url)],
  ] as const;
  for (const [transport, definition] of modernServers) {
    test(`lists tools again when a modern server over ${transport} says that they changed`, async () => {
      const connection = bed.connection(await definition());
      await connection.start();
      await connection.callTool('addTool', { name: 'one' });
      await untilListed(connection, 'tools', ['echo', 'one']);
    });
  }

  test('is being listed when the server begins to run', async () => {
    const connection = bed.connection(legacyServer());
    const underWay: unknown[] = [];
    connection.onDidChangeState(({ kind }) => {
      if (kind === 'running') {
        underWay.push(connection.catalogue?.listing('resources') !== undefined);
      }
    });
    await connection.start();
    assert.deepEqual(underWay, [true]);
    assert.equal(connection.catalogue?.listing('resources'), undefined);
  });

  test('reads a few lists when a server says a thousand times that they changed', async () => {
    const connection = bed.connection(legacyServer());
    await connection.start();
    await connection.callTool('notify', { method: 'notifications/tools/list_changed', times: 1_000 });
    await connection.callTool('list', { kind: 'tools', names: ['received', 'last'] });
    await untilListed(connection, 'tools', ['last']);
    const lists = (await receivedBy(connection))['tools/list'] ?? 0;
    assert.ok(lists <= 10, `${lists} lists`);
  });

  test('keeps the old list, and says so, when the new one cannot be read', async () => {
    const connection = bed.connection(legacyServer());
    await connection.start();
    await connection.callTool('list', { kind: 'tools', entries: 'no list' });
    await until(
      () => bed.logger.has('error: The list of tools could not be read'),
      'the failure is logged',
      bed.logger.onDidLog,
    );
    assert.ok(namesOf(connection.catalogue?.tools).includes('echo'));
  });

  test('is empty where a server has declared a list that it does not know, with one line in the log', async () => {
    const connection = bed.connection(stdioServer(['-e', knowing({ tools: {}, resources: {} })]));
    await connection.start();
    await connection.catalogue?.refreshAll();
    assert.ok(connection.catalogue?.hasListed('tools'));
    assert.deepEqual(connection.catalogue?.tools, []);
    const lines = bed.logger.lines.filter((line) => /^info: .*-32601/.test(line));
    assert.deepEqual(lines.toSorted(), [
      "info: Taken for an empty list: the server answered 'resources/list': Method not found (-32601).",
      "info: Taken for an empty list: the server answered 'tools/list': Method not found (-32601).",
    ]);
    assert.ok(!bed.logger.has('error:'), bed.logger.lines.join('\n'));
  });

  /** A server that knows nothing but `initialize`, and declares this. */
  const knowing = (capabilities: object): string => `
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id === undefined) return;
        const answer = method === 'initialize'
          ? { result: { protocolVersion: '2025-03-26', capabilities: ${JSON.stringify(capabilities)}, serverInfo: { name: 's', version: '1' } } }
          : { error: { code: -32601, message: 'Method not found' } };
        if (method.endsWith('/list')) process.stderr.write('asked for ' + method + '\\n');
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
      });`;

  test('asks a server only for what it has declared', async () => {
    const connection = bed.connection(stdioServer(['-e', knowing({})]));
    await connection.start();
    assert.equal(connection.state.kind === 'running' && connection.state.revision, '2025-03-26');
    assert.deepEqual(connection.catalogue?.tools, []);
    await connection.stop();
    assert.ok(!bed.logger.has('asked for'), bed.logger.lines.join('\n'));
  });
});

async function untilListed(
  connection: ServerConnection,
  kind: 'tools' | 'resources' | 'prompts',
  names: readonly string[],
): Promise<void> {
  const listed = () => namesOf(connection.catalogue?.[kind]);
  await until(
    () => names.every((name) => listed().includes(name)),
    `${names.join(', ')} is listed among ${kind}`,
    connection.onDidChangeCatalogue,
  );
}
