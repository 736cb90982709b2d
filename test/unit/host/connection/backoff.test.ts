import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { ConnectionState, RunningState } from '../../../../src/host/state/connectionState.ts';
import type { BackoffPolicy } from '../../../../src/host/connection/failures/backoff.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { serve, serveStatus } from '../../../fixtures/servers/httpServers.ts';
import { ConnectionBed } from '../../support/connectionBed.ts';
import { httpServer, legacyServer, serverUrl, stdioServer } from '../../support/definitions.ts';
import { untilState } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

const exits = legacyServer(['--exit=1']);
/** Waits so long that only a stop ends it. */
const patient: BackoffPolicy = { firstMs: 3_600_000, maxMs: 3_600_000, tries: 9, stableMs: 60_000 };

suite('A server that fails is tried again', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  function recorded(definition: ServerDefinition, backoff: BackoffPolicy) {
    const connection = bed.connection(definition, { backoff });
    const states: ConnectionState[] = [];
    connection.onDidChangeState((state) => states.push(state));
    return { connection, states };
  }

  test('after waits that double up to the longest, until the tries are used up', async () => {
    const server = bed.endLater(await serveStatus(503));
    const { connection, states } = recorded(httpServer(server.url), {
      firstMs: 100,
      maxMs: 300,
      tries: 3,
      stableMs: 60_000,
    });
    await assert.rejects(connection.start(), { code: 'refused' });
    await untilState(connection, 'failed');
    assert.deepEqual(
      states.map((state) => (state.kind === 'backingOff' ? `try ${state.attempt}` : state.kind)),
      ['starting', 'try 1', 'starting', 'try 2', 'starting', 'try 3', 'starting', 'failed'],
    );
    assert.deepEqual(
      bed.logger.lines.filter((line) => line.startsWith('info: Waiting')),
      ['0.1 s', '0.2 s', '0.3 s'].map((wait) => `info: Waiting ${wait} before the next try.`),
    );
  });

  test('and stays failed until it is asked for, with all its tries again', async () => {
    const { connection, states } = recorded(exits, { firstMs: 1, maxMs: 1, tries: 1, stableMs: 60_000 });
    await connection.start().catch(() => {});
    await untilState(connection, 'failed');
    states.length = 0;
    await connection.start().catch(() => {});
    await untilState(connection, 'failed');
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['starting', 'backingOff', 'starting', 'failed'],
    );
  });

  test('and runs when a later try succeeds', async () => {
    const marker = path.join(bed.directory, 'ready');
    const script = `
      if (require('node:fs').existsSync(${JSON.stringify(marker)})) import(${JSON.stringify(serverUrl('legacyServer'))});
      else process.exit(1);`;
    const { connection } = recorded(stdioServer(['-e', script]), {
      firstMs: 1,
      maxMs: 1,
      tries: 1_000,
      stableMs: 60_000,
    });
    await assert.rejects(connection.start(), { code: 'exited' });
    assert.ok(!existsSync(marker));
    writeFileSync(marker, '');
    await untilState(connection, 'running');
  });

  test('when it dies while it runs', async () => {
    const { connection, states } = recorded(legacyServer(), { ...patient, firstMs: 1 });
    await connection.start();
    const { pid } = connection.state as RunningState;
    const died = connection.callTool('die', { code: 7, stderr: 'out of luck\n' });
    await assert.rejects(died, { name: 'HostError', code: 'lost' });
    await untilState(connection, 'backingOff');
    await untilState(connection, 'running');
    assert.notEqual((connection.state as RunningState).pid, pid);
    const [reason] = states.flatMap((state) => (state.kind === 'backingOff' ? [state.reason] : []));
    assert.equal(reason?.message, 'it exited with code 7: out of luck');
  });

  test('counting its tries from zero after it ran for long enough', async () => {
    const { connection, states } = recorded(legacyServer(), { firstMs: 1, maxMs: 9, tries: 1, stableMs: 0 });
    await connection.start();
    for (let death = 0; death < 3; death += 1) {
      await connection.callTool('die', { code: 1, stderr: '' }).catch(() => {});
      await untilState(connection, 'backingOff');
      await untilState(connection, 'running');
    }
    assert.ok(!states.some(({ kind }) => kind === 'failed'));
  });

  const hopeless: [string, () => Promise<ServerDefinition>][] = [
    ['a command that is not found', () => Promise.resolve(stdioServer([], { command: 'no-such-command' }))],
    ['status 401', async () => httpServer(bed.endLater(await serveStatus(401)).url)],
    ['status 404', async () => httpServer(bed.endLater(await serveStatus(404)).url)],
    ['a web page', async () => httpServer(bed.endLater(await serveStatus(200, 'text/html')).url)],
  ];
  for (const [what, definition] of hopeless) {
    test(`but not for ${what}: it fails at once`, async () => {
      const { connection, states } = recorded(await definition(), patient);
      await assert.rejects(connection.start(), HostError);
      await untilState(connection, 'failed');
      assert.deepEqual(
        states.map(({ kind }) => kind),
        ['starting', 'failed'],
      );
    });
  }

  const hopeful: [string, () => Promise<ServerDefinition>][] = [
    ['status 500', async () => httpServer(bed.endLater(await serveStatus(500)).url)],
    ['status 429', async () => httpServer(bed.endLater(await serveStatus(429)).url)],
    [
      'an address at which nobody listens',
      async () => {
        const server = await serveStatus(200);
        await server.close();
        return httpServer(server.url);
      },
    ],
  ];
  for (const [what, definition] of hopeful) {
    test(`for ${what}`, async () => {
      const { connection } = recorded(await definition(), patient);
      await assert.rejects(connection.start(), HostError);
      await untilState(connection, 'backingOff');
    });
  }
});

suite('Start, stop and restart do what they say in every state', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  const states: [ConnectionState['kind'], () => Promise<ServerConnection>][] = [
    ['stopped', () => Promise.resolve(bed.connection(legacyServer()))],
    [
      'disabled',
      () => {
        const connection = bed.connection(legacyServer());
        connection.hold({ kind: 'disabled' });
        return Promise.resolve(connection);
      },
    ],
    [
      'starting',
      () => {
        const connection = bed.connection(legacyServer());
        connection.start().catch(() => {});
        return Promise.resolve(connection);
      },
    ],
    [
      'running',
      async () => {
        const connection = bed.connection(legacyServer());
        await connection.start();
        return connection;
      },
    ],
    [
      'stopping',
      async () => {
        const connection = bed.connection(legacyServer());
        await connection.start();
        void connection.stop();
        return connection;
      },
    ],
    [
      'backingOff',
      async () => {
        const connection = bed.connection(legacyServer(), { backoff: patient });
        await connection.start();
        await connection.callTool('die', { code: 1, stderr: '' }).catch(() => {});
        await untilState(connection, 'backingOff');
        return connection;
      },
    ],
    [
      'failed',
      async () => {
        const connection = bed.connection(legacyServer());
        await connection.start();
        await connection.callTool('die', { code: 1, stderr: '' }).catch(() => {});
        await untilState(connection, 'failed');
        return connection;
      },
    ],
  ];
  for (const [kind, connectionIn] of states) {
    test(`start runs a server that is ${kind}`, async () => {
      const connection = await connectionIn();
      assert.equal(connection.state.kind, kind);
      await connection.start();
      assert.equal(connection.state.kind, 'running');
    });

    test(`two starts at once run a server that is ${kind} once`, async () => {
      const connection = await connectionIn();
      const before = bed.pids.length;
      await Promise.all([connection.start(), connection.start()]);
      assert.equal(connection.state.kind, 'running');
      assert.ok(bed.pids.length - before <= 1);
    });

    test(`stop stops a server that is ${kind}`, async () => {
      const connection = await connectionIn();
      await connection.stop();
      assert.equal(connection.state.kind, 'stopped');
    });

    test(`restart gives a new process to a server that is ${kind}`, async () => {
      const connection = await connectionIn();
      const before = connection.state.kind === 'running' ? connection.state.pid : undefined;
      await connection.restart();
      assert.equal(connection.state.kind, 'running');
      assert.notEqual(connection.state.pid, before);
    });

    test(`close ends a server that is ${kind} for good`, async () => {
      const connection = await connectionIn();
      await connection.close();
      await assert.rejects(connection.start(), { code: 'notRunning' });
      assert.equal(connection.state.kind, 'stopped');
    });
  }

  test('a start that is stopped counts as cancelled, not as failed', async () => {
    const connection = bed.connection(stdioServer(['-e', 'process.stdin.resume()']));
    const start = connection.start();
    await connection.stop();
    await assert.rejects(start, CancellationError);
    assert.equal(connection.state.kind, 'stopped');
  });

  test('the last request counts when a server is stopped, started and stopped at once', async () => {
    const connection = bed.connection(legacyServer());
    await connection.start();
    const stop = connection.stop();
    const start = connection.start();
    await Promise.all([stop, connection.stop(), assert.rejects(start, CancellationError)]);
    assert.equal(connection.state.kind, 'stopped');
  });

  test('a stop ends the wait for an HTTP+SSE endpoint that never comes', async () => {
    const server = bed.endLater(
      await serve('/mcp', (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
      ),
    );
    const connection = bed.connection(httpServer(server.url, { type: 'sse' }));
    const start = connection.start();
    await Promise.all([connection.stop(), assert.rejects(start, CancellationError)]);
  });

  test('the states of a whole life come in their order', async () => {
    const connection = bed.connection(legacyServer());
    const kinds: string[] = [];
    connection.onDidChangeState(({ kind }) => kinds.push(kind));
    await connection.start();
    await connection.stop();
    assert.deepEqual(kinds, ['starting', 'running', 'stopping', 'stopped']);
    assert.equal(connection.catalogue, undefined);
    await assert.rejects(connection.callTool('echo', {}), { code: 'notRunning' });
  });
});
