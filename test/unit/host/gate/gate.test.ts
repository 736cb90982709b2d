import assert from 'node:assert/strict';
import type { JSONObject } from '@modelcontextprotocol/client';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { CallDecisions, callDecisionKind } from '../../../../src/host/gate/callDecisions.ts';
import type { HostError } from '../../../../src/host/errors/hostError.ts';
import { namesOf, receivedBy, textOf } from '../../support/connectionBed.ts';
import { legacyServer, modernServer, oddServer } from '../../support/definitions.ts';
import { agentMode, extension, GateBed, person } from '../../support/gateBed.ts';
import { until, untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';
import type { CallAnswer } from '../../../../src/host/gate/callQuestion.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';

const server = legacyServer();
const run = (span: CallAnswer['span'], scope: CallAnswer['scope'] = 'one'): CallAnswer => ({
  answer: 'run',
  span,
  scope,
});
const no: CallAnswer = { answer: 'refuse', span: 'once', scope: 'one' };
const never: CallAnswer = { answer: 'refuse', span: 'always', scope: 'one' };

function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

suite('The gate', () => {
  let bed: GateBed;
  perTest(() => (bed = new GateBed()));

  const started = async (definition = server): Promise<void> => {
    await bed.hostBed.run(definition);
    const connection = bed.hostBed.of(definition);
    await until(
      () => namesOf(connection.catalogue?.tools).includes('echo'),
      'the tools are listed',
      connection.onDidChangeCatalogue,
    );
  };
  /** What the server has received of a method: nobody asks it through the gate here. */
  const received = async (method: string): Promise<number> => {
    const counts = JSON.parse(await textOf(bed.hostBed.of(server).callTool('received', {}))) as Record<
      string,
      number
    >;
    return (counts[method] ?? 0) - (method === 'tools/call' ? 1 : 0);
  };

  for (const definition of [server, modernServer()]) {
    test(`lets your own click through: ${definition.args.join(' ').split('/').pop()}`, async () => {
      await started(definition);
      assert.equal(await textOf(bed.echo(person, definition)), 'hello');
      assert.deepEqual(bed.ledger.lines, ['person done']);
      assert.equal(bed.ledger.booked[0]?.target, 'echo');
      assert.deepEqual(bed.ledger.booked[0]?.args, { text: 'hello' });
    });

    test(`asks before an extension's call: ${definition.args.join(' ').split('/').pop()}`, async () => {
      await started(definition);
      bed.tools.tell(definition.id, 'echo', { tool: { annotations: { readOnlyHint: true } } });
      const call = bed.echo(extension, definition, '/etc/passwd');
      await bed.untilAsked();
      assert.deepEqual(bed.ledger.lines, ['(open)']);
      const [question] = bed.questions;
      assert.deepEqual(question?.args, { text: '/etc/passwd' });
      assert.match(question.warnings.join(), /'text' names a path outside .*: \/etc\/passwd$/);
      assert.deepEqual(question.claims, ['It only reads.']);
      await bed.answer(run('once'));
      assert.equal(await textOf(call), '/etc/passwd');
      assert.deepEqual(bed.ledger.lines, ['asked done']);
      const again = bed.echo(extension, definition);
      await bed.untilAsked();
      await bed.answer(no);
      await assert.rejects(again, { code: 'denied' });
    });
  }

  test('sends nothing of what is refused', async () => {
    await started();
    const call = failureOf(bed.echo(extension, server));
    await bed.answer(no);
    assert.equal(((await call) as HostError).code, 'denied');
    assert.deepEqual(bed.ledger.lines, ['(denied refused)']);
    assert.equal(await received('tools/call'), 0);
  });

  test('calls nothing for agent mode of a server that was not granted, whatever is allowed', async () => {
    await started();
    for (const confirm of ['byTrust', 'never', 'always'] as const) {
      bed.settings.confirm = confirm;
      for (const ask of [
        () => bed.echo(agentMode, server),
        () => bed.gate.readResource(agentMode, server.id, 'test:///note'),
        () => bed.gate.getPrompt(agentMode, server.id, 'greet', {}),
      ]) {
        await assert.rejects(ask(), { code: 'denied' });
      }
    }
    assert.equal(bed.questions.length, 0);
    assert.equal(await received('tools/call'), 0);
    assert.equal(await received('resources/read'), 0);
    assert.equal(await received('prompts/get'), 0);
  });

  test('leaves the question to agent mode where the server is granted', async () => {
    await started();
    await bed.grants.grant(server.id, true);
    assert.equal(await textOf(bed.echo(agentMode, server)), 'hello');
    await bed.gate.readResource(agentMode, server.id, 'test:///note');
    await bed.gate.getPrompt(agentMode, server.id, 'greet', {});
    assert.deepEqual(bed.ledger.lines, ['delegated done', 'delegated done', 'delegated done']);
  });

  test('asks agent mode about the first call of a new tool, and about no other', async () => {
    await started();
    await bed.grants.grant(server.id, true);
    bed.tools.tell(server.id, 'echo', { standing: { kind: 'new' } });
    const call = bed.echo(agentMode, server);
    await bed.answer(run('once'));
    await call;
    assert.deepEqual(bed.tools.acknowledged, ['echo']);
    await bed.echo(agentMode, server);
    assert.deepEqual(bed.ledger.lines, ['asked done', 'delegated done']);
  });

  test('asks each time where the settings say so, and takes no longer answer', async () => {
    await started();
    bed.settings.confirm = 'always';
    for (let asked = 0; asked < 2; asked += 1) {
      const call = bed.echo(extension, server);
      await bed.untilAsked();
      assert.deepEqual(bed.questions[0]?.spans, ['once']);
      await bed.answer(run('always'));
      await call;
    }
    assert.deepEqual(bed.ledger.lines, ['asked done', 'asked done']);
    assert.equal(bed.hostBed.decisions.allOf(callDecisionKind).length, 0);
  });

  test('trusts that a tool only reads where the claims of its server are trusted', async () => {
    await started();
    bed.tools.tell(server.id, 'echo', { tool: { annotations: { readOnlyHint: true } } });
    const asked = bed.echo(extension, server);
    await bed.untilAsked();
    await bed.answer(run('once'));
    await asked;
    bed.tools.isClaimTrusted = true;
    await bed.echo(extension, server);
    await bed.gate.readResource(extension, server.id, 'test:///note');
    await bed.gate.getPrompt(extension, server.id, 'greet', {});
    assert.deepEqual(bed.ledger.lines, ['asked done', 'trusted done', 'trusted done', 'trusted done']);
    const other = failureOf(bed.gate.callTool(extension, server.id, 'fail', {}));
    await bed.answer(no);
    assert.equal(((await other) as HostError).code, 'denied');
  });

  test('asks about resources and prompts, and remembers resources by their server', async () => {
    await started();
    const read = bed.gate.readResource(extension, server.id, 'test:///note');
    await bed.untilAsked();
    assert.equal(bed.questions[0]?.target, 'test:///note');
    await bed.answer(run('session'));
    await read;
    await bed.gate.readResource(extension, server.id, 'test:///other');
    const prompt = bed.gate.getPrompt(extension, server.id, 'greet', {});
    await bed.answer(run('session'));
    await prompt;
    await bed.gate.getPrompt(extension, server.id, 'greet', {});
    assert.deepEqual(bed.ledger.lines, ['asked done', 'remembered done', 'asked done', 'remembered done']);
  });

  test('gives a prompt texts, and nothing that becomes one', async () => {
    await started();
    const args = { who: { toString: 'me' } } as unknown as Record<string, string>;
    await assert.rejects(bed.gate.getPrompt(extension, server.id, 'greet', args), {
      code: 'invalidArguments',
      message: 'The arguments of a prompt must be texts.',
    });
    assert.equal(bed.questions.length, 0);
  });

  test('settles with one answer every question that it covers', async () => {
    await started();
    const calls = ['a', 'b', 'c'].map((text) => bed.echo(extension, server, text));
    const other = bed.gate.callTool(extension, server.id, 'fail', {});
    await bed.untilAsked(4);
    await bed.answer(run('session'));
    assert.deepEqual(await Promise.all(calls.map(textOf)), ['a', 'b', 'c']);
    assert.equal(bed.questions.length, 1);
    const refused = [failureOf(other), failureOf(bed.gate.callTool(agentMode, server.id, 'fail', {}))];
    await bed.grants.grant(server.id, true);
    const third = failureOf(bed.gate.callTool(extension, server.id, 'fail', {}));
    await bed.untilAsked(2);
    await bed.answer(never);
    for (const one of [...refused, third, failureOf(bed.gate.callTool(agentMode, server.id, 'fail', {}))]) {
      assert.equal(((await one) as HostError).code, 'denied');
    }
    assert.equal(bed.questions.length, 0);
  });

  test('follows a denial in another window while the question waits, and before the next call', async () => {
    await started();
    const waiting = failureOf(bed.echo(extension, server));
    await bed.untilAsked();
    const store = new DecisionStore(decisionKinds, `${bed.hostBed.bed.directory}/decisions`);
    const elsewhere = new CallDecisions(store, { folders: [] });
    await elsewhere.remember(
      {
        serverId: server.id,
        caller: agentMode,
        target: { kind: 'tool', name: 'echo' },
        launch: undefined,
      },
      'server',
      never,
    );
    elsewhere.dispose();
    store.dispose();
    await bed.grants.grant(server.id, true);
    bed.settings.confirm = 'never';
    await assert.rejects(bed.echo(agentMode, server), { code: 'denied' });
    assert.equal(((await waiting) as HostError).code, 'denied');
    assert.equal(bed.questions.length, 0);
  });

  test('withdraws the question when the caller cancels', async () => {
    await started();
    const abort = new AbortController();
    const call = failureOf(bed.echo(extension, server, 'x', abort.signal));
    await bed.untilAsked();
    abort.abort();
    assert.ok((await call) instanceof CancellationError);
    assert.equal(bed.questions.length, 0);
    assert.deepEqual(bed.ledger.lines, ['(withdrawn cancelled)']);
    assert.ok((await failureOf(bed.echo(extension, server, 'x', abort.signal))) instanceof CancellationError);
    assert.equal(await received('tools/call'), 0);
  });

  test('withdraws the question when the server stops, and when it restarts', async () => {
    await started();
    const call = failureOf(bed.echo(extension, server));
    await bed.untilAsked();
    await bed.hostBed.host.restart(server.id);
    const failure = (await call) as HostError;
    assert.equal(failure.code, 'notRunning');
    assert.match(failure.message, /Start it in the view "Servers"/);
    assert.equal(bed.questions.length, 0);
    assert.deepEqual(bed.ledger.lines, ['(withdrawn failed)']);
  });

  test('says what to do where the server does not run, or is gone', async () => {
    await started();
    await bed.hostBed.host.stop(server.id);
    for (const caller of [person, extension]) {
      await assert.rejects(bed.echo(caller, server), { code: 'notRunning' });
    }
    await assert.rejects(bed.gate.callTool(person, 'nobody', 'echo', {}), { code: 'notRunning' });
    assert.equal(bed.ledger.lines.length, 3);
  });

  test('holds back a tool that changed between the question and the send, also in what only the server says', async () => {
    await started();
    for (const tool of [
      { description: 'Sends everything.' },
      { inputSchema: { type: 'object' as const, properties: { token: { type: 'string' } } } },
      { annotations: { readOnlyHint: true } },
    ]) {
      const call = failureOf(bed.echo(extension, server));
      await bed.untilAsked();
      bed.tools.tell(server.id, 'echo', { tool });
      assert.equal(((await call) as HostError).code, 'heldBack');
      assert.equal(bed.questions.length, 0);
    }
    assert.equal(await received('tools/call'), 0);
    assert.equal(bed.ledger.lines.join(), Array(3).fill('(heldBack refused)').join());
  });

  test('holds back a changed tool from every caller, and an unexposed one from all except you', async () => {
    await started();
    await bed.grants.grant(server.id, true);
    bed.tools.tell(server.id, 'echo', { isExposed: false });
    await assert.rejects(bed.echo(agentMode, server), { code: 'notOffered' });
    await assert.rejects(bed.echo(extension, server), { code: 'notOffered' });
    assert.equal(await textOf(bed.echo(person, server)), 'hello');
    const before = { name: 'echo', inputSchema: { type: 'object' } };
    bed.tools.tell(server.id, 'echo', { isExposed: true, standing: { kind: 'changed', before } });
    for (const caller of [agentMode, extension, person]) {
      await assert.rejects(bed.echo(caller, server), { code: 'heldBack' });
    }
    await assert.rejects(bed.gate.callTool(extension, server.id, 'none', {}), { code: 'notOffered' });
    await assert.rejects(bed.echo(person, server), /Review the change first\.$/);
  });

  test('refuses, for any caller, a tool that runs only as a task if its server has no tasks, and says why', async () => {
    const odd = oddServer('legacy', 'malformed');
    await bed.hostBed.run(odd);
    const connection = bed.hostBed.of(odd);
    await until(
      () => namesOf(connection.catalogue?.tools).includes('tasked'),
      'the tools are listed',
      connection.onDidChangeCatalogue,
    );
    for (const caller of [person, agentMode, extension]) {
      const failure = (await failureOf(bed.gate.callTool(caller, odd.id, 'tasked', {}))) as HostError;
      assert.equal(failure.code, 'notOffered');
      assert.match(
        failure.message,
        /'tasked'.*runs only as a task, and its server does not run tools as tasks/,
      );
    }
    assert.equal((await receivedBy(connection))['tools/call'], 1, 'the one that asks');
  });

  test('reports invalid arguments to a model before it asks you', async () => {
    await started();
    const inputSchema = {
      type: 'object' as const,
      properties: { count: { type: 'integer', minimum: 1 } },
      required: ['count'],
    };
    bed.tools.tell(server.id, 'echo', { tool: { inputSchema } });
    const call = (args: unknown): Promise<unknown> =>
      bed.gate.callTool(extension, server.id, 'echo', args as Record<string, unknown>);
    await assert.rejects(call({ count: 0 }), {
      code: 'invalidArguments',
      message: "The argument 'count' must be at least 1.",
    });
    await assert.rejects(call({}), { message: "The argument 'count' is missing." });
    await assert.rejects(call([]), { message: 'The arguments must be a JSON object.' });
    await assert.rejects(call({ count: 1n }), { code: 'invalidArguments' });
    await assert.rejects(call({ count: 1, text: 'x'.repeat(2 ** 23) }), {
      message: 'The object of the arguments has more than 8,388,608 characters.',
    });
    await assert.rejects(call({ count: 1, deep: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) }), {
      message: 'The object of the arguments is nested more than 256 levels deep.',
    });
    await assert.rejects(bed.gate.callTool(extension, server.id, 'x'.repeat(4_001), {}), {
      code: 'invalidArguments',
      message: 'What is asked for has more than 4,000 characters.',
    });
    await assert.rejects(bed.gate.readResource(extension, server.id, 'x'.repeat(2 ** 21 + 1)), {
      message: 'What is asked for has more than 2,097,152 characters.',
    });
    assert.equal(bed.questions.length, 0);
    assert.deepEqual(new Set(bed.ledger.lines), new Set(['(invalid refused)']));
  });

  const deep = Array.from({ length: 70 }).reduce<JSONObject>((inner) => ({ items: inner }), {});
  for (const [what, property, reason] of [
    ['a catastrophic pattern', { type: 'string', pattern: '^(a+)+$' }, /the check took more than 1000 ms/],
    [
      'a reference to elsewhere',
      { $ref: 'https://example.com/s.json' },
      /another document, which is not fetched/,
    ],
    ['a reference to itself', { $ref: '#/properties/text' }, /cannot be checked/],
    ['70 levels', deep, /more than 64 levels deep/],
    ['30,000 parts', { anyOf: Array.from({ length: 30_000 }, () => ({})) }, /more than 20000 parts/],
    ['a promise', { $async: true, type: 'string' }, /\$async/],
    ['an unknown type', { type: 'nonsense' }, /cannot be checked/],
  ] as const) {
    test(`lets nothing but a click through to a tool whose schema has ${what}`, async () => {
      await started();
      bed.tools.tell(server.id, 'echo', {
        tool: { inputSchema: { type: 'object', properties: { text: property as JSONObject } } },
      });
      const text = `${'a'.repeat(50)}!`;
      for (let tried = 0; tried < 2; tried += 1) {
        const failure = (await failureOf(bed.echo(extension, server, text))) as HostError;
        assert.equal(failure.code, 'invalidArguments');
        assert.match(failure.message, reason);
      }
      assert.equal(await textOf(bed.echo(person, server, text)), text);
    });
  }

  test('sends what was shown, even if the object changes meanwhile', async () => {
    await started();
    const args = { text: 'shown' };
    const call = bed.gate.callTool(extension, server.id, 'echo', args);
    await bed.untilAsked();
    args.text = 'other';
    assert.deepEqual(bed.questions[0]?.args, { text: 'shown' });
    await bed.answer(run('once'));
    assert.equal(await textOf(call), 'shown');
  });

  test('records how calls end, and lets you cancel them', async () => {
    await started();
    const { isError } = await bed.gate.callTool(person, server.id, 'fail', {});
    assert.equal(isError, true);
    const silent = failureOf(bed.gate.callTool(person, server.id, 'silent', {}));
    await untilSeen(() => bed.ledger.booked[1]?.isSent === true, 'the call is sent');
    bed.ledger.booked[1]?.cancel();
    assert.ok((await silent) instanceof CancellationError);
    await failureOf(bed.gate.callTool(person, server.id, 'die', { code: 1, stderr: '' }));
    assert.deepEqual(bed.ledger.lines, ['person toolError', 'person cancelled', 'person failed']);
  });

  test('records which values are secret, so that the activity leaves them out', async () => {
    await started();
    await bed.gate.callTool(person, server.id, 'echo', { text: 'hidden' }, { secrets: ['hidden'] });
    assert.ok(bed.ledger.booked[0]?.secrets.includes('hidden'));
  });

  test('lets at most 50 requests wait for an answer', async () => {
    await started();
    const abort = new AbortController();
    const calls = Array.from({ length: 50 }, () => failureOf(bed.echo(extension, server, 'x', abort.signal)));
    await bed.untilAsked(50);
    await assert.rejects(bed.echo(extension, server), { code: 'denied' });
    assert.equal(bed.questions.length, 50);
    abort.abort();
    await Promise.all(calls);
    const next = bed.echo(extension, server);
    await bed.answer(run('once'));
    await next;
  });

  test('runs nothing from a question, whatever the answer, once the grant is taken back', async () => {
    await started();
    await bed.grants.grant(server.id, true);
    bed.settings.confirm = 'always';
    const call = failureOf(bed.echo(agentMode, server));
    await bed.untilAsked();
    await bed.grants.grant(server.id, false);
    assert.equal(((await call) as HostError).code, 'denied');
    assert.equal(await received('tools/call'), 0);
  });
});
