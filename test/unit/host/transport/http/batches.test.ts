import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import {
  echoed,
  serveScripted,
  type ScriptedExchange,
  type ScriptedServer,
} from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { perTest } from '../../../support/perTest.ts';

const said = (data: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
});

suite('A batch', () => {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  perTest(() => (bed = new ConnectionBed()));

  async function started(): Promise<ServerConnection> {
    server = bed.endLater(await serveScripted());
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    return connection;
  }

  const ways: Record<string, (exchange: ScriptedExchange, text: string) => void> = {
    'the data of an event': ({ events }, text) => {
      const stream = events();
      stream.event(`data: ${text}`);
      stream.end();
    },
    'the data of an event over several lines': ({ events }, text) => {
      const stream = events();
      stream.event(
        ...JSON.stringify(JSON.parse(text), undefined, 1)
          .split('\n')
          .map((line) => `data: ${line}`),
      );
      stream.end();
    },
    'a JSON body': ({ json }, text) => json(text),
  };
  for (const [where, write] of Object.entries(ways)) {
    test(`is received in ${where}, with the messages around the answer`, async () => {
      const connection = await started();
      server.script['tools/call'] = (exchange) => {
        const answer: unknown = JSON.parse(exchange.answer(echoed));
        write(exchange, JSON.stringify([said('before'), answer, said('after')]));
      };
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      await connection.callTool('echo', {});
      assert.ok(bed.logger.has('info: [server] before') && bed.logger.has('info: [server] after'));
    });

    test(`loses in ${where} only its invalid messages`, async () => {
      const connection = await started();
      server.script['tools/call'] = (exchange) => {
        const answer: unknown = JSON.parse(exchange.answer(echoed));
        write(exchange, JSON.stringify([1, null, { jsonrpc: '1.0' }, said('kept'), answer]));
      };
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      assert.ok(bed.logger.has('info: [server] kept'));
    });
  }

  test('is received at the handshake, too', async () => {
    server = bed.endLater(
      await serveScripted({
        initialize: ({ json, answer }) => {
          const serverInfo = { name: 'batches', version: '1' };
          json(`[${answer({ protocolVersion: '2025-03-26', capabilities: {}, serverInfo })}]`);
        },
      }),
    );
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    assert.equal(connection.serverInfo?.name, 'batches');
  });

  test('without a request is received on the event stream of the server', async () => {
    server = bed.endLater(
      await serveScripted({
        GET: ({ events }) => events().event(`data: ${JSON.stringify([said('one'), said('two')])}`),
      }),
    );
    const logged = new Promise<void>((resolve) => {
      bed.logger.onDidLog(() => bed.logger.has('info: [server] two') && resolve());
    });
    await bed.connection(httpServer(server.url)).start();
    await logged;
    assert.ok(bed.logger.has('info: [server] one'));
  });

  test('may have an error without an id', async () => {
    const connection = await started();
    server.script['tools/call'] = ({ json }) =>
      json({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Cannot read that' } });
    await assert.rejects(connection.callTool('echo', {}), {
      code: 'protocol',
      message: 'the server answered: Cannot read that (-32700)',
    });
  });
});
