import assert from 'node:assert/strict';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import { serveScripted, type Script } from '../../../fixtures/servers/scriptedHttp.ts';
import { legacyScript } from '../../../fixtures/servers/legacyScript.ts';
import { serveOverSse } from '../../../fixtures/servers/peer/overHttp.ts';
import { ConnectionBed, namesOf } from '../../support/connectionBed.ts';
import { httpServer } from '../../support/definitions.ts';
import { perTest } from '../../support/perTest.ts';

suite('A probe over HTTP', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  type Probed = NonNullable<Script[string]>;
  const status =
    (code: number, type = 'text/plain', body = ''): Probed =>
    ({ response }) =>
      response.writeHead(code, { 'content-type': type }).end(body);

  const answers: Record<string, Probed> = {
    'by 500': status(500),
    'by 502 with a page': status(502, 'text/html', '<h1>Bad Gateway</h1>'),
    'by 503': status(503),
    'by a page': status(200, 'text/html', '<h1>Welcome</h1>'),
    'by nothing with 200': status(200),
    'by 202': status(202),
    'by 204': status(204),
    'by 304': status(304),
    'by JSON that is not a message': status(200, 'application/json', '{"hello":"world"}'),
    'by text that is not JSON': status(200, 'application/json', 'hello'),
    'by an empty JSON body': status(200, 'application/json'),
    'by an event stream that ends': ({ events }) => events().end(),
    'by breaking the connection off': ({ response }) => response.destroy(),
    'not at all': () => {},
    'by 400': status(400),
    'by 404 with an error': ({ json, message }) =>
      json({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } }, 404),
    'by an error to nobody': ({ json }) =>
      json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } }),
  };
  for (const [how, answer] of Object.entries(answers)) {
    test(`that is answered ${how} is followed by initialize`, async () => {
      const server = bed.endLater(await serveScripted({ 'server/discover': answer }));
      const connection = bed.connection(httpServer(server.url, { timeout: 1_000 }));
      await connection.start();
      const { era, revision } = connection.state as RunningState;
      assert.deepEqual({ era, revision }, { era: 'legacy', revision: '2025-11-25' });
      assert.deepEqual(namesOf(connection.catalogue?.tools), ['echo']);
      assert.deepEqual(server.received('server/discover').length, 1);
      assert.deepEqual(server.received('initialize').length, 1);
    });
  }

  for (const code of [400, 404, 405]) {
    test(`and initialize that are answered by ${code} are followed by HTTP+SSE`, async () => {
      const server = bed.endLater(await serveSseBeside(code));
      const connection = bed.connection(httpServer(server.url));
      await connection.start();
      assert.ok(namesOf(connection.catalogue?.tools).includes('echo'));
      assert.deepEqual(server.requests.slice(0, 3), [
        'POST /mcp server/discover',
        'POST /mcp initialize',
        'GET /mcp',
      ]);
    });
  }

  for (const code of [401, 402, 403, 406, 407, 408, 410, 415, 422, 429]) {
    test(`that is answered by ${code} is followed by no other transport`, async () => {
      const server = bed.endLater(await serveSseBeside(code));
      const connection = bed.connection(httpServer(server.url));
      await assert.rejects(connection.start(), { code: 'refused', status: code });
      assert.deepEqual(
        server.requests.filter((one) => one.startsWith('GET')),
        [],
      );
    });
  }
});

/** HTTP+SSE where what is posted to the address of its stream is answered by a status. */
function serveSseBeside(status: number) {
  return serveOverSse(legacyScript(), { path: '/mcp', status });
}
