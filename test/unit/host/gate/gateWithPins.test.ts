import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import type { AgentGrants } from '../../../../src/host/gate/agentGrants.ts';
import { CallDecisions } from '../../../../src/host/gate/callDecisions.ts';
import type { Gate } from '../../../../src/host/gate/gate.ts';
import type { Ledger } from '../../../../src/host/ledger/ledger.ts';
import { receivedBy, textOf } from '../../support/connectionBed.ts';
import { legacyServer } from '../../support/definitions.ts';
import { agentMode, extension, person } from '../../support/gateBed.ts';
import { ToolsBed } from '../../support/toolsBed.ts';
import { until, untilSeen } from '../../support/until.ts';
import { type CallQuestion, callQuestions } from '../../../../src/host/gate/callQuestion.ts';

const server = legacyServer();
const { id } = server;
const echo = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } };

suite('The gate with tools that are pinned', () => {
  let bed: ToolsBed;
  let grants: AgentGrants;
  let ledger: Ledger;
  let gate: Gate;
  setup(async () => {
    bed = new ToolsBed();
    ({ grants, ledger, gate } = bed);
    await bed.runCompared(server);
    await bed.list(server, [echo]);
    await bed.tools.accept(bed.tools.changes(id) ?? assert.fail('echo has no description at first'));
    await grants.grant(id, true);
  });
  teardown(() => bed.close());

  const asked = (): readonly CallQuestion[] => bed.asked(callQuestions);
  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(undefined, (error: unknown) => error);

  test('lets a tool through that is as it was, and holds back one that is not, until it is accepted', async () => {
    const call = (): Promise<string> => textOf(gate.callTool(agentMode, id, 'echo', { text: 'x' }));
    assert.equal(await call(), 'x');
    for (const changed of [
      { ...echo, description: 'Says it again, to everybody.' },
      { ...echo, inputSchema: { type: 'object', properties: { token: { type: 'string' } } } },
      { ...echo, annotations: { readOnlyHint: true } },
    ]) {
      await bed.list(server, [changed]);
      await assert.rejects(call(), { code: 'heldBack' });
      await assert.rejects(gate.callTool(person, id, 'echo', { text: 'x' }), { code: 'heldBack' });
      await bed.tools.accept(bed.tools.changes(id) ?? assert.fail('nothing is held back'));
      assert.equal(await call(), 'x');
    }
  });

  test('holds back a tool that changes while you are asked', async () => {
    const call = failureOf(gate.callTool(extension, id, 'echo', { text: 'x' }));
    await bed.untilAsked(callQuestions);
    await bed.list(server, [{ ...echo, description: 'Something else.' }]);
    const failure = await call;
    assert.ok(failure instanceof Error && 'code' in failure);
    assert.equal(failure.code, 'heldBack');
    assert.deepEqual(asked(), []);
    assert.deepEqual(
      ledger.entries.map(({ decision, outcome }) => [decision, outcome]),
      [['heldBack', 'refused']],
    );
  });

  test('goes on asking when the same list comes again', async () => {
    const call = textOf(gate.callTool(extension, id, 'echo', { text: 'x' }));
    await bed.untilAsked(callQuestions);
    const listed = async (): Promise<number> => (await receivedBy(bed.of(server)))['tools/list'] ?? 0;
    const before = await listed();
    await bed.of(server).callTool('list', { kind: 'tools', entries: [echo] });
    await untilSeen(async () => (await listed()) > before, 'the server is listed again');
    await bed.of(server).catalogue?.listing('tools');
    await bed.tools.settled();
    const [question] = asked();
    assert.ok(question);
    bed.questions.answer(question, { answer: 'run', span: 'once', scope: 'one' });
    assert.equal(await call, 'x');
  });

  test('asks about the first call of a tool that came later, where later tools are offered', async () => {
    await bed.tools.offerNew(id, true);
    const inputSchema = { type: 'object', properties: { how: { type: 'string' } } };
    await bed.list(server, [echo, { name: 'later', inputSchema }]);
    const call = gate.callTool(agentMode, id, 'later', {});
    await bed.untilAsked(callQuestions);
    const [question] = asked();
    assert.ok(question);
    bed.questions.answer(question, { answer: 'run', span: 'once', scope: 'one' });
    assert.equal((await call).isError, true);
    assert.equal((await gate.callTool(agentMode, id, 'later', {})).isError, true);
    assert.deepEqual(
      ledger.entries.map(({ decision, outcome }) => [decision, outcome]),
      [
        ['delegated', 'toolError'],
        ['asked', 'toolError'],
      ],
    );
  });

  suite('between your answer and the send', () => {
    const changes: Readonly<Record<string, readonly [code: string, change: () => Promise<unknown>]>> = {
      'the tool changes': [
        'heldBack',
        () => bed.list(server, [{ ...later, description: 'Something else.' }]),
      ],
      'its availability to chat is taken back': ['denied', () => grants.grant(id, false)],
      'the server is removed': ['notRunning', async () => bed.configure([])],
    };
    const later = { name: 'later', inputSchema: { type: 'object', properties: { how: { type: 'string' } } } };
    teardown(() => mock.restoreAll());

    for (const [what, [code, change]] of Object.entries(changes)) {
      test(`sends nothing when ${what}`, async () => {
        await bed.tools.offerNew(id, true);
        await bed.list(server, [echo, later]);
        const connection = bed.of(server);
        const sent = mock.method(connection, 'callTool');
        const remember = Object.getOwnPropertyDescriptor(CallDecisions.prototype, 'remember')?.value;
        mock.method(CallDecisions.prototype, 'remember', async function (this: CallDecisions, ...args: []) {
          await Reflect.apply(remember, this, args);
          await change();
          sent.mock.resetCalls();
        });
        const call = gate.callTool(agentMode, id, 'later', {});
        await bed.untilAsked(callQuestions);
        bed.questions.answer(asked()[0] ?? assert.fail('no question'), {
          answer: 'run',
          span: 'once',
          scope: 'one',
        });
        await assert.rejects(call, { code });
        assert.equal(sent.mock.callCount(), 0);
      });
    }
  });

  test('fetches nothing that a schema refers to', async () => {
    let fetched = 0;
    const web = createServer((_request, response) => {
      fetched += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
    try {
      const $ref = `http://127.0.0.1:${(web.address() as AddressInfo).port}/s.json`;
      await bed.list(server, [{ ...echo, inputSchema: { type: 'object', properties: { text: { $ref } } } }]);
      await bed.tools.accept(bed.tools.changes(id) ?? assert.fail('nothing is held back'));
      await assert.rejects(gate.callTool(agentMode, id, 'echo', { text: 'x' }), {
        code: 'invalidArguments',
        message: /refers to another document, which is not fetched/,
      });
      assert.equal(await textOf(gate.callTool(person, id, 'echo', { text: 'x' })), 'x');
      assert.equal(fetched, 0);
    } finally {
      web.close();
    }
  });

  test('compares a tool that is called as soon as a server has restarted', async () => {
    await bed.host.restart(id);
    await until(
      () => bed.tools.check(id, 'echo') !== undefined,
      'the tools are listed',
      bed.of(server).onDidChangeCatalogue,
    );
    // The server forgets what it listed when it starts again: its tools are what they were at first.
    const failure = await failureOf(gate.callTool(agentMode, id, 'echo', { text: 'x' }));
    assert.ok(failure instanceof Error && 'code' in failure);
    assert.equal(failure.code, 'heldBack');
  });
});
