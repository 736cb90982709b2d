import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { GatewayEndpoint } from '../../../../src/host/gateway/gateway.ts';
import { legacyServer } from '../../support/definitions.ts';
import { GatewayBed } from '../../support/gatewayBed.ts';
import { untilSeen } from '../../support/until.ts';

const server = legacyServer([], { name: 'files' });
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});
const accept = 'application/json, text/event-stream';

suite('The gateway under attack', () => {
  let bed: GatewayBed;
  let endpoint: GatewayEndpoint;
  setup(async () => {
    bed = new GatewayBed({ bodyBytes: 10_000, requestMs: 500 });
    endpoint = await bed.serve(server);
  });
  teardown(() => bed.close());

  interface Attempt {
    readonly headers?: Readonly<Record<string, string>>;
    readonly path?: string;
    readonly method?: string;
    readonly body?: string;
  }

  async function attempt({ headers = {}, path, method = 'POST', body = initialize }: Attempt = {}) {
    const url = new URL(endpoint.url);
    const options: RequestOptions = {
      host: url.hostname,
      port: url.port,
      path: path ?? url.pathname,
      method,
      headers: { ...endpoint.headers, accept, 'content-type': 'application/json', ...headers },
    };
    const request = httpRequest(options);
    request.end(method === 'POST' ? body : undefined);
    const [response] = await once(request, 'response');
    return { status: response.statusCode as number, headers: response.headers, body: await text(response) };
  }

  test('serves a client with the token', async () => {
    const { status, body } = await attempt();
    assert.equal(status, 200);
    assert.match(body, /"name":"files"/);
  });

  const wrong: Readonly<Record<string, readonly [number, Attempt]>> = {
    'without the token': [404, { headers: { Authorization: '' } }],
    'with a wrong token': [404, { headers: { Authorization: `Bearer ${'A'.repeat(43)}` } }],
    'with the token in other words': [404, { headers: { Authorization: 'Basic x' } }],
    'with a token of other letters': [404, { headers: { Authorization: `Bearer ${'é'.repeat(43)}` } }],
    'of a web page': [403, { headers: { Origin: 'https://example.com' } }],
    'of a web page that hides': [403, { headers: { Origin: 'null' } }],
    'of a page on this machine': [403, { headers: { Origin: 'http://localhost:3000' } }],
    'to a name that leads here': [403, { headers: { Host: 'evil.example:80' } }],
    'to another port': [403, { headers: { Host: '127.0.0.1:1' } }],
    'to no server': [404, { path: '/none' }],
    'with a body that is no JSON': [400, { body: '{"jsonrpc":' }],
    'with an empty body': [400, { body: '' }],
    'with a body that is too large': [413, { body: JSON.stringify('x'.repeat(20_000)) }],
    'in an unknown session': [404, { headers: { 'mcp-session-id': 'x' }, method: 'GET' }],
    'in no session': [400, { method: 'DELETE' }],
    'with a body that is no message': [400, { body: '42' }],
    'of a type that is no JSON': [415, { headers: { 'content-type': 'text/plain' } }],
    'by another method': [400, { method: 'PUT' }],
  };
  for (const [name, [status, given]] of Object.entries(wrong)) {
    test(`turns away a request ${name} with ${status}, and goes on`, async () => {
      const answer = await attempt(given);
      assert.equal(answer.status, status);
      assert.equal(answer.headers['www-authenticate'], undefined);
      assert.equal((await attempt()).status, 200);
    });
  }

  test('cuts off a body without a length that is too large', async () => {
    const { port, pathname } = new URL(endpoint.url);
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path: pathname,
      method: 'POST',
      headers: { ...endpoint.headers, accept, 'content-type': 'application/json' },
    });
    request.on('error', () => {});
    request.write('"');
    const filling = setInterval(() => request.write('x'.repeat(5_000)), 1);
    const [response] = await once(request, 'response');
    clearInterval(filling);
    request.destroy();
    assert.equal(response.statusCode, 413);
  });

  for (const [what, sent] of [
    ['head', 'POST / HTTP/1.1\r\nHost:'],
    ['body', 'rest'],
  ] as const) {
    test(`ends a connection whose ${what} does not come to its end`, async () => {
      const { port, pathname, host } = new URL(endpoint.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      const closed = once(socket, 'close');
      socket.write(
        sent === 'rest'
          ? `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${endpoint.headers.Authorization}\r\nContent-Length: 100\r\n\r\n{`
          : sent,
      );
      await closed;
    });
  }

  test('lets an answer take longer than a request may', async () => {
    const client = await bed.client(endpoint, 'legacy');
    const { content } = await client.callTool({ name: 'slow', arguments: { ms: 1_200, everyMs: 400 } });
    assert.deepEqual(content, [{ type: 'text', text: 'done' }]);
  });

  test('ends the oldest session when there are too many', async () => {
    const sessions: string[] = [];
    for (let opened = 0; opened < 40; opened += 1) {
      sessions.push(String((await attempt()).headers['mcp-session-id']));
    }
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    const statusOf = async (id: string | undefined) =>
      (await attempt({ body: ping, headers: { 'mcp-session-id': id ?? '' } })).status;
    assert.equal(await statusOf(sessions[0]), 404);
    assert.equal(await statusOf(sessions.at(-1)), 200);
  });

  test('ends every open answer when it is closed', async () => {
    const client = await bed.client(endpoint, 'legacy');
    const failed = assert.rejects(client.callTool({ name: 'silent', arguments: {} }));
    await untilSeen(() => bed.recorded.booked.length === 1, 'the tool is called');
    await bed.gateway.close();
    await client.close();
    await failed;
    await assert.rejects(fetch(endpoint.url));
  });
});
