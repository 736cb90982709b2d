import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { serve, serveStatus, type HttpServer } from '../../../../fixtures/servers/httpServers.ts';
import { legacyScript } from '../../../../fixtures/servers/legacyScript.ts';
import { ScriptedPeer, jsonOf, type Message } from '../../../../fixtures/servers/peer/scriptedPeer.ts';
import { ConnectionBed, namesOf, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { until, untilSeen, untilState } from '../../../support/until.ts';

/** HTTP+SSE of 2024-11-05, where each stream is a session of its own. */
class SseSessions {
  readonly #peers = new Map<string, ScriptedPeer>();
  readonly streams: ServerResponse[] = [];
  /** What is posted for a session that it does not know is answered so. */
  unknown: [number, string] = [404, 'Could not find session'];
  retryAfter: string | undefined;
  /** The methods that were posted without success. */
  readonly refused: string[] = [];
  /** As which event a message is written. */
  write = (message: object): string => `data: ${jsonOf(message)}\n\n`;
  endpoint = (session: string): string => `/message?sessionId=${session}`;

  serve(): Promise<HttpServer> {
    return serve('/sse', (request, response, body) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      if (request.method === 'GET') {
        return this.#start(response);
      }
      const peer = this.#peers.get(searchParams.get('sessionId') ?? '');
      if (pathname === '/message' && peer) {
        response.writeHead(202).end();
        return peer.receive(JSON.parse(body) as Message);
      }
      if (pathname !== '/message') {
        return response.writeHead(405).end();
      }
      this.refused.push(String((JSON.parse(body) as Message).method));
      return response
        .writeHead(this.unknown[0], this.retryAfter === undefined ? {} : { 'retry-after': this.retryAfter })
        .end(this.unknown[1]);
    });
  }

  forget(): void {
    this.#peers.clear();
  }

  #start(response: ServerResponse): void {
    const session = `session-${this.streams.length}`;
    this.streams.push(response);
    this.#peers.set(
      session,
      new ScriptedPeer(legacyScript(), (message) => response.write(this.write(message))),
    );
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${this.endpoint(session)}\n\n`);
  }
}

suite('A server over HTTP+SSE', () => {
  let bed: ConnectionBed;
  let sessions: SseSessions;
  setup(() => {
    bed = new ConnectionBed();
    sessions = new SseSessions();
  });
  teardown(() => bed.close());

  async function connection(tries = 3): Promise<ServerConnection> {
    const { url } = bed.endLater(await sessions.serve());
    const backoff = { firstMs: 1, maxMs: 1, tries, stableMs: 60_000 };
    return bed.connection(httpServer(url, { type: 'sse' }), { backoff });
  }

  for (const [how, end] of [
    ['ends', (stream: ServerResponse) => stream.end()],
    ['breaks off', (stream: ServerResponse) => stream.destroy()],
  ] as const) {
    test(`is reached again when its stream ${how}, and open requests are lost at once`, async () => {
      const one = await connection();
      await one.start();
      const call = one.callTool('silent', {});
      call.catch(() => {});
      assert.equal(await textOf(one.callTool('echo', { text: 'Hello' })), 'Hello');
      const [stream] = sessions.streams;
      assert.ok(stream);
      end(stream);
      await assert.rejects(call, { code: 'lost' });
      await until(
        () => one.state.kind === 'running' && sessions.streams.length === 2,
        'it runs again',
        one.onDidChangeState,
      );
      assert.equal(await textOf(one.callTool('echo', { text: 'Hello' })), 'Hello');
      assert.equal(sessions.streams.length, 2);
    });
  }

  for (const unknown of [
    [404, 'Could not find session'],
    [400, 'No transport found for sessionId'],
  ] as [number, string][]) {
    test(`is reached again when it answers ${unknown[0]}, "${unknown[1]}"`, async () => {
      sessions.unknown = unknown;
      const one = await connection();
      await one.start();
      sessions.forget();
      await one.callTool('echo', { text: 'Hello' }).catch(() => {});
      await until(
        () => one.state.kind === 'running' && sessions.streams.length === 2,
        'it runs again',
        one.onDidChangeState,
      );
      assert.equal(await textOf(one.callTool('echo', { text: 'Hello' })), 'Hello');
      assert.ok(!bed.logger.has('session-0'));
    });
  }

  test('says why it failed when its stream ends before it named an endpoint', async () => {
    const { url } = bed.endLater(
      await serve('/sse', (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': hello\n\n'),
      ),
    );
    const start = bed.connection(httpServer(url, { type: 'sse' })).start();
    await assert.rejects(start, { code: 'unreachable', message: 'the server closed its event stream' });
  });

  test('is refused if its endpoint is at another origin', async () => {
    const other = bed.endLater(
      await serve('/message', (_request, response) => response.writeHead(202).end()),
    );
    sessions.endpoint = () => other.url;
    const one = await connection(0);
    const { origin } = new URL(other.url);
    await assert.rejects(one.start(), {
      code: 'protocol',
      message: `the server asks for its messages at another origin, ${origin}, which is not allowed`,
    });
    assert.deepEqual(other.requests, []);
  });

  test('sends batches', async () => {
    sessions.write = (message) => `data: [1,${jsonOf(message)}]\n\n`;
    const one = await connection();
    await one.start();
    assert.ok(namesOf(one.catalogue?.tools).includes('echo'));
    assert.equal(await textOf(one.callTool('echo', { text: 'Hello' })), 'Hello');
  });

  for (const [status, headers, message] of [
    [500, {}, 'the server refused with status 500: the problem is on the server'],
    [429, {}, 'the server refused with status 429: too many requests'],
    [
      403,
      { Authorization: 'Bearer secret' },
      'the server refused with status 403: the Authorization header of its definition does not allow this; check or replace it',
    ],
  ] as const) {
    test(`says that it refused a POST with ${status}`, async () => {
      sessions.unknown = [status, ''];
      sessions.endpoint = () => '/message';
      const { url } = bed.endLater(await sessions.serve());
      const start = bed.connection(httpServer(url, { type: 'sse', headers: { ...headers } })).start();
      await assert.rejects(start, new HostError('refused', message, { status }));
    });
  }

  test('is reported to refuse the Authorization header if it does so for its stream', async () => {
    const { url } = bed.endLater(await serveStatus(401));
    const headers = { Authorization: 'Bearer secret' };
    await assert.rejects(bed.connection(httpServer(url, { type: 'sse', headers })).start(), {
      status: 401,
      message:
        'the server refused with status 401: it does not accept the Authorization header of its definition; check or replace it',
    });
  });

  test('never gets a call that was cancelled while it had to wait', async () => {
    const one = await connection();
    await one.start();
    sessions.unknown = [503, ''];
    sessions.retryAfter = '1';
    sessions.forget();
    const abort = new AbortController();
    const call = one.callTool('echo', { text: 'Hello' }, {}, abort.signal);
    await untilSeen(() => sessions.refused.includes('tools/call'), 'it was refused');
    abort.abort();
    await assert.rejects(call, CancellationError);
    await untilSeen(
      () => sessions.refused.filter((method) => method === 'notifications/cancelled').length > 1,
      'it waited',
    );
    assert.equal(sessions.refused.filter((method) => method === 'tools/call').length, 1);
  });

  test('leaves nothing open when it is stopped', async () => {
    const one = await connection();
    await one.start();
    await one.stop();
    await untilSeen(() => sessions.streams.every((stream) => stream.closed), 'its stream is closed');
    assert.equal(one.state.kind, 'stopped');
  });

  test('is not tried again after its address is gone for good', async () => {
    const server = await sessions.serve();
    const one = bed.connection(httpServer(server.url, { type: 'sse' }), {
      backoff: { firstMs: 1, maxMs: 1, tries: 2, stableMs: 60_000 },
    });
    await one.start();
    await server.close();
    await untilState(one, 'failed');
    assert.equal(one.state.kind === 'failed' && one.state.reason.code, 'unreachable');
  });
});
