import assert from 'node:assert/strict';
import { suggestsMissingKey } from '../../../../../src/host/connection/failures/failureWord.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { refusalWords } from '../../../../../src/host/transport/http/refusalWords.ts';
import { serve, type HttpServer } from '../../../../fixtures/servers/httpServers.ts';
import { serveScripted, type Script } from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { perTest } from '../../../support/perTest.ts';

const json = 'application/json';
const problem = 'application/problem+json';
const missing = 'API key missing';

/** What is posted gets this answer; GET is 405 unless it says otherwise. */
function serveRefusal(
  [status, type, body]: readonly [number, string, string],
  get: readonly [number, string, string] = [405, 'text/plain', ''],
): Promise<HttpServer> {
  return serve('/mcp', ({ method }, response) => {
    const [code, contentType, text] = method === 'GET' ? get : [status, type, body];
    response.writeHead(code, { 'content-type': contentType }).end(text);
  });
}

suite('The reason of a refusal', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function failureOf(
    server: HttpServer,
    more: Parameters<typeof httpServer>[1] = {},
    context: Parameters<ConnectionBed['connection']>[1] = {},
  ): Promise<HostError> {
    bed.endLater(server);
    const failure = await bed
      .connection(httpServer(server.url, more), context)
      .start()
      .then(
        () => assert.fail('it started'),
        (error: unknown) => error,
      );
    assert.ok(failure instanceof HostError, String(failure));
    return failure;
  }

  for (const [what, status, type, body, message] of [
    ['a line of text', 400, 'text/plain', `${missing}\nat auth.js:3`, `status 400: ${missing}`],
    ['a line of text', 402, 'text/plain', 'Your plan has ended', 'status 402: Your plan has ended'],
    ['an OAuth error', 400, json, { error: 'x', error_description: missing }, `status 400: ${missing}`],
    ['problem details', 422, problem, { title: 'Bad', detail: missing }, `status 422: ${missing}`],
    ['a title alone', 422, problem, { type: 'about:blank', title: missing }, `status 422: ${missing}`],
    ['a message', 422, json, { error: 'Unprocessable', message: missing }, `status 422: ${missing}`],
    ['an error as a text', 400, json, { error: missing }, `status 400: ${missing}`],
    ['an error with a message', 400, json, { error: { message: missing } }, `status 400: ${missing}`],
    ['a list of details', 422, json, { detail: [{ loc: ['x'], msg: missing }] }, `status 422: ${missing}`],
    ['a page', 400, 'text/html', '<html><h1>Bad Request</h1></html>', 'status 400'],
    ['JSON without words', 400, json, { ok: false }, 'status 400'],
    [
      'a message that comes with advice',
      401,
      json,
      { message: missing },
      `status 401: it requires authorization; add an Authorization header to its definition (it says: ${missing})`,
    ],
    [
      'a JSON-RPC error about rights',
      403,
      json,
      { jsonrpc: '2.0', id: null, error: { code: -32001, message: missing } },
      `status 403: check the headers of its definition (it says: ${missing})`,
    ],
    [
      'a message with its side at fault',
      500,
      json,
      { message: 'no database' },
      'status 500: the problem is on the server (it says: no database)',
    ],
  ] as const) {
    test(`is the one that ${what} with ${status} gives, whatever the answer to GET is`, async () => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const failure = await failureOf(await serveRefusal([status, type, text]));
      assert.equal(failure.message, `the server refused with ${message}`);
      assert.deepEqual([failure.code, failure.status], ['refused', status]);
    });
  }

  test('is that a key is required if the response says so', async () => {
    assert.ok(suggestsMissingKey(await failureOf(await serveRefusal([400, 'text/plain', missing]))));
    assert.ok(!suggestsMissingKey(await failureOf(await serveRefusal([400, 'text/plain', 'Bad Request']))));
  });

  test('is bounded, on one line, with all of it visible, and without what was given to the server', async () => {
    const body = JSON.stringify({ message: `the key s3cr3t-key\n\u202Eis wrong ${'x'.repeat(20_000)}` });
    const { message } = await failureOf(
      await serveRefusal([400, json, body]),
      {},
      { secrets: ['s3cr3t-key'] },
    );
    assert.match(message, /^the server refused with status 400: the key ••• \\u\{202E\}is wrong x+…$/);
    assert.ok(message.length < 600, `${message.length}`);
  });

  for (const [what, get] of [
    ['404', [404, 'text/plain', 'Nothing here']],
    ['a page', [200, 'text/html', '<h1>Welcome</h1>']],
    ['500', [500, 'text/plain', 'Broken']],
    ['a stream that names no endpoint', [200, 'text/event-stream', ': hello\n\n']],
  ] as const) {
    test(`is that of the POST if the stream for HTTP+SSE is answered by ${what}`, async () => {
      const failure = await failureOf(await serveRefusal([400, 'text/plain', missing], get));
      assert.equal(failure.message, `the server refused with status 400: ${missing}`);
    });
  }

  test('is that of the stream if no endpoint accepts the POST and the stream requires authorization', async () => {
    const server = await serveRefusal([405, 'text/plain', ''], [401, json, '{"error":"no token"}']);
    const { message, status } = await failureOf(server);
    assert.equal(status, 401);
    assert.match(message, /^the server refused with status 401: it requires authorization;/);
  });

  for (const [status, body, message] of [
    [404, 'Nothing here', 'status 404: check the address of its definition (it says: Nothing here)'],
    [422, missing, `status 422: ${missing}`],
    [503, 'Soon', 'status 503: the problem is on the server (it says: Soon)'],
  ] as const) {
    test(`is given for an HTTP+SSE stream that is refused with ${status}`, async () => {
      const server = await serveRefusal([405, 'text/plain', ''], [status, 'text/plain', body]);
      const failure = await failureOf(server, { type: 'sse' });
      assert.equal(failure.message, `the server refused with ${message}`);
    });
  }

  for (const [code, words] of [
    [-32601, 'Method not found'],
    [-32602, 'Invalid params'],
    [-32020, 'Header mismatch'],
  ] as const) {
    test(`is the error ${code} of the protocol, upon which no other transport is tried`, async () => {
      const server = bed.endLater(
        await serveScripted({
          initialize: ({ json: answer, message: { id } }) =>
            answer({ jsonrpc: '2.0', id, error: { code, message: words } }, code === -32601 ? 404 : 400),
        }),
      );
      const { message, status } = await failureOf(server);
      assert.deepEqual(
        { message, status },
        { message: `the server answered: ${words} (${code})`, status: code === -32601 ? 404 : 400 },
      );
      assert.equal(server.received('GET').length, 0);
    });
  }

  test('is the error of a server that is no HTTP+SSE server either, with a code of its own', async () => {
    const server = bed.endLater(
      await serveScripted({
        initialize: ({ json: answer }) =>
          answer({ jsonrpc: '2.0', id: null, error: { code: -32000, message: missing } }, 400),
      }),
    );
    const { message } = await failureOf(server);
    assert.equal(message, `the server answered: ${missing} (-32000)`);
    assert.equal(server.received('GET').length, 1);
  });

  test('is the error of a server that refuses initialize with 200', async () => {
    const server = await serveScripted({
      initialize: ({ json: answer, message: { id } }) =>
        answer({ jsonrpc: '2.0', id, error: { code: -32000, message: missing } }),
    });
    const { message, code } = await failureOf(server);
    assert.deepEqual(
      { message, code },
      { message: `the server answered: ${missing} (-32000)`, code: 'protocol' },
    );
  });

  for (const [status, body, message] of [
    [400, missing, `the server refused 'notifications/initialized' with status 400: ${missing}`],
    [
      422,
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"No."}}',
      "the server answered 'notifications/initialized': No. (-32600)",
    ],
    [405, '', "the server refused 'notifications/initialized' with status 405"],
  ] as const) {
    test(`is that of \`initialized\` if that is refused with ${status}, and no other transport is tried`, async () => {
      const server = bed.endLater(
        await serveScripted({
          'notifications/initialized': ({ response }) => response.writeHead(status).end(body),
        }),
      );
      const failure = await failureOf(server);
      assert.deepEqual([failure.message, failure.status], [message, status]);
      assert.equal(server.received('initialize').length, 1);
      // The stream of the server, and none of HTTP+SSE.
      assert.equal(server.received('GET').length, 1);
    });
  }

  test('is the unknown session if a server does not know its own one at `initialized`', async () => {
    const server = bed.endLater(
      await serveScripted(
        {
          'notifications/initialized': ({ response }) => response.writeHead(404).end('Session not found'),
        },
        { sessions: ['one'] },
      ),
    );
    const { code, message, detail } = await failureOf(server);
    assert.deepEqual(
      { code, message, detail },
      {
        code: 'sessionLost',
        message: 'the server does not know the session that it just started',
        detail: 'The server says: Session not found',
      },
    );
    assert.equal(server.received('GET').length, 1);
  });

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    const answered = async (script: Script) => {
      const server = bed.endLater(await serveScripted(script, { revision }));
      const connection = bed.connection(httpServer(server.url));
      await connection.start();
      return { server, connection };
    };

    for (const status of [400, 404, 422, 429, 500, 503]) {
      for (const idOf of [(id: unknown) => id, () => null]) {
        test(`of a call at ${revision} is the JSON-RPC error that comes with ${status}, for ${idOf(1) === 1 ? 'its id' : 'no id'}`, async () => {
          const error = { code: -32601, message: 'Method not found' };
          const { server, connection } = await answered({
            'tools/call': ({ json: answer, message }) =>
              answer({ jsonrpc: '2.0', id: idOf(message.id), error }, status),
          });
          await assert.rejects(connection.callTool('echo', {}), {
            code: 'protocol',
            message: 'the server answered: Method not found (-32601)',
          });
          assert.equal(connection.state.kind, 'running');
          assert.equal(server.received('tools/call').length, 1);
          delete server.script['tools/call'];
          assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
        });
      }
    }

    test(`of a call at ${revision} is a refusal where the error is meant for another request, or is none`, async () => {
      const { server, connection } = await answered({
        'tools/call': ({ json: answer }) =>
          answer({ jsonrpc: '2.0', id: 4_711, error: { code: 1, message: 'Not yours' } }, 422),
      });
      await assert.rejects(connection.callTool('echo', {}), {
        code: 'refused',
        status: 422,
        message: 'the server answered: Not yours (1)',
      });
      server.script['tools/call'] = ({ json: answer, message: { id } }) =>
        answer({ jsonrpc: '2.0', id, error: { code: 'none' } }, 422);
      await assert.rejects(connection.callTool('echo', {}), {
        code: 'refused',
        message: 'the server refused with status 422',
      });
    });
  }
});

suite('The words of a refusal', () => {
  for (const [body, words] of [
    ['', undefined],
    ['   \n', undefined],
    ['<!doctype html><title>No</title>', undefined],
    ['<?xml version="1.0"?><Error/>', undefined],
    ['{"message":', undefined],
    ['\0\u0001binary', undefined],
    ['\uFFFD\uFFFD', undefined],
    ['"Just words"', 'Just words'],
    ['[ERROR] no key', '[ERROR] no key'],
    ['[{"jsonrpc":"2.0","error":{"code":1,"message":"No."}}]', 'No.'],
    ['{"errors":[{"title":"T","detail":"D"}]}', 'D'],
    ['{"detail":{"message":"M"}}', 'M'],
    ['{"message":" ","error":"E"}', 'E'],
    ['{"message":7,"title":"T"}', 'T'],
    ['[[[[[["deep"]]]]]]', undefined],
    ['  first\r\nsecond', 'first'],
    ['{"message":"one\\n\\ttwo"}', 'one two'],
  ] as const) {
    test(`in ${JSON.stringify(body)} are ${JSON.stringify(words)}`, () =>
      assert.equal(refusalWords(body), words));
  }
});
