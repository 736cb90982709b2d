import assert from 'node:assert/strict';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { textOf } from '../../support/connectionBed.ts';
import { taskServer } from '../../support/definitions.ts';
import { agentMode, extension, GateBed, person } from '../../support/gateBed.ts';
import { taskMethods } from '../../support/taskMessages.ts';
import { untilSeen } from '../../support/until.ts';

suite('The gate, for a tool that runs as a task', () => {
  let bed: GateBed;
  const server: ServerDefinition = taskServer();
  setup(async () => {
    bed = new GateBed();
    await bed.hostBed.run(server);
    await bed.hostBed.of(server).catalogue?.listing('tools');
    await bed.grants.grant(server.id, true);
  });
  teardown(() => bed.close());

  async function isCancelled(): Promise<boolean> {
    return (await taskMethods(bed.hostBed.of(server))).includes('tasks/cancel');
  }

  test('gives every caller the result, and records one request', async () => {
    for (const caller of [person, agentMode]) {
      const script = { looks: ['working', 'completed'] };
      assert.equal(await textOf(bed.gate.callTool(caller, server.id, 'work', script)), 'the result');
    }
    assert.deepEqual(bed.ledger.lines, ['person done', 'delegated done']);
  });

  test('asks once, before the task', async () => {
    const call = bed.gate.callTool(extension, server.id, 'work', { looks: ['working', 'completed'] });
    await bed.answer({ answer: 'run', span: 'once', scope: 'one' });
    assert.equal(await textOf(call), 'the result');
    assert.deepEqual(bed.ledger.lines, ['asked done']);
    assert.equal(bed.questions.length, 0);
  });

  test('lets you cancel it in the activity until it has ended', async () => {
    const call = bed.gate.callTool(agentMode, server.id, 'work', { looks: ['working'] });
    const hasBegun = (): boolean => bed.ledger.booked[0]?.isSent === true;
    await untilSeen(hasBegun, 'it is sent');
    assert.deepEqual(bed.ledger.lines, ['open']);
    bed.ledger.booked[0]?.cancel();
    await assert.rejects(call, CancellationError);
    assert.deepEqual(bed.ledger.lines, ['delegated cancelled']);
    await untilSeen(isCancelled, 'the task is cancelled');
  });

  test('records the failure of a tool, without the ID of its task', async () => {
    const id = 'a-secret-between-us';
    const result = { content: [{ type: 'text', text: 'No.' }], isError: true };
    await bed.gate.callTool(person, server.id, 'work', { id, looks: ['failed'], result });
    assert.deepEqual(bed.ledger.lines, ['person toolError']);
    const [booked] = bed.ledger.booked;
    assert.ok(booked);
    assert.ok(booked.secrets.includes(id), 'the ledger leaves it out of all that it writes');
    assert.ok(!JSON.stringify(booked.end).includes(id));
  });
});
