import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { textOf } from '../../../support/connectionBed.ts';
import { FaultyHttp, httpKinds, type HttpKind } from '../../../support/faultyHttp.ts';
import { person } from '../../../support/gateBed.ts';
import { Leftovers } from '../../../support/leftovers.ts';
import { ReceivedRecord } from '../../../support/receivedRecord.ts';
import { ToolsBed } from '../../../support/toolsBed.ts';
import { untilSeen } from '../../../support/until.ts';

/** Whatever asks a server goes through the gate, which repeats what the server has not seen. */
suite('A server over HTTP that was started again on its port', () => {
  let leftovers: Leftovers;
  let bed: ToolsBed;
  let received: ReceivedRecord;
  setup(async () => {
    leftovers = await Leftovers.begin();
    bed = new ToolsBed({ backoff: { firstMs: 1, maxMs: 100, tries: 1_000, stableMs: 60_000 } });
    received = new ReceivedRecord(bed.bed.directory);
  });
  teardown(async () => {
    await bed.close();
    await leftovers.check();
  });

  async function started(
    kind: HttpKind,
  ): Promise<{ server: FaultyHttp; definition: ServerDefinition; echo: (text: string) => Promise<string> }> {
    const served = { received, endLater: (one: FaultyHttp) => bed.bed.endLater(one) };
    const server = await FaultyHttp.start(served, kind);
    const { definition } = server;
    await bed.runCompared(definition);
    const echo = async (text: string): Promise<string> => {
      try {
        return await textOf(bed.gate.callTool(person, definition.id, 'echo', { text }));
      } catch (error) {
        // Its own stream may have told before that the session is gone.
        assert.ok(error instanceof HostError && error.code === 'notRunning', String(error));
        await bed.until(definition, 'running');
        return textOf(bed.gate.callTool(person, definition.id, 'echo', { text }));
      }
    };
    return { server, definition, echo };
  }

  for (const kind of ['Streamable HTTP, legacy', 'HTTP, modern'] as const) {
    test(`answers the next call, which it gets once (${kind})`, async () => {
      const { server, echo } = await started(kind);
      await server.restart();
      assert.equal(await echo('next'), 'next');
      assert.equal(received.times('tools/call echo next'), 1);
      assert.equal(received.times('initialize'), kind === 'HTTP, modern' ? 0 : 2);
    });

    test(`answers several calls at once, each of which it gets once (${kind})`, async () => {
      const { server, echo } = await started(kind);
      await server.restart();
      const texts = Array.from({ length: 20 }, (_, call) => `call ${call}`);
      assert.deepEqual(await Promise.all(texts.map(echo)), texts);
      for (const text of texts) {
        assert.equal(received.times(`tools/call echo ${text}`), 1);
      }
      assert.equal(received.times('initialize'), kind === 'HTTP, modern' ? 0 : 2);
    });
  }

  for (const kind of Object.keys(httpKinds) as HttpKind[]) {
    test(`answers what is read, and answers nothing twice (${kind})`, async () => {
      const { server, definition, echo } = await started(kind);
      await server.restart();
      await untilSeen(
        () =>
          bed
            .of(definition)
            .readResource('test:///note')
            .then(Boolean, () => false),
        'it is read',
      );
      assert.equal(received.times('resources/read test:///note'), 1);
      assert.equal(await echo('next'), 'next');
      assert.equal(received.times('tools/call echo next'), 1);
    });
  }
});
