import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { HttpLife } from '../../../../../src/host/transport/http/httpLife.ts';
import { jsonAnswer } from '../../../../../src/host/transport/http/jsonAnswer.ts';

const answer = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } } as const;

suite('A response in JSON', () => {
  let life: HttpLife;
  let handed: JSONRPCMessage[];
  setup(() => {
    life = new HttpLife();
    handed = [];
    life.onMessage = (message) => handed.push(message);
  });

  const answered = (method: string, message: unknown): Promise<Response> =>
    jsonAnswer({ id: 1, method }, Response.json(message, { headers: { 'mcp-session-id': 'one' } }), life);

  test('needs no stream, and its message comes after its headers', async () => {
    const response = await answered('initialize', answer);
    assert.equal(response.body, null);
    assert.equal(response.status, 202);
    assert.equal(response.headers.get('mcp-session-id'), 'one');
    assert.deepEqual(handed, [], 'the SDK has not seen the session yet');
    await turn();
    assert.deepEqual(handed, [answer]);
  });

  test('has a stream that ends after its message, if the request ends with it', async () => {
    const response = await answered('subscriptions/listen', answer);
    assert.notEqual(response.body, null);
    assert.equal(await response.text(), '');
    assert.deepEqual(handed, [answer]);
  });

  test('fails the request if it has no message for it', async () => {
    const waiting = life.answerTo(1);
    await answered('tools/call', { ...answer, id: 2 });
    await assert.rejects(waiting, { code: 'lost' });
    assert.deepEqual(handed, [{ ...answer, id: 2 }]);
  });
});
