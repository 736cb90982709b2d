import assert from 'node:assert/strict';
import { packageScript, samplingServer, stdioServer } from '../../support/definitions.ts';
import { textOf } from '../../support/connectionBed.ts';
import { ElicitationBed } from '../../support/elicitationBed.ts';
import { untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';
import { elicitationQuestions } from '../../../../src/host/elicitation/elicitationQuestion.ts';
import { elicitationDecisionKind } from '../../../../src/host/elicitation/elicitationDecision.ts';

const person = {
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', minLength: 2 },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'], default: 'g' },
    },
    required: ['name'],
  },
};

suite('Forms of servers', () => {
  let bed: ElicitationBed;
  perTest(() => (bed = new ElicitationBed()));

  const server = samplingServer();

  for (const [era, one] of [
    ['2025-06-18', samplingServer(['--revision=2025-06-18'])],
    ['2025-11-25', server],
    ['2026-07-28', samplingServer(['--modern'])],
  ] as const) {
    suite(`of revision ${era}`, () => {
      test('get exactly what was submitted', async () => {
        await bed.hostBed.run(one);
        const got = bed.ask(one, person);
        const { open, requests } = await bed.form();
        assert.equal(open.request.message, 'Who are you?');
        assert.deepEqual(
          requests.map(({ target }) => target),
          ['ask'],
        );
        assert.deepEqual(open.entered, ['', '', '', '1'], 'the default is shown');
        assert.deepEqual(await open.submit(['J', 'x', '', '']), [
          { path: [0], message: 'This has 1 character; at least 2 characters can be sent.' },
          { path: [1], message: 'This must be an e-mail address, such as name@example.com' },
        ]);
        assert.equal(bed.waiting.length, 1, 'nothing is sent that is not valid');
        assert.deepEqual(await open.submit(['Jo', '', ' 42 ', '0']), []);
        assert.deepEqual(await got, {
          result: { action: 'accept', content: { name: 'Jo', age: 42, color: 'r' } },
        });
        assert.deepEqual(bed.waiting, []);
        assert.deepEqual(bed.ledger.lines, ['(asked done)']);
      });

      for (const action of ['decline', 'cancel'] as const) {
        test(`get nothing but '${action}'`, async () => {
          await bed.hostBed.run(one);
          const got = bed.ask(one, person);
          const { open } = await bed.form();
          open.end({ action });
          open.end({ action: 'decline' });
          assert.deepEqual(await got, { result: { action } });
          assert.deepEqual(bed.waiting, []);
        });
      }

      test('end with the server', async () => {
        await bed.hostBed.run(one);
        const got = bed.ask(one, person).catch(() => {});
        await bed.form();
        await bed.hostBed.of(one).stop();
        await got;
        await bed.untilNothingWaits();
        assert.deepEqual(bed.ledger.lines, ['(withdrawn cancelled)']);
      });
    });
  }

  test('are not in revisions before 2025-06-18', async () => {
    const early = samplingServer(['--revision=2025-03-26']);
    await bed.hostBed.run(early);
    assert.partialDeepStrictEqual(await bed.ask(early, person), { error: { code: -32_602 } });
    assert.deepEqual(bed.waiting, []);
  });

  test('are asked one at a time', async () => {
    await bed.hostBed.run(server);
    const all = [
      bed.ask(server, { ...person, message: 'One' }),
      bed.ask(server, { ...person, message: 'Two' }),
    ];
    const first = await bed.form();
    first.open.end({ action: 'decline' });
    await untilSeen(() => bed.waiting.some((one) => one !== first), 'the next form waits');
    assert.equal(bed.waiting.length, 1);
    bed.waiting[0]?.open.end({ action: 'cancel' });
    const actions = (await Promise.all(all)).map(
      (got) => (got as { result: { action: string } }).result.action,
    );
    assert.deepEqual(actions.toSorted(), ['cancel', 'decline']);
  });

  test('are refused in a flood, and recorded once', async () => {
    await bed.hostBed.run(server);
    const counted = bed.ask(server, person, { times: 60, ms: 1 }, 'flood');
    await untilSeen(() => bed.waiting.length > 0, 'a form waits');
    for (let answered = 0; answered < 20; answered += 1) {
      const { open } = await bed.form();
      open.end({ action: 'decline' });
      await untilSeen(() => bed.waiting[0]?.open !== open, 'the form is gone');
    }
    assert.deepEqual(await counted, {
      result: 20,
      '-32603 More than 20 requests to you came in a minute, which is the limit.': 40,
    });
    await bed.clock.tick(120_000);
    assert.equal(bed.ledger.lines.filter((line) => line === '(limited refused)').length, 1);
  });

  test('are withdrawn when the server gives up', async () => {
    await bed.hostBed.run(server);
    const got = bed.ask(server, person, { ms: 300 }, 'giveUp');
    await bed.form();
    await got;
    await bed.untilNothingWaits();
  });

  test('can be refused for good, until that is taken back', async () => {
    await bed.hostBed.run(server);
    const got = bed.ask(server, person);
    const { open } = await bed.form();
    open.end({ action: 'never' });
    assert.deepEqual(await got, { result: { action: 'decline' } });
    assert.deepEqual(await bed.ask(server, person), { result: { action: 'decline' } });
    const { decisions } = bed.hostBed;
    await untilSeen(() => decisions.allOf(elicitationDecisionKind).length === 1, 'it is kept');
    assert.deepEqual(bed.broker.modesFor(server), []);
    const connection = bed.hostBed.of(server);
    assert.deepEqual(connection.elicitationModes, ['form', 'url'], 'they were declared before');
    await connection.restart();
    assert.deepEqual(connection.elicitationModes, []);
    const [kept] = decisions.allOf(elicitationDecisionKind);
    await decisions.forget(kept?.id ?? '');
    assert.deepEqual(bed.broker.modesFor(server), ['form', 'url']);
  });

  test('propose the last answer to the same form of the same launch', async () => {
    await bed.hostBed.run(server);
    const first = bed.ask(server, person);
    await (await bed.form()).open.submit(['Jo', '', '', '0']);
    await first;
    await bed.untilNothingWaits();
    const again = bed.ask(server, { ...person, message: 'And now?' });
    const { open } = await bed.form();
    assert.ok(open.isProposed);
    assert.deepEqual(open.entered, ['Jo', '', '', '0']);
    open.end({ action: 'cancel' });
    await again;
    await bed.untilNothingWaits();
    const other = bed.ask(server, {
      ...person,
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    });
    const different = await bed.form();
    assert.ok(!different.open.isProposed);
    different.open.end({ action: 'cancel' });
    await other;
  });

  test('have properties with the names of what every object inherits', async () => {
    await bed.hostBed.run(server);
    const names = ['constructor', 'hasOwnProperty', 'toString', 'valueOf'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', pattern: '^x*$' }]));
    const got = bed.ask(server, {
      message: 'Hi',
      requestedSchema: { type: 'object', properties, required: ['constructor'], additionalProperties: false },
    });
    const { open } = await bed.form();
    assert.deepEqual(await open.submit(['', '', '', '']), [{ path: [0], message: 'This is required.' }]);
    assert.deepEqual(
      await open.submit(['x', '', 'y', '']),
      [{ path: [2], message: 'This must match pattern "^x*$".' }],
      'patterns are checked, too',
    );
    assert.deepEqual(await open.submit(['x', '', 'xx', '']), []);
    assert.deepEqual(await got, {
      result: { action: 'accept', content: { constructor: 'x', toString: 'xx' } },
    });
  });

  test('are flagged if they ask for a secret, and then neither proposed nor recorded', async () => {
    await bed.hostBed.run(server);
    const secret = {
      message: 'Sign in',
      requestedSchema: { type: 'object', properties: { password: { type: 'string' } } },
    };
    for (let round = 0; round < 2; round += 1) {
      const got = bed.ask(server, secret);
      const { open } = await bed.form();
      assert.ok(open.request.isFlagged);
      assert.ok(!open.isProposed);
      await open.submit(['hunter22']);
      await got;
      await bed.untilNothingWaits();
    }
    assert.ok(!JSON.stringify(bed.ledger.booked).includes('hunter22'));
    const asking = bed.ask(server, { ...person, message: 'Enter your API key as the name.' });
    const { open } = await bed.form();
    assert.ok(open.request.isFlagged, 'by its message');
    open.end({ action: 'decline' });
    await asking;
  });

  test('say that servers must not ask for passwords, where you can write text', async () => {
    await bed.hostBed.run(server);
    const rule = 'Servers must not ask for passwords or keys in a form.';
    for (const [field, expected] of [
      [{ type: 'string' }, rule],
      [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ''],
      [{ type: 'boolean' }, ''],
    ] as const) {
      const requestedSchema = { type: 'object', properties: { field } };
      const asking = bed.ask(server, { message: 'Hi', requestedSchema });
      const question = await bed.form();
      const context = { id: '1', placeOf: () => '.mcp.json', isRenewed: false };
      assert.equal(elicitationQuestions.view(question, context).rule, expected);
      question.open.end({ action: 'cancel' });
      await asking;
      await bed.untilNothingWaits();
    }
  });

  test('leave what you enter in the activity only where contents are kept', async () => {
    await bed.hostBed.run(server);
    for (const storesContent of [true, false]) {
      bed.settings.storesContent = storesContent;
      const got = bed.ask(server, person);
      const { open } = await bed.form();
      assert.deepEqual(await open.submit(['Jo Doe', '', '42', '0']), []);
      await got;
      await bed.untilNothingWaits();
      const { result } = bed.ledger.booked.at(-1)?.end ?? {};
      assert.partialDeepStrictEqual(result, { action: 'accept' });
      assert.equal(JSON.stringify(result).includes('42'), storesContent);
    }
  });

  for (const [what, params] of [
    ['without a message', { requestedSchema: person.requestedSchema }],
    ['without a schema', { message: 'Hi' }],
    ['of a list', { message: 'Hi', requestedSchema: { type: 'array' } }],
    ['of an unknown mode', { mode: 'voice', message: 'Hi' }],
  ] as const) {
    test(`are malformed ${what}`, async () => {
      await bed.hostBed.run(server);
      assert.partialDeepStrictEqual(await bed.ask(server, params), { error: { code: -32_602 } });
      assert.deepEqual(bed.waiting, []);
    });
  }

  test('of the reference server are answered', async () => {
    const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything')]);
    await bed.hostBed.run(everything);
    const tool = 'trigger-elicitation-request';
    const got = textOf(bed.hostBed.of(everything).callTool(tool, {}));
    const { open } = await bed.form();
    const { form, isFlagged } = open.request;
    assert.ok(!isFlagged, 'it warns of secrets, and asks for none');
    assert.ok(form.kind === 'object' && form.fields.length > 3);
    const entered = form.fields.map(({ name }, index) =>
      name === 'name' ? 'Jo Doe' : (open.entered[index] ?? ''),
    );
    assert.deepEqual(await open.submit(entered), []);
    assert.match(await got, /User provided the requested information/);
    assert.partialDeepStrictEqual(bed.ledger.booked[0]?.end?.result, {
      content: { name: 'Jo Doe', integer: 42 },
    });
  });
});
