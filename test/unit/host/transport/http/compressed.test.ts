import assert from 'node:assert/strict';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  type Gzip,
} from 'node:zlib';
import { echoed, serveScripted, type ScriptedServer } from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { untilSeen } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

interface Coding {
  readonly name: string;
  readonly pack: (text: string | Buffer) => Buffer;
  /** What packs in steps. */
  readonly stream: () => Gzip;
}

const fast = { level: 1, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const codings: Readonly<Record<string, Coding>> = {
  gzip: { name: 'gzip', pack: gzipSync, stream: () => createGzip(fast) },
  'gzip by its old name': { name: 'X-GZip', pack: gzipSync, stream: () => createGzip(fast) },
  deflate: { name: 'deflate', pack: deflateSync, stream: () => createDeflate(fast) },
  'deflate without a header': { name: 'deflate', pack: deflateRawSync, stream: () => createDeflateRaw(fast) },
  Brotli: { name: 'br', pack: brotliCompressSync, stream: () => createBrotliCompress(fast) },
};

suite('An answer that is compressed unasked', () => {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  perTest(() => (bed = new ConnectionBed()));

  async function started() {
    server = bed.endLater(await serveScripted());
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    return connection;
  }

  for (const [what, { name, pack, stream }] of Object.entries(codings)) {
    const head = (type: string) => ({ 'content-type': type, 'content-encoding': name });

    test(`is decompressed from ${what}, from the handshake on`, async () => {
      const server = bed.endLater(
        await serveScripted({
          initialize: ({ response, answer }) =>
            response
              .writeHead(200, head('application/json'))
              .end(
                pack(
                  answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: info }),
                ),
              ),
          'tools/call': ({ response, answer }) => {
            const body = pack(answer(echoed));
            response.writeHead(200, { ...head('application/json'), 'content-length': body.length }).end(body);
          },
        }),
      );
      const connection = bed.connection(httpServer(server.url));
      await connection.start();
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    });

    test(`is decompressed from ${what} event by event`, async () => {
      const connection = await started();
      const steps: number[] = [];
      server.script['tools/call'] = async ({ response, answer, message }) => {
        response.writeHead(200, head('text/event-stream'));
        const packed = stream();
        packed.pipe(response);
        const write = (data: string): void => {
          packed.write(`data: ${data}\n\n`);
          packed.flush(name === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH);
        };
        const { progressToken } = (message.params?.['_meta'] ?? {}) as { readonly progressToken?: number };
        write(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, progress: 1 },
          }),
        );
        await untilSeen(() => steps.length === 1, 'the first event has come before the second is sent');
        write(answer(echoed));
        packed.end();
      };
      const call = connection.callTool('echo', {}, { onProgress: ({ progress }) => steps.push(progress) });
      assert.equal(await textOf(call), 'Hello');
      assert.deepEqual(steps, [1]);
    });

    if (name === 'X-GZip') {
      continue;
    }
    test(`ends at the bound of the data decompressed from ${what}, however little was sent`, async function () {
      const connection = await started();
      for (const [type, start, subject] of [
        ['application/json', '{"jsonrpc":"2.0","x":"', 'the response of the server'],
        ['text/event-stream', 'data: "', 'an event of the server'],
      ] as const) {
        const bomb = bombOf(start, stream);
        assert.ok((await bomb).length < 2 ** 20, `${(await bomb).length} bytes`);
        server.script['tools/call'] = async ({ response }) =>
          response.writeHead(200, head(type)).end(await bomb);
        await assert.rejects(connection.callTool('echo', {}), {
          code: 'protocol',
          message: `${subject} is larger than 64 MiB, the maximum`,
        });
        await untilSeen(() => server.open === 0, 'the answer is broken off');
      }
      delete server.script['tools/call'];
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    });

    test(`fails with a reason if it is not ${what}, although it says so`, async () => {
      const connection = await started();
      for (const type of ['application/json', 'text/event-stream']) {
        server.script['tools/call'] = ({ response }) =>
          response.writeHead(200, head(type)).end(Buffer.alloc(7, 0xff));
        await assert.rejects(connection.callTool('echo', {}), {
          code: 'protocol',
          message: 'the response of the server is compressed and cannot be decompressed',
        });
      }
      assert.equal(connection.state.kind, 'running');
    });

    test(`has its reason in ${what}, when it refuses`, async () => {
      const connection = await started();
      server.script['tools/call'] = ({ response }) =>
        response.writeHead(422, head('text/plain')).end(pack('API key missing'));
      await assert.rejects(connection.callTool('echo', {}), {
        message: 'the server refused with status 422: API key missing',
      });
      server.script['tools/call'] = ({ response }) =>
        response.writeHead(422, head('text/plain')).end(Buffer.alloc(7, 0xff));
      await assert.rejects(connection.callTool('echo', {}), {
        message: 'the server refused with status 422',
      });
    });

    test(`is lost like a plain one when it breaks off in the middle of ${what}`, async () => {
      const connection = await started();
      server.script['tools/call'] = ({ response, answer }) => {
        const body = pack(answer({ content: [{ type: 'text', text: randomText() }] }));
        response.writeHead(200, { ...head('application/json'), 'content-length': body.length });
        response.write(body.subarray(0, body.length / 2), () => setImmediate(() => response.destroy()));
      };
      await assert.rejects(connection.callTool('echo', {}), { code: 'lost' });
    });

    test(`may say that it is ${what} and have no body`, async () => {
      const connection = await started();
      server.script['notifications/roots/list_changed'] = ({ response }) =>
        response.writeHead(202, { 'content-encoding': name }).end();
      server.script['notifications/initialized'] = ({ response }) =>
        response.writeHead(202, { 'content-encoding': name }).end();
      await connection.restart();
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      assert.deepEqual(
        bed.logger.lines.filter((line) => /^(warn|error)/.test(line)),
        [],
      );
    });
  }

  for (const coding of ['zstd', 'gzip, br', 'compress']) {
    test(`fails with the name of the unknown coding '${coding}', and refusals keep their status`, async () => {
      const connection = await started();
      const headers = { 'content-type': 'application/json', 'content-encoding': coding };
      server.script['tools/call'] = ({ response }) => response.writeHead(200, headers).end('packed');
      await assert.rejects(connection.callTool('echo', {}), {
        code: 'protocol',
        message: `the response of the server is compressed as '${coding}', which nobody asked for and which cannot be decompressed`,
      });
      server.script['tools/call'] = ({ response }) => response.writeHead(429, headers).end('packed');
      await assert.rejects(connection.callTool('echo', {}), {
        message: 'the server refused with status 429: too many requests',
      });
      await untilSeen(() => server.open === 0, 'nothing stays open');
      assert.equal(connection.state.kind, 'running');
    });
  }

  test('on the stream of the server is read, or given up and logged if it cannot be', async () => {
    const packed = createGzip();
    server = bed.endLater(
      await serveScripted({
        GET: ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
          packed.pipe(response);
          packed.write('data: {"jsonrpc":"2.0","id":"of-server","method":"roots/list"}\n\n');
          packed.flush();
        },
      }),
    );
    await bed.connection(httpServer(server.url)).start();
    await untilSeen(() => server.received('POST').length > 0, 'its question is answered');

    const other = bed.endLater(
      await serveScripted({
        GET: ({ response }) =>
          response
            .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'zstd' })
            .end('packed'),
      }),
    );
    const connection = bed.connection(httpServer(other.url));
    await connection.start();
    const said =
      "warn: The server's event stream was given up: the response of the server is compressed as 'zstd', which nobody asked for and which cannot be decompressed.";
    await untilSeen(() => bed.logger.has(said), 'it is logged');
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    assert.equal(other.received('GET').length, 1);
  });
});

const info = { name: 'scripted', version: '1' };

/** More than a message may be once it is unpacked. */
async function bombOf(start: string, stream: () => Gzip): Promise<Buffer> {
  const packed = stream();
  const parts: Buffer[] = [];
  packed.on('data', (part: Buffer) => parts.push(part));
  packed.write(start);
  const part = Buffer.alloc(2 ** 20, 'x');
  for (let mebibyte = 0; mebibyte < 66; mebibyte += 1) {
    await new Promise((resolve) => packed.write(part, resolve));
  }
  await new Promise((resolve) => packed.end(resolve));
  await untilSeen(() => packed.readableEnded, 'all of it is packed');
  return Buffer.concat(parts);
}

/** Text that cannot be made much smaller. */
function randomText(): string {
  return Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(33 + ((index * 7_919) % 90))).join(
    '',
  );
}
