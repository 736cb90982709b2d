import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { echoed, serveScripted, type ScriptedExchange } from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { perTest } from '../../../support/perTest.ts';

/** An answer to a request of this id, without the version of JSON-RPC. */
type Answer = (id: unknown) => object;

const harmless: Readonly<Record<string, Answer>> = {
  'a member that nobody knows': (id) => ({ id, result: echoed, extra: 1 }),
  'an error that is null': (id) => ({ id, result: echoed, error: null }),
  'its id as a text': (id) => ({ id: String(id), result: echoed }),
};
const malformed: Readonly<Record<string, Answer>> = {
  'a result that is null': (id) => ({ id, result: null }),
  'a result that is a list': (id) => ({ id, result: [] }),
  'a result and an error': (id) => ({ id, result: echoed, error: { code: 1 } }),
  'a code that is no integer': (id) => ({ id, error: { code: 1.5, message: 'No.' } }),
  'a code that is a text': (id) => ({ id, error: { code: 'ENOENT', message: 'No.' } }),
  'another version of JSON-RPC': (id) => ({ jsonrpc: '1.0', id, result: echoed }),
};
const ways: Readonly<Record<string, (exchange: ScriptedExchange, text: string) => void>> = {
  'a JSON body': ({ json }, text) => json(text),
  'an event': ({ events }, text) => {
    const stream = events();
    stream.event(`data: ${text}`);
    stream.end();
  },
  'a batch in an event that has an id': ({ events }, text) => events().event('id: 1', `data: [${text}]`),
};

suite('An answer over HTTP', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  for (const [where, write] of Object.entries(ways)) {
    /** Connects to a server that answers calls so. */
    const started = async (answer: Answer): Promise<ServerConnection> => {
      const server = bed.endLater(
        await serveScripted({
          'tools/call': (exchange) =>
            write(exchange, JSON.stringify({ jsonrpc: '2.0', ...answer(exchange.message.id) })),
        }),
      );
      const connection = bed.connection(httpServer(server.url));
      await connection.start();
      return connection;
    };

    for (const [what, answer] of Object.entries(harmless)) {
      test(`with ${what} is understood in ${where}`, async () => {
        const connection = await started(answer);
        assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      });
    }

    for (const [what, answer] of Object.entries(malformed)) {
      test(`with ${what} fails its call at once in ${where}`, async () => {
        const connection = await started(answer);
        await assert.rejects(connection.callTool('echo', {}), {
          code: 'protocol',
          message: /The response is not valid JSON-RPC 2\.0/,
        });
        assert.equal(connection.state.kind, 'running');
      });
    }
  }
});
