import assert from 'node:assert/strict';
import { serveAndClose } from '../../../fixtures/servers/closingHttp.ts';
import { serveScripted } from '../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';
import { untilState } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

const tool = { name: 'echo', inputSchema: { type: 'object' } };

/** Answers what a start asks for, and does something with stdin when it is asked for its tools, or for a call. */
const closingStdin = (when: 'tools/list' | 'tools/call', how: string): string => `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools: [${JSON.stringify(tool)}] },
    };
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
    const done = () => method === '${when}' && (${how});
    if (id === undefined || method === 'tools/call') return done();
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n', done);
  });
  setInterval(() => {}, 1_000);`;

suite('A call that cannot be answered', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  for (const [when, what, message] of [
    [
      'tools/list',
      'has closed its stdin',
      /^(the server closed its stdin and no longer accepts messages|the connection ended before the server answered)$/,
    ],
    ['tools/call', 'closes its stdin over it', /^the connection ended before the server answered$/],
  ] as const) {
    test(`fails at once when the server ${what} and runs on`, async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const server = stdioServer(['-e', closingStdin(when, `require('node:fs').closeSync(0)`)]);
      const connection = bed.connection(server, { requestTimeout: () => 40_000 });
      await connection.start();
      await assert.rejects(connection.callTool('echo', {}), { code: 'lost', message });
      await untilState(connection, 'failed');
      assert.equal(
        connection.state.kind === 'failed' && connection.state.reason.message,
        'it closed its stdin, so it no longer accepts requests',
      );
    });
  }

  test('is waited for while the server only takes its time to read', async () => {
    const slow = `
      const { stdin } = process;
      require('node:readline').createInterface({ input: stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id === undefined) return;
        const results = {
          initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
          'tools/list': { tools: [${JSON.stringify(tool)}] },
          'tools/call': { content: [{ type: 'text', text: 'late' }] },
        };
        const result = results[method];
        const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
        const write = () => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
        if (method !== 'tools/call') return write();
        stdin.pause();
        setTimeout(write, 3_500);
      });`;
    const connection = bed.connection(stdioServer(['-e', slow]));
    await connection.start();
    assert.equal(await textOf(connection.callTool('echo', {})), 'late');
    assert.equal(connection.state.kind, 'running');
  });

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    test(`fails at once when the server answers it with 202 (${revision})`, async () => {
      const server = bed.endLater(await serveScripted({}, { revision }));
      const connection = bed.connection(httpServer(server.url), { requestTimeout: () => 40_000 });
      await connection.start();
      server.script['tools/call'] = ({ response }) => response.writeHead(202).end();
      await assert.rejects(connection.callTool('echo', {}), {
        code: 'protocol',
        message: 'the server only acknowledged the request (status 202), so no answer will come',
      });
      assert.equal(connection.state.kind, 'running');
      assert.equal(server.received('tools/call').length, 1);
    });
  }

  test('makes a start fail at once that is answered with 202', async () => {
    const server = bed.endLater(
      await serveScripted({
        'server/discover': ({ response }) => response.writeHead(202).end(),
        initialize: ({ response }) => response.writeHead(202).end(),
      }),
    );
    const connection = bed.connection(httpServer(server.url), { requestTimeout: () => 40_000 });
    await assert.rejects(connection.start(), {
      code: 'protocol',
      message: 'the server only acknowledged the request (status 202), so no answer will come',
    });
    assert.equal(server.received('initialize').length, 1);
  });
});

suite('A server over HTTP that closes each connection behind its answer', () => {
  for (const how of ['ends', 'resets'] as const) {
    test(`gets every request, each once, when it ${how} it`, async () => {
      const results: Readonly<Record<string, unknown>> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        },
        'tools/list': { tools: [tool] },
        'tools/call': { content: [{ type: 'text', text: 'Hello' }] },
      };
      const server = await serveAndClose(how, (body) => {
        if (body === '') {
          return [405, ''];
        }
        const { id, method } = JSON.parse(body) as { readonly id?: number; readonly method: string };
        const result = results[method];
        const answer = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
        return id === undefined ? [202, ''] : [200, JSON.stringify({ jsonrpc: '2.0', id, ...answer })];
      });
      const bed = new ConnectionBed();
      try {
        const connection = bed.connection(httpServer(server.url));
        await connection.start();
        for (let calls = 0; calls < 20; calls += 1) {
          assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
        }
        const heard = server.received
          .filter((body) => body !== '')
          .map((body) => (JSON.parse(body) as { readonly method: string }).method);
        assert.equal(heard.filter((method) => method === 'initialize').length, 1);
        assert.equal(heard.filter((method) => method === 'tools/call').length, 20);
      } finally {
        await bed.close();
        server.close();
      }
    });
  }
});
