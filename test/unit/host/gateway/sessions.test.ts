import assert from 'node:assert/strict';
import { isRecord } from '../../../../src/base/values/record.ts';
import type { GatewayEndpoint } from '../../../../src/host/gateway/gateway.ts';
import { receivedBy } from '../../support/connectionBed.ts';
import { legacyServer } from '../../support/definitions.ts';
import { GatewayBed } from '../../support/gatewayBed.ts';
import { untilSeen } from '../../support/until.ts';

const server = legacyServer([], { name: 'files' });
const json = 'application/json';
const events = 'text/event-stream';

suite('A session of the gateway', () => {
  let bed: GatewayBed;
  let endpoint: GatewayEndpoint;
  let session: string;
  setup(async () => {
    bed = new GatewayBed();
    endpoint = await bed.serve(server);
    const answer = await post(initialize(1), { 'mcp-session-id': '' });
    session = answer.headers.get('mcp-session-id') ?? assert.fail('there is no session');
    await answer.text();
    assert.equal((await post({ method: 'notifications/initialized' })).status, 202);
  });
  teardown(() => bed.close());

  const initialize = (id: number) => ({
    id,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  });
  const call = (id: number, name: string, args: object = {}, progressToken?: string) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: args, ...(progressToken !== undefined && { _meta: { progressToken } }) },
  });
  const echo = (id: number) => call(id, 'echo', { text: `${id}` }, `t${id}`);
  const written = (message: object) => ({ jsonrpc: '2.0', ...message });

  /** Sends one message, or several in a batch. */
  function post(
    sent: object | readonly object[],
    headers: Readonly<Record<string, string>> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const body = Array.isArray(sent) ? sent.map(written) : written(sent);
    return request('POST', { 'content-type': json, ...headers }, JSON.stringify(body), signal);
  }

  function request(
    method: string,
    headers: Readonly<Record<string, string>> = {},
    body: string | null = null,
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const own = session === undefined ? {} : { 'mcp-session-id': session };
    const all = Object.entries({ ...endpoint.headers, accept: `${events}, ${json}`, ...own, ...headers });
    const given = Object.fromEntries(all.filter(([, value]) => value !== ''));
    return fetch(endpoint.url, { method, headers: given, body, signal });
  }

  /** The messages of a stream that has ended. */
  async function eventsOf(answer: Response): Promise<readonly Readonly<Record<string, unknown>>[]> {
    assert.equal(answer.headers.get('content-type'), events);
    const blocks = (await answer.text()).split('\n\n').filter(Boolean);
    return blocks.map((block) => {
      const [event, data = '', ...others] = block.split('\n');
      assert.deepEqual([event, others], ['event: message', []]);
      return JSON.parse(data.replace(/^data: /, '')) as Readonly<Record<string, unknown>>;
    });
  }

  const untilCalled = (count: number) =>
    untilSeen(() => bed.recorded.booked.length === count, 'the tools are called');

  test('answers a call without progress in JSON, of a known length, even if progress is wanted', async () => {
    const answer = await post(echo(2));
    assert.equal(answer.headers.get('content-type'), json);
    assert.equal(answer.headers.get('mcp-session-id'), session);
    const body = await answer.text();
    assert.equal(answer.headers.get('content-length'), `${Buffer.byteLength(body)}`);
    assert.deepEqual(JSON.parse(body), {
      jsonrpc: '2.0',
      id: 2,
      result: { content: [{ type: 'text', text: '2' }] },
    });
  });

  test('streams the steps of a call, and its result as the last', async () => {
    const messages = await eventsOf(await post(call(2, 'slow', { ms: 40, everyMs: 10 }, 'steps')));
    const result = messages.at(-1);
    const steps = messages.slice(0, -1);
    assert.equal(result?.['id'], 2);
    assert.notEqual(steps.length, 0);
    for (const { method, params } of steps) {
      assert.equal(method, 'notifications/progress');
      assert.equal(isRecord(params) && params['progressToken'], 'steps');
    }
  });

  test('answers all requests of a batch in one stream', async () => {
    const answer = await post([echo(2), { method: 'notifications/none' }, echo(3)]);
    assert.deepEqual(new Set((await eventsOf(answer)).map(({ id }) => id)), new Set([2, 3]));
    assert.equal(bed.recorded.booked.length, 2);
  });

  test('ends the answer to a call that the client cancels, without a response', async () => {
    const answer = post(call(2, 'silent'));
    await untilCalled(1);
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 2 } };
    assert.equal((await post(cancelled)).status, 202);
    assert.deepEqual(await eventsOf(await answer), []);
    await untilSeen(async () => (await receivedBy(bed.of(server)))['notifications/cancelled'] === 1, 'it is');
  });

  test('cancels all calls of a batch whose client is gone', async () => {
    const gone = new AbortController();
    const answer = post([call(2, 'silent'), call(3, 'silent')], {}, gone.signal);
    await untilCalled(2);
    gone.abort();
    await assert.rejects(answer);
    await untilSeen(
      async () => (await receivedBy(bed.of(server)))['notifications/cancelled'] === 2,
      'both are',
    );
    assert.equal((await post(echo(2))).status, 200);
  });

  test('takes no second request of the same ID while it works on the first', async () => {
    const gone = new AbortController();
    const first = post(call(2, 'silent'), {}, gone.signal);
    await untilCalled(1);
    assert.equal((await post(echo(2))).status, 400);
    assert.equal((await post([echo(3), echo(3)])).status, 400);
    assert.equal(bed.recorded.booked.length, 1);
    gone.abort();
    await assert.rejects(first);
  });

  const refused: Readonly<Record<string, readonly [number, () => Promise<Response>]>> = {
    'that begins it again': [400, () => post(initialize(2))],
    'of which one message is malformed': [400, () => post([echo(2), { id: 3 }])],
    'of no messages': [400, () => post([])],
    'of too many messages': [400, () => post(Array.from({ length: 101 }, (_, id) => echo(id)))],
    'of an unknown revision': [400, () => post(echo(2), { 'mcp-protocol-version': '2020-01-01' })],
    'that takes no JSON': [406, () => post(echo(2), { accept: events })],
    'that takes no stream': [406, () => post(echo(2), { accept: json })],
    'to listen that takes no stream': [406, () => request('GET', { accept: json })],
    'of a type that begins like JSON': [415, () => post(echo(2), { 'content-type': `${json}x` })],
    'by another method': [405, () => request('PUT')],
  };
  for (const [name, [status, attempt]] of Object.entries(refused)) {
    test(`refuses a request ${name} with ${status}, and goes on`, async () => {
      const answer = await attempt();
      assert.equal(answer.status, status);
      const { error } = (await answer.json()) as { readonly error?: { readonly code: number } };
      assert.equal(error?.code, -32_000);
      assert.equal(bed.recorded.booked.length, 0);
      assert.equal((await post(echo(2))).status, 200);
    });
  }

  for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
    test(`takes ${type}`, async () => {
      assert.equal((await post(echo(2), { 'content-type': type })).status, 200);
    });
  }

  test('has one stream for what belongs to no request, and another one once that has ended', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const listening = await request('GET', {}, null, first.signal);
    assert.equal(listening.headers.get('content-type'), events);
    assert.equal((await request('GET')).status, 409);
    first.abort();
    await untilSeen(async () => {
      const again = await request('GET', {}, null, second.signal);
      return again.status === 200;
    }, 'another one is open');
    second.abort();
  });

  test('ends with every answer when its client deletes it', async () => {
    const answer = post(call(2, 'silent'));
    await untilCalled(1);
    const listening = await request('GET');
    assert.equal((await request('DELETE')).status, 200);
    assert.deepEqual(await eventsOf(await answer), []);
    assert.deepEqual(await eventsOf(listening), []);
    assert.equal((await post(echo(3))).status, 404);
  });
});
