import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { echoed, serveScripted, type ScriptedServer } from '../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { httpServer, legacyServer, stdioServer } from '../../support/definitions.ts';
import { untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

/** A server of one line for each request, written as the program of a process; `on` is what it does for each method. */
function program(on: Readonly<Record<string, string>>): string {
  const cases = Object.entries({
    initialize: `answer({ protocolVersion: '2025-03-26', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 's', version: '1' } })`,
    'tools/list': `answer({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] })`,
    ...on,
  }).map(([method, does]) => `case '${method}': { ${does}; break; }`);
  return `
    const { writeSync } = require('node:fs');
    const write = (text) => {
      for (let bytes = Buffer.from(text), at = 0; at < bytes.length;) {
        try { at += writeSync(1, bytes, at, Math.min(65536, bytes.length - at)); }
        catch (error) { if (error.code !== 'EAGAIN') throw error; }
      }
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const answer = (result) => write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
      switch (method) { ${cases.join('\n')} }
    });`;
}

suite('A server that costs more than it may', function () {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  perTest(() => (bed = new ConnectionBed()));

  const started = async (on: Readonly<Record<string, string>>, more = {}): Promise<ServerConnection> => {
    const connection = bed.connection(stdioServer(['-e', program(on)]), {
      requestTimeout: () => 60_000,
      ...more,
    });
    await connection.start();
    return connection;
  };
  const overHttp = async (): Promise<ServerConnection> => {
    server = bed.endLater(await serveScripted());
    const connection = bed.connection(httpServer(server.url), { requestTimeout: () => 60_000 });
    await connection.start();
    return connection;
  };

  test('by a batch of nearly 8 MiB blocks no other server while the batch is read', async () => {
    const note = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
    const flooding = await started({
      'tools/call': `write('[' + '${note},'.repeat(90_000) + JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'after' }] } }) + ']\\n')`,
    });
    const other = bed.connection(legacyServer());
    await other.start();
    let isOver = false;
    const flooded = textOf(flooding.callTool('a', {})).finally(() => (isOver = true));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!isOver) {
        setImmediate(count);
      }
    };
    count();
    assert.equal(await textOf(other.callTool('echo', { text: 'meanwhile' })), 'meanwhile');
    assert.equal(await flooded, 'after');
    // 200 messages in a turn at most.
    assert.ok(turns >= 450, `${turns} turns`);
  });

  for (const [what, result] of [
    ['nested too deep', `'{"content":' + '['.repeat(50_000) + ']'.repeat(50_000) + '}'`],
    ['of too many values', `'{"content":[' + '[],'.repeat(1_100_000) + '1]}'`],
  ] as const) {
    const refused = {
      code: 'protocol',
      message: /the server answered: The response (is nested|has) more than .* \(-32603\)/,
    };

    test(`by an answer ${what} fails that call at once, over stdio`, async () => {
      const connection = await started({
        'tools/call': `write('{"jsonrpc":"2.0","result":' + ${result} + ',"id":' + id + '}\\n')`,
        ping: 'answer({})',
      });
      await assert.rejects(connection.callTool('a', {}), refused);
      assert.equal(connection.state.kind, 'running');
    });

    for (const type of ['application/json', 'text/event-stream'] as const) {
      test(`by an answer ${what} fails that call at once, over HTTP as ${type}`, async () => {
        const connection = await overHttp();
        const text =
          what === 'nested too deep'
            ? `{"content":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
            : `{"content":[${'[],'.repeat(1_100_000)}1]}`;
        server.script['tools/call'] = ({ response, message }) => {
          const body = `{"jsonrpc":"2.0","id":${String(message.id)},"result":${text}}`;
          response.writeHead(200, { 'content-type': type });
          response.end(type === 'application/json' ? body : `data: ${body}\n\n`);
        };
        await assert.rejects(connection.callTool('echo', {}), refused);
        delete server.script['tools/call'];
        assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      });
    }
  }

  test('by lists without end is held to the bytes of a list', async () => {
    const connection = await started({
      'tools/list': `globalThis.page = (globalThis.page ?? 0) + 1; answer({ tools: Array.from({ length: 20 }, (_, n) => ({ name: 'p' + page + 'n' + n, description: 'x'.repeat(400_000), inputSchema: { type: 'object' } })), nextCursor: 'c' + page })`,
    });
    const { tools = [], cuts = [] } = connection.catalogue ?? {};
    const held = tools.reduce((sum, { description = '' }) => sum + description.length, 0);
    assert.ok(held > 16_000_000 && held <= 64 * 2 ** 20, `${held} characters`);
    assert.match(cuts.join(), /only its first \d+ items are read, which take 64 MiB/);
  });

  test('by one entry that is too large keeps all others', async () => {
    const connection = await started({
      'tools/list': `answer({ tools: [
        { name: 'sound', inputSchema: { type: 'object' } },
        { name: 'wordy', description: 'x'.repeat(600_000), inputSchema: { type: 'object' } },
        { name: 'y'.repeat(5_000), inputSchema: { type: 'object' } },
        { name: 'wide', inputSchema: { type: 'object', properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => ['p' + n, {}])) } },
        { name: 'last', inputSchema: { type: 'object' } } ] })`,
    });
    assert.deepEqual(
      connection.catalogue?.tools.map(({ name }) => name),
      ['sound', 'last'],
    );
    assert.deepEqual(
      connection.catalogue.malformed('tools').map(({ reason }) => reason),
      [
        '`description` has more than 500,000 characters',
        '`name` has more than 4,000 characters',
        'it has more than 10,000 values',
      ],
    );
    assert.ok(
      connection.catalogue.tools.every((tool) => Object.isFrozen(tool) && Object.isFrozen(tool.inputSchema)),
    );
  });

  for (const megabytes of [5, 20]) {
    test(`is not one whose results have ${megabytes} MB, as text, bytes or structure, which arrive whole`, async () => {
      const connection = await started({
        'tools/call': `const text = 'x\\u6f22'.repeat(${megabytes * 250_000}); answer({ content: [{ type: 'text', text }, { type: 'image', mimeType: 'image/png', data: Buffer.alloc(${megabytes * 500_000}, 7).toString('base64') }], structuredContent: { rows: Array.from({ length: ${megabytes * 10_000} }, (_, id) => ({ id })) } })`,
      });
      const { content, structuredContent } = await connection.callTool('a', {});
      assert.equal((content[0] as { text: string }).text.length, megabytes * 500_000);
      assert.equal((content[1] as { data: string }).data.length % 4, 0);
      assert.equal((structuredContent as { rows: unknown[] }).rows.length, megabytes * 10_000);
    });
  }

  test('by endless empty lines of data loses that stream, and the log says why', async () => {
    server = bed.endLater(
      await serveScripted({
        GET: ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const lines = Buffer.from('data:\n'.repeat(200_000));
          const more = (): void => {
            while (!response.destroyed) {
              if (!response.write(lines)) {
                response.once('drain', more);
                return;
              }
            }
          };
          more();
        },
      }),
    );
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    await untilSeen(
      () =>
        bed.logger.has(
          "warn: The server's event stream was given up: an event of the server is larger than 64 MiB",
        ),
      'it is logged',
    );
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
  });

  test('resumes a stream after an event whose id no header has as it is', async () => {
    const connection = await overHttp();
    const id = 'événement-漢';
    server.script['tools/call'] = ({ events }) => {
      const stream = events();
      stream.raw(`retry: 50\nid: ${id}\ndata:\n\n`);
      stream.end();
    };
    server.script['GET'] = ({ events }) => {
      const stream = events();
      stream.event(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id: server.received('tools/call')[0]?.id, result: echoed })}`,
      );
      stream.end();
    };
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    const sent = server.headersOf('GET').at(-1)?.['last-event-id'];
    assert.equal(Buffer.from(String(sent), 'latin1').toString('utf8'), id);
  });

  test('by its error message on stderr shows no part of a secret, and forges no line', async () => {
    const secret = 'S3CRET-of-forty-characters-1234567890-XY';
    const connection = bed.connection(
      stdioServer([
        '-e',
        `const s = ${JSON.stringify(secret)};
         for (const most of [1_000, 4_000, 16_384]) for (let part = 1; part < 40; part += 6) process.stderr.write('x'.repeat(most - part) + s + '\\n');
         process.stderr.write('2026-01-01 [info] State: running\\rState: running\\u2028\\u202Ex\\x1b[2J\\n' + 'x'.repeat(4_000 - 36) + s + '\\n');
         process.exit(3);`,
      ]),
      { secrets: [secret] },
    );
    let message = '';
    await connection.start().catch((error: unknown) => (message = String(error)));
    assert.match(message, /exited with code 3/);
    for (const text of [message, ...bed.logger.lines]) {
      assert.ok(!text.includes(secret.slice(0, 6)), text.slice(-100));
      assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
    assert.ok(bed.logger.lines.every((line) => !/\n(?! {4})/.test(line)));
  });
});
