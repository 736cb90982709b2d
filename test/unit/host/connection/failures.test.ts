import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { ConnectionContext } from '../../../../src/host/connection/connectionContext.ts';
import { fullText, HostError } from '../../../../src/host/errors/hostError.ts';
import type { ProcessRegistry } from '../../../../src/host/processes/processRegistry.ts';
import { serve, serveSilence, serveStatus } from '../../../fixtures/servers/httpServers.ts';
import { ConnectionBed } from '../../support/connectionBed.ts';
import { httpServer, legacyServer, stdioServer } from '../../support/definitions.ts';
import { readyIn } from '../../support/launches.ts';
import { isAlive } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

suite('A server that fails says why', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function failureOf(
    definition: ServerDefinition,
    context: Partial<ConnectionContext> = {},
  ): Promise<HostError> {
    const connection = bed.connection(definition, context);
    const failure = await connection.start().then(
      () => assert.fail('it started'),
      (error: unknown) => error,
    );
    assert.ok(failure instanceof HostError, String(failure));
    assert.deepEqual(connection.state, { kind: 'failed', reason: failure });
    const logged = fullText(failure).replaceAll('\n', '\n    ');
    assert.ok(bed.logger.has(`error: Failed: ${logged}`));
    return failure;
  }

  test('when its command is not found: with the PATH that was searched', async () => {
    const { code, message, detail } = await failureOf(stdioServer([], { command: 'no-such-command' }));
    assert.equal(code, 'commandNotFound');
    assert.equal(message, "the command 'no-such-command' was not found");
    assert.equal(detail, `Searched PATH: ${process.env['PATH'] ?? ''}`);
  });

  test('when its command is not found: with the PATH of the definition if it has one', async () => {
    const { detail } = await failureOf(
      stdioServer([], { command: 'no-such-command', env: { PATH: '/nowhere' } }),
    );
    assert.equal(detail, 'Searched PATH: /nowhere');
  });

  test('when its command is a path to nothing: with the directory it was seen from', async () => {
    const { code, message, detail } = await failureOf(stdioServer([], { command: './no/such' }));
    assert.equal(code, 'commandNotFound');
    assert.equal(message, "the command './no/such' was not found");
    assert.equal(detail, `Relative to ${bed.directory}`);
  });

  test('when its command is not a program', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const file = path.join(bed.directory, 'text');
    writeFileSync(file, 'text');
    chmodSync(file, 0o644);
    const { code, message } = await failureOf(stdioServer([], { command: file }));
    assert.equal(code, 'spawnFailed');
    assert.equal(message, `you have no permission to run the command '${file}'`);
  });

  test('when its working directory does not exist', async () => {
    const missing = path.join(bed.directory, 'missing');
    const { code, message } = await failureOf(legacyServer(), { admit: readyIn(missing) });
    assert.equal(code, 'workingDirectoryMissing');
    assert.equal(message, `its working directory does not exist: ${missing}`);
  });

  test('when its process exits: with the code and the error message on stderr', async () => {
    const { code, message, detail } = await failureOf(
      legacyServer(['--exit=3', '--stderr=1\n2\n\n3\nno license']),
    );
    assert.equal(code, 'exited');
    assert.equal(message, 'it exited with code 3: no license');
    assert.match(detail ?? '', /output:\n1\n2\n3\nno license$/);
  });

  test('when its process exits before anything is sent to it: with the same', async function () {
    if (process.platform !== 'linux') {
      this.skip(); // nothing tells here that a process has ended before Node handles its end
    }
    const whenEnded: ProcessRegistry = {
      add(pid) {
        while (isAlive(pid)) {
          // This process does nothing else until then, as on a busy machine.
        }
        return { end: (endGroup) => endGroup() };
      },
    };
    const { code, message } = await failureOf(legacyServer(['--exit=3', '--stderr=no license']), {
      processes: whenEnded,
    });
    assert.equal(code, 'exited');
    assert.equal(message, 'it exited with code 3: no license');
  });

  test('when its process is ended by a signal', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const { message } = await failureOf(stdioServer(['-e', 'process.kill(process.pid, "SIGKILL")']));
    assert.equal(message, 'it was ended by SIGKILL');
  });

  test('when its process never answers', async () => {
    const { code, message } = await failureOf(
      stdioServer(['-e', 'process.stdin.resume()'], { timeout: 300 }),
    );
    assert.equal(code, 'timedOut');
    assert.equal(message, 'the server did not answer within 0.3 s');
  });

  test('when no program listens at its address', async () => {
    const server = await serveStatus(200);
    await server.close();
    const { code, message } = await failureOf(httpServer(server.url));
    assert.equal(code, 'unreachable');
    assert.equal(message, 'the server could not be reached: no server listens at its address (ECONNREFUSED)');
  });

  test('when its host does not exist', async () => {
    const { code, message } = await failureOf(httpServer('http://no-such-host.invalid/mcp'));
    assert.equal(code, 'unreachable');
    assert.match(message, /^the server could not be reached: its host was not found \(E[A-Z_]+\)$/);
  });

  test('when its address never answers', async () => {
    const { url } = bed.endLater(await serveSilence());
    const { code } = await failureOf(httpServer(url, { timeout: 300 }));
    assert.equal(code, 'timedOut');
  });

  test('when its HTTP+SSE stream never names an endpoint', async () => {
    const { url } = bed.endLater(
      await serve('/mcp', (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
      ),
    );
    const { code } = await failureOf(httpServer(url, { type: 'sse', timeout: 300 }));
    assert.equal(code, 'timedOut');
  });

  for (const [status, advice] of [
    [401, ': it requires authorization; add an Authorization header to its definition'],
    [403, ': check the headers of its definition'],
    [404, ': check the address of its definition'],
    [400, ''],
    [405, ': there is no MCP server at the address of its definition'],
    [429, ': too many requests'],
    [500, ': the problem is on the server'],
    [503, ': the problem is on the server'],
  ] as const) {
    test(`when its address answers with status ${status}`, async () => {
      const { url } = bed.endLater(await serveStatus(status));
      const failure = await failureOf(httpServer(url));
      assert.equal(failure.code, 'refused');
      assert.equal(failure.status, status);
      assert.equal(failure.message, `the server refused with status ${status}${advice}`);
    });
  }

  for (const [what, status, type, body, expected] of [
    [
      'a web page',
      200,
      'text/html',
      '<title>Welcome</title>',
      'the server does not answer as an MCP server: Unexpected content type: text/html',
    ],
    [
      'JSON that is no MCP',
      200,
      'application/json',
      '{"hello":"world"}',
      'the server does not answer as an MCP server: its answer is not a valid message',
    ],
    [
      '202 to everything',
      202,
      'text/plain',
      '',
      'the server only acknowledged the request (status 202), so no answer will come',
    ],
  ] as const) {
    test(`when its address answers with ${what}`, async () => {
      const { url } = bed.endLater(await serveStatus(status, type, body));
      const { message } = await failureOf(httpServer(url, { timeout: 300 }));
      assert.equal(message, expected);
    });
  }
});
