import assert from 'node:assert/strict';
import { textOf } from '../../../support/connectionBed.ts';
import { FaultBed } from '../../../support/faultBed.ts';
import { FaultyHttp } from '../../../support/faultyHttp.ts';
import { untilSeen } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

const kinds = ['Streamable HTTP, legacy', 'HTTP, modern'] as const;

suite('A stream that is cut off before the answer', () => {
  let bed: FaultBed;
  perTest(async () => (bed = await FaultBed.open()));

  for (const kind of kinds) {
    test(`is resumed after its last event, for each of many calls, which are made once (${kind})`, async () => {
      const server = await FaultyHttp.start(bed, kind, ['--ids']);
      const connection = await bed.started(server.definition);
      const texts = Array.from({ length: 20 }, (_, call) => `call ${call}`);
      const calls = texts.map((text) => textOf(connection.callTool('cut', { text })));
      assert.deepEqual(await Promise.all(calls), texts);
      await connection.readResource('test:///cut');
      for (const text of texts) {
        assert.equal(bed.received.times(`tools/call cut ${text}`), 1);
      }
      assert.equal(bed.received.times('resources/read test:///cut'), 1);
      assert.equal(bed.received.timesOf('notifications/cancelled'), 0);
      assert.deepEqual(bed.complaints, []);
      await connection.stop();
      await untilSeen(async () => (await server.open()) === 0, 'nothing of it stays open');
    });

    test(`without an event to resume after loses its call at once, and no other (${kind})`, async () => {
      const server = await FaultyHttp.start(bed, kind);
      const connection = await bed.started(server.definition);
      const other = textOf(connection.callTool('gather', { text: 'other', of: 2 }));
      await untilSeen(() => bed.received.timesOf('tools/call gather') === 1, 'the other call is under way');
      const lost = Array.from({ length: 20 }, (_, call) =>
        assert.rejects(connection.callTool('cut', { text: `${call}` }), { name: 'HostError', code: 'lost' }),
      );
      await Promise.all(lost);
      assert.equal(await textOf(connection.callTool('gather', { text: 'last', of: 2 })), 'last');
      assert.equal(await other, 'other');
      assert.equal(bed.received.timesOf('tools/call cut'), 20, 'no call is repeated');
      // A legacy server goes on unless it is notified; for a modern one, the end of the stream is enough.
      const cancelled = kind === 'HTTP, modern' ? 0 : 20;
      await untilSeen(() => bed.received.timesOf('notifications/cancelled') >= cancelled, 'it was notified');
      await connection.stop();
      assert.equal(bed.received.timesOf('notifications/cancelled'), cancelled);
    });
  }
});
