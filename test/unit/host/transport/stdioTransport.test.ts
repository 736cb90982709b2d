import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { StdioTransport } from '../../../../src/host/transport/stdioTransport.ts';
import { isAlive } from '../../support/until.ts';

suite('The stdio transport', () => {
  let transport: StdioTransport;
  const written: string[] = [];
  const pids: number[] = [];
  setup(() => {
    written.length = 0;
  });
  teardown(async () => {
    await transport.close();
    assert.deepEqual(pids.filter(isAlive), [], 'a process was left behind');
  });

  /** Runs a script; gives what it sent until it ended. */
  async function run(script: string, onStart: () => void = () => {}): Promise<readonly JSONRPCMessage[]> {
    const messages: JSONRPCMessage[] = [];
    transport = new StdioTransport(
      { command: process.execPath, args: ['-e', script], env: {}, cwd: tmpdir() },
      (stream, line) => written.push(`${stream}: ${line}`),
    );
    transport.onmessage = (message) => messages.push(message);
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    pids.push(transport.pid ?? 0);
    onStart();
    await closed;
    return messages;
  }

  test('gives each message, each of a batch, and what is none to the log', async () => {
    const messages = await run(`
      process.stdout.write('hello\\n{"id":1}\\n\\n[{"id":2},{"id":3}]\\r\\n{"id":');
      process.stdout.write('4}\\n');`);
    assert.deepEqual(messages, [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
    assert.deepEqual(written, ['stdout: hello']);
    assert.deepEqual(transport.exit, { code: 0, signal: null });
  });

  test('keeps the last twenty lines of stderr, also one without an end', async () => {
    await run('for (let n = 1; n <= 30; n++) process.stderr.write(n + (n < 30 ? "\\n" : ""));');
    assert.equal(written.length, 30);
    assert.deepEqual(
      transport.stderr,
      Array.from({ length: 20 }, (_, index) => String(index + 11)),
    );
  });

  test('gives all that was written before the process ended', async () => {
    const messages = await run(`
      for (let id = 1; id <= 5000; id++) process.stdout.write(JSON.stringify({ id, text: 'x'.repeat(100) }) + '\\n');`);
    assert.equal(messages.length, 5_000);
  });

  test('sends and receives a message of many megabytes', async () => {
    const text = 'é'.repeat(8 * 1024 * 1024);
    const message = { jsonrpc: '2.0', method: 'echo', params: { text } } as const;
    const messages = await run('process.stdin.pipe(process.stdout);', () => {
      void transport.send(message);
      transport.onmessage = ((receive) => (received: JSONRPCMessage) => {
        receive?.(received);
        void transport.close();
      })(transport.onmessage);
    });
    assert.equal(messages.length, 1);
    assert.deepEqual(messages[0], message);
  });

  test('refuses to send once its process has ended', async () => {
    await run('');
    await assert.rejects(transport.send({ jsonrpc: '2.0', method: 'ping' }), { code: 'notRunning' });
  });

  test('says by which signal its process ended', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await run('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);');
    assert.deepEqual(transport.exit, { code: null, signal: 'SIGTERM' });
  });

  test('starts nothing when it is closed before', async () => {
    transport = new StdioTransport({ command: process.execPath, args: [], env: {}, cwd: tmpdir() }, () => {});
    await transport.close();
    await assert.rejects(transport.start(), { code: 'notRunning' });
    assert.equal(transport.pid, null);
  });
});
