import assert from 'node:assert/strict';
import { callerKey, callerText, isIdentified, type Caller } from '../../../../src/host/ledger/caller.ts';
import { namesOf, textOf } from '../../support/connectionBed.ts';
import { legacyServer } from '../../support/definitions.ts';
import { agentMode, GateBed } from '../../support/gateBed.ts';
import { until } from '../../support/until.ts';

const inChat: Caller = { kind: 'chat', isInChat: true };
const elsewhere: Caller = { kind: 'chat', isInChat: false };

suite("A model that uses MCP Host's own tools", () => {
  let bed: GateBed;
  const server = legacyServer();

  setup(async () => {
    bed = new GateBed();
    await bed.hostBed.run(server);
    const connection = bed.hostBed.of(server);
    await until(
      () => namesOf(connection.catalogue?.tools).includes('echo'),
      'the tools are listed',
      connection.onDidChangeCatalogue,
    );
  });

  teardown(() => bed.close());

  test('is identified in chat only', () => {
    assert.deepEqual([inChat, elsewhere].map(isIdentified), [true, false]);
    assert.equal(new Set([inChat, elsewhere, agentMode].map(callerKey)).size, 3);
    assert.equal(callerText(inChat), 'A model in chat');
    assert.equal(callerText(elsewhere), 'A model or an extension that could not be identified');
  });

  test('reaches no server that is not in chat', async () => {
    for (const caller of [inChat, elsewhere]) {
      await assert.rejects(bed.echo(caller, server), { code: 'denied', message: /not in chat/ });
    }
    assert.deepEqual(bed.ledger.lines, ['(denied refused)', '(denied refused)']);
  });

  test('is asked about, although agent mode is not, and an answer for longer holds for chat alone', async () => {
    await bed.grants.grant(server.id, true);
    assert.equal(await textOf(bed.echo(agentMode, server)), 'hello');
    const first = bed.echo(inChat, server);
    await bed.answer({ answer: 'run', span: 'session', scope: 'one' });
    assert.equal(await textOf(first), 'hello');
    assert.equal(await textOf(bed.echo(inChat, server)), 'hello');
    const other = bed.echo(elsewhere, server);
    await bed.untilAsked();
    assert.deepEqual(bed.questions[0]?.spans, ['once']);
    await bed.answer({ answer: 'run', span: 'once', scope: 'one' });
    await other;
    assert.deepEqual(bed.ledger.lines, ['delegated done', 'asked done', 'remembered done', 'asked done']);
  });

  test('runs nothing from a question once the server is withdrawn from chat', async () => {
    await bed.grants.grant(server.id, true);
    const call = assert.rejects(bed.echo(inChat, server), { code: 'denied' });
    await bed.untilAsked();
    await bed.grants.grant(server.id, false);
    await call;
    assert.deepEqual(bed.questions, []);
    assert.deepEqual(bed.ledger.lines, ['(denied refused)']);
  });
});
