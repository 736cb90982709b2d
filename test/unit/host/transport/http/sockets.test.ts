import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream';
import {
  serveModern,
  serveSse,
  serveStatus,
  serveStreamableHttp,
} from '../../../../fixtures/servers/httpServers.ts';
import type { HttpServer } from '../../../../fixtures/servers/serve.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { SignInBed } from '../../../support/signInBed.ts';

suite('A server that listens on a socket', function () {
  let bed: ConnectionBed;
  let folder: string;
  let sockets: Server[];
  suiteSetup(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
  });
  setup(() => {
    bed = new ConnectionBed();
    folder = mkdtempSync(path.join(tmpdir(), 'mcp-socket-'));
    sockets = [];
  });
  teardown(async () => {
    await bed.close();
    sockets.forEach((socket) => socket.close());
    rmSync(folder, { recursive: true });
  });

  /** Has a server reached by a socket, too, and gives its address there. */
  async function onSocket(served: HttpServer): Promise<string> {
    const { port, pathname } = new URL(bed.endLater(served).url);
    const place = path.join(folder, `${sockets.length}.sock`);
    const socket = createServer((inner) => {
      const outer = connect(Number(port), '127.0.0.1');
      pipeline(inner, outer, () => {});
      pipeline(outer, inner, () => {});
    });
    sockets.push(socket);
    await once(socket.listen(place), 'listening');
    return `unix://${place}#${pathname}`;
  }

  for (const [what, serve] of [
    ['2025-11-25', serveStreamableHttp],
    ['2026-07-28', serveModern],
    ['HTTP+SSE', serveSse],
  ] as const) {
    test(`answers calls over ${what}`, async () => {
      const served = await serve();
      const connection = bed.connection(httpServer(await onSocket(served)));
      await connection.start();
      assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
      assert.ok(served.requests.length > 1);
    });
  }

  test('fails when it wants a sign-in, and says what to do instead', async () => {
    const window = new SignInBed();
    const definition = httpServer(await onSocket(await serveStatus(401)));
    window.start(definition);
    await window.hosts.until(definition, 'failed');
    const { state } = window.hosts.of(definition);
    assert.equal(
      state.kind === 'failed' && state.reason.message,
      'the server refused with status 401: it requires authorization; add an Authorization header to its definition',
    );
    assert.deepEqual(window.asked, []);
    await window.close();
  });

  test('fails with a sentence when there is no socket', async () => {
    const connection = bed.connection(httpServer(`unix://${folder}/none.sock`));
    await assert.rejects(connection.start(), {
      code: 'unreachable',
      message: 'the server could not be reached: there is no socket at its address (ENOENT)',
    });
  });
});
