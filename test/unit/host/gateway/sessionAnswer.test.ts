import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { SessionAnswer } from '../../../../src/host/gateway/sessionAnswer.ts';

const result = { jsonrpc: '2.0', id: 1, result: {} } as const;

suite('An answer in a session', () => {
  let server: Server;
  setup(async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  teardown(() => {
    mock.timers.reset();
    server.close();
    server.closeAllConnections();
  });

  async function asked() {
    const { port } = server.address() as AddressInfo;
    const response = fetch(`http://127.0.0.1:${port}/`);
    const [, answering] = (await once(server, 'request')) as [unknown, ServerResponse];
    return { response, answer: new SessionAnswer(answering, 'its session') };
  }

  test('is JSON if nothing was sent before its end', async () => {
    const { response, answer } = await asked();
    mock.timers.tick(14_999);
    answer.end(result);
    assert.deepEqual(await (await response).json(), result);
  });

  test('begins after a while, and gives a sign of life again and again', async () => {
    const { response, answer } = await asked();
    mock.timers.tick(15_000);
    const { headers, body } = await response;
    assert.equal(headers.get('content-type'), 'text/event-stream');
    assert.equal(headers.get('mcp-session-id'), 'its session');
    mock.timers.tick(15_000);
    answer.end(result);
    mock.timers.tick(30_000);
    const text = await new Response(body).text();
    assert.equal(text, `: keepalive\n\n: keepalive\n\nevent: message\ndata: ${JSON.stringify(result)}\n\n`);
  });
});
