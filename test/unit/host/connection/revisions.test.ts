import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import { serveModern, serveSse, serveStreamableHttp } from '../../../fixtures/servers/httpServers.ts';
import { ConnectionBed, namesOf, textOf } from '../../support/connectionBed.ts';
import { httpServer, legacyServer, modernServer } from '../../support/definitions.ts';
import { perTest } from '../../support/perTest.ts';

const legacy = { era: 'legacy', revision: '2025-11-25' };
const modern = { era: 'modern', revision: '2026-07-28' };

suite('A server of any revision, over any transport', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function startedWith(definition: ServerDefinition) {
    const connection = bed.connection(definition);
    await connection.start();
    const { era, revision } = connection.state as RunningState;
    return { connection, spoken: { era, revision } };
  }

  const servers: [string, () => Promise<ServerDefinition>, typeof legacy][] = [
    ['a legacy server over stdio', () => Promise.resolve(legacyServer()), legacy],
    ['a modern server over stdio', () => Promise.resolve(modernServer()), modern],
    [
      'a legacy server over Streamable HTTP',
      async () => httpServer(bed.endLater(await serveStreamableHttp()).url),
      legacy,
    ],
    ['a modern server over HTTP', async () => httpServer(bed.endLater(await serveModern()).url), modern],
    [
      'an HTTP+SSE server as the fallback',
      async () => httpServer(bed.endLater(await serveSse()).url),
      legacy,
    ],
    [
      'an HTTP+SSE server named as such',
      async () => httpServer(bed.endLater(await serveSse()).url, { type: 'sse' }),
      legacy,
    ],
  ];
  for (const [which, definition, expected] of servers) {
    test(`lists and calls the tools of ${which}`, async () => {
      const { connection, spoken } = await startedWith(await definition());
      assert.deepEqual(spoken, expected);
      assert.ok(namesOf(connection.catalogue?.tools).includes('echo'));
      assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
    });

    test(`answers the question for roots of ${which}`, async () => {
      bed.roots = [{ uri: 'file:///projects/api', name: 'api' }];
      const { connection } = await startedWith(await definition());
      assert.deepEqual(JSON.parse(await textOf(connection.callTool('roots', {}))), { roots: bed.roots });
    });
  }

  test('has what a legacy server says about itself and offers besides tools', async () => {
    const { connection } = await startedWith(legacyServer());
    assert.equal(connection.instructions, 'Echo first.');
    assert.equal(connection.serverInfo?.name, 'legacy');
    assert.deepEqual(namesOf(connection.catalogue?.resources), ['note']);
    assert.deepEqual(namesOf(connection.catalogue?.resourceTemplates), ['any']);
    assert.deepEqual(namesOf(connection.catalogue?.prompts), ['greet']);
    const { contents } = await connection.readResource('test:///note');
    assert.deepEqual(contents, [{ uri: 'test:///note', mimeType: 'text/plain', text: 'A note.' }]);
  });

  test('restarts as legacy a server that exits on the probe', async () => {
    const { connection, spoken } = await startedWith(legacyServer(['--only-initialize']));
    assert.deepEqual(spoken, legacy);
    assert.equal(bed.pids.length, 2);
    assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
  });

  test('goes on as legacy with the same process when a server is silent on the probe', async () => {
    const { connection, spoken } = await startedWith(legacyServer(['--silent-probe'], { timeout: 2_000 }));
    assert.deepEqual(spoken, legacy);
    assert.deepEqual(bed.pids, [(connection.state as RunningState).pid]);
    assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
  });

  test('receives batches over stdio', async () => {
    const { connection } = await startedWith(legacyServer(['--batches']));
    assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
  });

  test('goes on when a server writes invalid output to stdout, and says so', async () => {
    const { connection } = await startedWith(legacyServer(['--noise']));
    assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
    assert.ok(bed.logger.has('warn: The server wrote invalid output to stdout: Welcome!'));
  });

  test('starts a process in its directory, with its own variables', async () => {
    const { connection } = await startedWith(legacyServer([], { env: { TOKEN: 'secret' } }));
    const { cwd, env } = JSON.parse(await textOf(connection.callTool('surroundings', {}))) as {
      readonly cwd: string;
      readonly env: readonly string[];
    };
    assert.equal(cwd, bed.directory);
    assert.ok(env.includes('TOKEN') && env.includes('PATH'));
    assert.deepEqual(
      env.filter((name) => /^(npm_|VSCODE_|ELECTRON_|MOCHA)/.test(name)),
      [],
    );
  });

  test('sends the headers of the definition with every request', async () => {
    const server = bed.endLater(await serveStreamableHttp());
    const { connection } = await startedWith(httpServer(server.url, { headers: { 'x-key': 'secret' } }));
    await connection.callTool('echo', { text: 'Hello' });
    assert.deepEqual(new Set(server.headers.map((headers) => headers['x-key'])), new Set(['secret']));
  });

  test('ends its session at an HTTP server when it is stopped', async () => {
    const server = bed.endLater(await serveStreamableHttp());
    const { connection } = await startedWith(httpServer(server.url));
    await connection.stop();
    assert.equal(server.requests.at(-1), 'DELETE /mcp');
  });
});
