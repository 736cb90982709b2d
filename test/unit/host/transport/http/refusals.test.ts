import assert from 'node:assert/strict';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import { failureWord } from '../../../../../src/host/connection/failures/failureWord.ts';
import { remedyFor } from '../../../../../src/host/connection/failures/remedies.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { whenAccepted } from '../../../../../src/host/transport/http/retryAfter.ts';
import {
  echoed,
  serveScripted,
  type Script,
  type ScriptedServer,
} from '../../../../fixtures/servers/scriptedHttp.ts';
import { serve, serveStatus } from '../../../../fixtures/servers/httpServers.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { untilSeen } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

suite('A server that refuses', () => {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  perTest(() => (bed = new ConnectionBed()));

  async function started(script: Script = {}, requestTimeout = () => 10_000) {
    server = bed.endLater(await serveScripted(script, { sessions: ['the-session-id'] }));
    const connection = bed.connection(httpServer(server.url), { requestTimeout });
    await connection.start();
    return connection;
  }

  async function failureOf(url: string, headers: Record<string, string> = {}): Promise<HostError> {
    const failure = await bed
      .connection(httpServer(url, { headers }))
      .start()
      .then(
        () => assert.fail('it started'),
        (error: unknown) => error,
      );
    assert.ok(failure instanceof HostError);
    return failure;
  }

  test('temporarily is asked again at the time that it names', async () => {
    const connection = await started();
    const answers: [number, string][] = [
      [429, '0'],
      [503, new Date(Date.now() - 1_000).toUTCString()],
    ];
    server.script['tools/call'] = ({ response, json, answer }) => {
      const [status, after] = answers.shift() ?? [];
      return status ? response.writeHead(status, { 'retry-after': after }).end() : json(answer(echoed));
    };
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    assert.equal(server.received('tools/call').length, 3);
    assert.equal(new Set(server.received('tools/call').map(({ id }) => id)).size, 1);
  });

  test('temporarily while it starts is asked again, too', async () => {
    await started({
      'server/discover': ({ response, json, message, times }) =>
        times === 1
          ? response.writeHead(503, { 'retry-after': '0' }).end()
          : json({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } }),
    });
    assert.equal(server.received('server/discover').length, 2);
  });

  test('temporarily, again and again, is given up in the end', async () => {
    const connection = await started();
    server.script['tools/call'] = ({ response }) => response.writeHead(429, { 'retry-after': '0' }).end();
    await assert.rejects(connection.callTool('echo', {}), {
      code: 'refused',
      status: 429,
      message: 'the server refused with status 429: it asks to wait for 0 s',
    });
    assert.equal(server.received('tools/call').length, 4);
  });

  test('for longer than a call may take is not waited for', async () => {
    const connection = await started();
    server.script['tools/call'] = ({ response }) => response.writeHead(503, { 'retry-after': '3600' }).end();
    await assert.rejects(connection.callTool('echo', {}), {
      status: 503,
      message: 'the server refused with status 503: it asks to wait for 3600 s',
    });
    assert.equal(server.received('tools/call').length, 1);
  });

  test('without saying for how long is not asked again', async () => {
    const connection = await started();
    server.script['tools/call'] = ({ response }) => response.writeHead(429).end();
    await assert.rejects(connection.callTool('echo', {}), {
      status: 429,
      message: 'the server refused with status 429: too many requests',
    });
    assert.equal(server.received('tools/call').length, 1);
  });

  test('temporarily is waited for only as long as the call may take', async () => {
    let timeout = 10_000;
    const connection = await started({}, () => timeout);
    server.script['tools/call'] = ({ response }) => response.writeHead(503, { 'retry-after': '30' }).end();
    timeout = 200;
    await assert.rejects(connection.callTool('echo', {}), { code: 'timedOut' });
  });

  test('temporarily is not waited for when the call is cancelled', async () => {
    const connection = await started();
    server.script['tools/call'] = ({ response }) => response.writeHead(503, { 'retry-after': '30' }).end();
    const abort = new AbortController();
    const call = connection.callTool('echo', {}, {}, abort.signal);
    await untilSeen(() => server.received('tools/call').length === 1, 'it was refused');
    abort.abort();
    await assert.rejects(call, CancellationError);
    assert.deepEqual(
      bed.logger.lines.filter((line) => /^(warn|error)/.test(line)),
      [],
    );
  });

  const inTenHours = new Date(Date.now() + 36_000_000).toUTCString();
  for (const [what, header, outcome] of [
    ['seconds', '400', /^the server refused with status 503: it asks to wait for 400 s$/],
    ['a date', inTenHours, /^the server refused with status 503: it asks to wait for 3[56]\d{3} s$/],
    ['no time', ' 0 ', 'sent again'],
    ['a date in the past', 'Thu, 01 Jan 1970 00:00:40 GMT', 'sent again'],
    ['a word', 'soon', 'not sent again'],
    ['less than no time', '-1', 'not sent again'],
    ['nothing', '', 'not sent again'],
    ['no header', null, 'not sent again'],
  ] as const) {
    test(`asks to wait with ${what} in Retry-After`, async () => {
      const refusal = new Response(null, {
        status: 503,
        headers: header === null ? {} : { 'retry-after': header },
      });
      const answers = [refusal, new Response(null, { status: 200 })];
      const answer = whenAccepted(
        () => Promise.resolve(answers.shift() ?? assert.fail('sent too often')),
        undefined,
      );
      if (typeof outcome === 'string') {
        assert.equal((await answer).status, outcome === 'sent again' ? 200 : 503);
      } else {
        await assert.rejects(answer, { code: 'refused', message: outcome });
      }
    });
  }

  for (const name of ['Authorization', 'authorization', 'AUTHORIZATION']) {
    for (const [status, message] of [
      [401, 'it does not accept the Authorization header of its definition; check or replace it'],
      [403, 'the Authorization header of its definition does not allow this; check or replace it'],
    ] as const) {
      test(`the ${name} header of its definition with ${status} is reported to do so`, async () => {
        const { url, requests } = bed.endLater(await serveStatus(status));
        const failure = await failureOf(url, { [name]: 'Bearer secret' });
        assert.equal(failure.message, `the server refused with status ${status}: ${message}`);
        assert.equal(failure.status, status);
        assert.deepEqual(requests, ['POST /mcp server/discover']);
        assert.ok(!bed.logger.has('secret'));
      });
    }
  }

  for (const [target, says] of [
    ['https://elsewhere.example/mcp?key=1', 'to https://elsewhere.example/mcp, which is not followed'],
    ['http://elsewhere.example/mcp', 'to http://elsewhere.example/mcp, which is not followed'],
    ['javascript:alert(1)', 'to javascript:alert(1), which is not followed'],
  ] as const) {
    test(`by pointing to ${target} is not followed, and says where it points`, async () => {
      const { url } = bed.endLater(
        await serve('/mcp', (_request, response) => response.writeHead(307, { location: target }).end()),
      );
      const failure = await failureOf(url, { authorization: 'Bearer secret' });
      assert.equal(failure.code, 'refused');
      assert.equal(
        failure.message,
        `the server redirects ${says} (status 307): if it is the server that you want, use that address in its definition`,
      );
      assert.equal(failureWord(failure), 'redirects');
      assert.deepEqual(remedyFor(failure, httpServer(url)), { kind: 'edit' });
    });
  }

  test('by repeating the session in its words gets it into no log and no message', async () => {
    const connection = await started();
    bed.logger.isTracing = true;
    server.script['tools/call'] = ({ json }) =>
      json({ error: { message: 'Cannot do that in the-session-id' } }, 422);
    await assert.rejects(connection.callTool('echo', {}), (error: HostError) => {
      assert.ok(!String(error.cause).includes('the-session-id'), String(error.cause));
      return error.status === 422;
    });
    await connection.stop();
    assert.ok(
      server.headersOf('tools/call').every((headers) => headers['mcp-session-id'] === 'the-session-id'),
    );
    assert.deepEqual(
      bed.logger.lines.filter((line) => line.includes('the-session-id')),
      [],
    );
  });
});
