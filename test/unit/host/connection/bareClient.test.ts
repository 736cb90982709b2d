import assert from 'node:assert/strict';
import { Client, InMemoryTransport, SdkErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * What the SDK's client does by itself. When one of these fails after an update, what is done about it here can
 * go: see `PersonPause`, `sendRequest`, `tapTransport` and `OpenRequests`.
 */
suite('The client of the SDK alone', () => {
  let client: Client;
  let server: InMemoryTransport;
  let errors: string[];
  setup(async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    server = far;
    errors = [];
    client = new Client({ name: 'bare', version: '1' }, { capabilities: { roots: {} } });
    client.onerror = ({ message }) => errors.push(message);
    const initialized = answerNext('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1' },
    });
    await client.connect(near);
    await initialized;
  });
  teardown(() => client.close());

  function received(method: string): Promise<{ readonly id: number; readonly params: unknown }> {
    return new Promise((resolve) => {
      server.onmessage = (message) => {
        if ('method' in message && message.method === method) {
          resolve(message as never);
        }
      };
    });
  }

  async function answerNext(method: string, result: object): Promise<void> {
    const { id } = await received(method);
    await send({ jsonrpc: '2.0', id, result });
  }

  const send = (message: object): Promise<void> => server.send(message as JSONRPCMessage);
  const call = (more: object): Promise<unknown> => client.callTool({ name: 'any', arguments: {} }, more);
  const codeOf = (settled: Promise<unknown>): Promise<unknown> =>
    settled.then(
      () => 'answered',
      (error: unknown) => (error as { code?: unknown }).code,
    );

  test('counts the time in which the person is asked against the call that waits for it', async () => {
    const person = Promise.withResolvers<void>();
    client.setRequestHandler('roots/list', async () => {
      await person.promise;
      return { roots: [] };
    });
    const calling = received('tools/call');
    const ended = codeOf(call({ timeout: 100 }));
    await calling;
    await send({ jsonrpc: '2.0', id: 'theirs', method: 'roots/list' });
    assert.equal(await ended, SdkErrorCode.RequestTimeout);
    person.resolve();
  });

  test('has one code for a call that was cancelled and one that ran out of time', async () => {
    const abort = new AbortController();
    const cancelled = codeOf(call({ signal: abort.signal }));
    abort.abort();
    assert.equal(await cancelled, SdkErrorCode.RequestTimeout);
    assert.equal(await codeOf(call({ timeout: 1 })), SdkErrorCode.RequestTimeout);
  });

  test('loses the progress that comes together with the answer, and complains of it', async () => {
    const calling = received('tools/call');
    const steps: unknown[] = [];
    const ended = call({ onprogress: (step: unknown) => steps.push(step) });
    const { id } = await calling;
    void send({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: id, progress: 1 },
    });
    void send({ jsonrpc: '2.0', id, result: { content: [] } });
    await ended;
    assert.deepEqual(steps, []);
    assert.match(errors.join(), /unknown token/);
  });

  test('complains of an answer that comes too late', async () => {
    await send({ jsonrpc: '2.0', id: 4_711, result: { content: [] } });
    assert.match(errors.join(), /unknown message ID/);
  });
});
