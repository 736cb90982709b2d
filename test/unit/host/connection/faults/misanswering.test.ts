import assert from 'node:assert/strict';
import { serveScripted, type ScriptedExchange } from '../../../../fixtures/servers/scriptedHttp.ts';
import { textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { FaultBed, faultyServer, pidOf, soon, untilRunsAgain } from '../../../support/faultBed.ts';
import { isAlive, untilSeen, untilState } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

/** Ids that are none of our requests', although each is one for `Number()`, `String()` or the like. */
const noIds = Array.from({ length: 40 }, (_, id) => id).flatMap((id) => [
  ` ${id} `,
  `0x${id.toString(16)}`,
  `${id}.0`,
  `${id}e0`,
  `+${id}`,
  `0${id}`,
  [id],
  [[`${id}`]],
  { id },
  id + 0.5,
  -id - 1,
  id + 1e9,
]);
const oddIds = [...noIds, null, true, false, '', 'null', 'undefined', 'NaN', {}, []];

suite('A server that answers wrongly', () => {
  let bed: FaultBed;
  perTest(async () => (bed = await FaultBed.open()));

  for (const era of ['legacy', 'modern'] as const) {
    test(`to unknown ids affects no request (${era})`, async () => {
      const connection = await bed.started(faultyServer(era));
      const others = Array.from({ length: 10 }, (_, call) =>
        textOf(connection.callTool('gather', { text: `other ${call}`, of: 11 })),
      );
      const own = await textOf(connection.callTool('as', { ids: oddIds, text: 'its own' }));
      assert.equal(own, 'its own');
      const last = textOf(connection.callTool('gather', { text: 'last', of: 11 }));
      assert.deepEqual(await Promise.all([...others, last]), [
        ...Array.from({ length: 10 }, (_, call) => `other ${call}`),
        'last',
      ]);
      assert.equal(connection.state.kind, 'running');
    });

    // Our ids are whole numbers, all of them: a text of the same digits can mean no other request. Strictly it is
    // no answer (JSON-RPC 2.0: the id MUST be the same), but servers that keep ids as texts are answered for.
    test(`with the digits of an id as a text is understood (${era})`, async () => {
      const connection = await bed.started(faultyServer(era));
      assert.match(
        await textOf(connection.callTool('as', { ids: ['its own as text'], text: 'again' })),
        /^for "its own as text"$/,
      );
      assert.equal(await textOf(connection.callTool('echo', { text: 'next' })), 'next');
      assert.deepEqual(bed.complaints, []);
    });

    test(`by its exit at each list of its tools is given up in the end (${era})`, async () => {
      const connection = bed.connection(faultyServer(era, ['--exit-on=tools/list']), {
        backoff: { ...soon, tries: 2 },
      });
      await connection.start().catch(() => {});
      await untilState(connection, 'failed');
      assert.equal(bed.pids.length, 3);
    });

    test(`by its exit to a call is asked once, to a read once more (${era})`, async () => {
      const exits = ['--exit-on=tools/call', '--exit-on=resources/read'];
      const connection = await bed.started(faultyServer(era, exits), soon);
      const [first, lost] = [pidOf(connection), { name: 'HostError', code: 'lost' }];
      await assert.rejects(connection.callTool('echo', { text: 'never' }), lost);
      await untilRunsAgain(connection, first);
      assert.equal(bed.received.times('tools/call echo never'), 1);
      await assert.rejects(connection.readResource('test:///note'), lost);
      await untilRunsAgain(connection, bed.pids.at(2) ?? 0);
      assert.equal(bed.received.times('resources/read test:///note'), 2);
      assert.equal(bed.pids.length, 4);
    });

    test(`by half a message and its end loses that call, and comes back (${era})`, async () => {
      const connection = await bed.started(faultyServer(era), soon);
      const pid = pidOf(connection);
      await assert.rejects(connection.callTool('half', {}), { name: 'HostError', code: 'lost' });
      await untilRunsAgain(connection, pid);
      assert.equal(await textOf(connection.callTool('echo', { text: 'whole' })), 'whole');
    });

    test(`by closing its stdout and living on loses that call, and is ended (${era})`, async () => {
      const connection = await bed.started(faultyServer(era), soon);
      const pid = pidOf(connection);
      await assert.rejects(connection.callTool('hush', {}), { name: 'HostError', code: 'lost' });
      await untilRunsAgain(connection, pid);
      assert.ok(!isAlive(pid));
      assert.equal(await textOf(connection.callTool('echo', { text: 'aloud' })), 'aloud');
    });

    test(`with one byte more than 64 MiB loses that call, and says why (${era})`, async () => {
      const connection = await bed.started(faultyServer(era));
      const most = 64 * 1024 * 1024;
      // The end of the line is not of the message.
      const { length } = await textOf(connection.callTool('large', { bytes: most + 1 }));
      assert.ok(length > most - 1_000);
      await assert.rejects(connection.callTool('large', { bytes: most + 2 }), { code: 'lost' });
      await untilState(connection, 'failed');
      assert.ok(bed.logger.has('the server sent a message larger than 64 MiB'));
    });

    test(`with silence to each request for a list still starts (${era})`, async () => {
      const silent = ['tools/list', 'prompts/list', 'resources/list'].map(
        (method) => `--silent-on=${method}`,
      );
      const connection = bed.connection(faultyServer(era, silent), { requestTimeout: () => 1_000 });
      await connection.start();
      assert.equal(await textOf(connection.callTool('echo', { text: 'here' })), 'here');
      await untilSeen(
        () =>
          ['tools', 'prompts', 'resources'].every((kind) =>
            bed.logger.has(`The list of ${kind} could not be read`),
          ),
        'it is logged for each list',
      );
    });
  }

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    for (const [how, write] of Object.entries({
      'an event stream': ({ events }: ScriptedExchange, messages: readonly object[]) => {
        const stream = events();
        messages.forEach((message) => stream.event(`data: ${JSON.stringify(message)}`));
        stream.end();
      },
      JSON: ({ json }: ScriptedExchange, messages: readonly object[]) =>
        json(messages.length === 1 ? messages[0] : messages),
    })) {
      const answerAs = (id: unknown, said: string): object => ({
        jsonrpc: '2.0',
        id,
        result: { content: [{ type: 'text', text: said }], resultType: 'complete' },
      });

      test(`over HTTP, by ${how}, with the digits of an id as a text is understood (${revision})`, async () => {
        const server = bed.endLater(await serveScripted({}, { revision }));
        const connection = await bed.started(httpServer(server.url));
        server.script['tools/call'] = (exchange) =>
          write(exchange, [answerAs(String(exchange.message.id), 'understood')]);
        assert.equal(await textOf(connection.callTool('echo', {})), 'understood');
        assert.equal(await textOf(connection.callTool('echo', {})), 'understood');
        await connection.stop();
        assert.deepEqual(server.received('notifications/cancelled'), []);
        assert.deepEqual(bed.complaints, []);
      });

      test(`over HTTP, by ${how}, with unknown ids affects no request (${revision})`, async () => {
        const server = bed.endLater(await serveScripted({}, { revision }));
        const connection = await bed.started(httpServer(server.url));
        server.script['tools/call'] = (exchange) =>
          write(exchange, [
            ...oddIds.map((id) => answerAs(id, 'odd')),
            answerAs(exchange.message.id, 'its own'),
            answerAs(exchange.message.id, 'again'),
          ]);
        assert.equal(await textOf(connection.callTool('echo', {})), 'its own');
        server.script['tools/call'] = (exchange) =>
          write(
            exchange,
            oddIds.map((id) => answerAs(id, 'odd')),
          );
        await assert.rejects(connection.callTool('echo', {}), { name: 'HostError', code: 'lost' });
        assert.equal(connection.state.kind, 'running');
      });
    }
  }
});
