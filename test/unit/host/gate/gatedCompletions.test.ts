import assert from 'node:assert/strict';
import type { Caller } from '../../../../src/host/ledger/caller.ts';
import { receivedBy } from '../../support/connectionBed.ts';
import { legacyServer } from '../../support/definitions.ts';
import { agentMode, extension, GateBed } from '../../support/gateBed.ts';

const server = legacyServer();
const { id } = server;
const greet = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'y' } } as const;
const any = {
  ref: { type: 'ref/resource', uri: 'test:///{name}' },
  argument: { name: 'name', value: 'n' },
} as const;

suite('Suggestions through the gate', () => {
  let bed: GateBed;
  setup(async () => {
    bed = new GateBed();
    await bed.hostBed.run(server);
    await bed.grants.grant(id, true);
  });
  teardown(() => bed.close());

  const asked = async (): Promise<number> =>
    (await receivedBy(bed.hostBed.of(server)))['completion/complete'] ?? 0;
  const never = (caller: Caller, target: { kind: 'prompt' | 'resource'; name?: string }): Promise<void> =>
    bed.decisions.remember({ serverId: id, caller, target, launch: bed.tools.launchOf() }, 'server', {
      answer: 'refuse',
      span: 'always',
      scope: 'one',
    });

  test('are asked for as agent mode gets prompts and reads resources', async () => {
    assert.equal((await bed.gate.complete(agentMode, id, greet)).values.length, 100);
    assert.equal((await bed.gate.complete(agentMode, id, any)).values.length, 100);
    assert.deepEqual(bed.ledger.lines, ['delegated done', 'delegated done']);
    assert.deepEqual(
      bed.ledger.booked.map(({ method, target }) => [method, target]),
      [
        ['completion/complete', 'greet'],
        ['completion/complete', 'test:///{name}'],
      ],
    );
  });

  test('are for no server that was not granted', async () => {
    await bed.grants.grant(id, false);
    await assert.rejects(bed.gate.complete(agentMode, id, greet), { code: 'denied' });
    assert.deepEqual(bed.ledger.lines, ['(denied refused)']);
    assert.equal(await asked(), 0);
  });

  test('are not for what is never allowed', async () => {
    await never(extension, { kind: 'prompt', name: 'greet' });
    await assert.rejects(bed.gate.complete(agentMode, id, greet), { code: 'denied' });
    assert.equal((await bed.gate.complete(agentMode, id, any)).values.length, 100);
    await never(extension, { kind: 'resource' });
    await assert.rejects(bed.gate.complete(agentMode, id, any), { code: 'denied' });
    assert.equal(await asked(), 1);
  });

  test('are empty where each request needs your answer, and ask nothing', async () => {
    bed.settings.confirm = 'always';
    await assert.rejects(bed.gate.complete(agentMode, id, greet), { code: 'denied' });
    bed.settings.confirm = 'byTrust';
    await assert.rejects(bed.gate.complete(extension, id, greet), { code: 'denied' });
    assert.deepEqual(bed.questions, []);
    assert.equal(await asked(), 0);
  });

  test('are limited in number for all requests together', async () => {
    const requests = Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? greet : any));
    const all = await Promise.all(requests.map((params) => bed.gate.complete(agentMode, id, params)));
    assert.equal(all.filter(({ values }) => values.length > 0).length, 30);
    assert.equal(await asked(), 30);
    assert.equal(bed.ledger.lines.filter((line) => line === '(limited refused)').length, 970);
  });

  test('are not asked for with a long text', async () => {
    const long = { ...greet, argument: { name: 'who', value: 'x'.repeat(1_001) } };
    assert.deepEqual((await bed.gate.complete(agentMode, id, long)).values, []);
    assert.equal(await asked(), 0);
  });

  test('end when their caller cancels', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(bed.gate.complete(agentMode, id, greet, signal), { name: 'CancellationError' });
    assert.deepEqual(bed.ledger.lines, ['(withdrawn cancelled)']);
  });
});
