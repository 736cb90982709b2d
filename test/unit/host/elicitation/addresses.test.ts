import assert from 'node:assert/strict';
import type { AddressQuestion } from '../../../../src/host/elicitation/addressQuestion.ts';
import { textOf } from '../../support/connectionBed.ts';
import { addressServer, packageScript, samplingServer, stdioServer } from '../../support/definitions.ts';
import { ElicitationBed } from '../../support/elicitationBed.ts';
import { GateBed, person } from '../../support/gateBed.ts';
import { untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

const address = {
  mode: 'url',
  message: 'Connect your account.',
  url: 'https://connect.example/start?x=1',
  elicitationId: 'a 1',
};

suite('Addresses of servers', () => {
  let bed: ElicitationBed;
  perTest(() => (bed = new ElicitationBed()));

  /** The question after another one. */
  const next = async (before: AddressQuestion): Promise<AddressQuestion> => {
    await untilSeen(() => bed.addresses.some((one) => one !== before), 'the next address waits');
    return bed.address();
  };
  /** What `connect` of the server gives. */
  const connect = (args: object = {}, server = addressServer()): Promise<string> =>
    textOf(bed.hostBed.of(server).callTool('connect', { ...args }));

  for (const [era, server] of [
    ['2025-11-25', samplingServer()],
    ['2026-07-28', samplingServer(['--modern'])],
  ] as const) {
    suite(`of revision ${era}`, () => {
      test('are opened by you alone, and agreed to at once', async () => {
        await bed.hostBed.run(server);
        const got = bed.ask(server, address);
        const { open, requests } = await bed.address();
        assert.deepEqual(
          requests.map(({ target }) => target),
          ['ask'],
        );
        assert.equal(open.asked[0]?.address.url, address.url);
        assert.deepEqual(bed.visited, [], 'nothing is opened before');
        await open.openAt(0);
        assert.deepEqual(await got, { result: { action: 'accept' } });
        assert.deepEqual(bed.visited, [address.url]);
        await bed.untilNothingWaits();
        assert.deepEqual(bed.ledger.lines, ['(asked done)']);
        assert.equal(bed.ledger.booked[0]?.target, 'address');
      });

      for (const action of ['decline', 'cancel'] as const) {
        test(`are not opened after '${action}'`, async () => {
          await bed.hostBed.run(server);
          const got = bed.ask(server, address);
          const { open } = await bed.address();
          open.end({ action });
          await open.openAt(0);
          assert.deepEqual(await got, { result: { action } });
          assert.deepEqual(bed.visited, []);
        });
      }

      test('are copied where the editor does not open them, and then agreed to', async () => {
        bed.canOpen = false;
        await bed.hostBed.run(server);
        const got = bed.ask(server, address);
        const { open } = await bed.address();
        open.doneAt(0);
        assert.deepEqual(open.states, ['asked'], 'nothing can be done that was not opened');
        await open.openAt(0);
        assert.deepEqual(open.states, ['notOpened']);
        open.doneAt(0);
        assert.equal(open.answer, undefined);
        open.copiedAt(0);
        open.doneAt(0);
        assert.deepEqual(await got, { result: { action: 'accept' } });
      });

      test('end with the server', async () => {
        await bed.hostBed.run(server);
        const got = bed.ask(server, address).catch(() => {});
        const { open } = await bed.address();
        await bed.hostBed.of(server).stop();
        await got;
        await bed.untilNothingWaits();
        assert.equal(open.answer, undefined);
        assert.deepEqual(bed.ledger.lines, ['(withdrawn cancelled)']);
      });
    });
  }

  test('are not in 2025-06-18, which has only forms', async () => {
    const server = samplingServer(['--revision=2025-06-18']);
    await bed.hostBed.run(server);
    assert.deepEqual(await bed.ask(server, address), {
      error: { code: -32_602, message: "Revision 2025-06-18 has no mode 'url'." },
    });
    assert.deepEqual(bed.addresses, []);
  });

  test('are required by no error of 2025-06-18', async () => {
    const server = addressServer(['--revision=2025-06-18']);
    await bed.hostBed.run(server);
    await assert.rejects(connect({}, server), { code: 'protocol', message: /\(-32042\)$/ });
    assert.deepEqual(bed.addresses, []);
  });

  test('are asked one at a time, together with forms', async () => {
    const server = samplingServer();
    await bed.hostBed.run(server);
    const form = { message: 'Hi', requestedSchema: { type: 'object', properties: {} } };
    const all = [bed.ask(server, address), bed.ask(server, form)];
    const one = await bed.address();
    assert.deepEqual(bed.waiting, []);
    one.open.end({ action: 'decline' });
    (await bed.form()).open.end({ action: 'decline' });
    assert.deepEqual(await Promise.all(all), [
      { result: { action: 'decline' } },
      { result: { action: 'decline' } },
    ]);
  });

  test('can be refused for good, as forms are', async () => {
    const server = addressServer();
    await bed.hostBed.run(server);
    const got = assert.rejects(connect(), { code: 'denied' });
    (await bed.address()).open.end({ action: 'never' });
    await got;
    assert.deepEqual(bed.broker.modesFor(server), []);
    await assert.rejects(connect({ count: 2 }), { code: 'denied' });
    assert.deepEqual(bed.addresses, []);
  });

  test('that a request requires at 2026-07-28 again are not opened twice without a word', async () => {
    const server = addressServer(['--modern']);
    await bed.hostBed.run(server);
    const got = connect({ rounds: 3 }, server);
    let question = await bed.address();
    assert.ok(!question.open.occasion.wasOpened);
    await question.open.openAt(0);
    for (let round = 1; round < 3; round += 1) {
      question = await next(question);
      assert.ok(question.open.occasion.wasOpened);
      assert.deepEqual(question.open.states, ['opened']);
      question.open.doneAt(0);
    }
    assert.deepEqual(JSON.parse(await got), { rounds: 3, answer: { action: 'accept' } });
    assert.equal(bed.visited.length, 1);
  });

  test('that a request requires forever end after some rounds', async () => {
    const server = addressServer(['--modern']);
    await bed.hostBed.run(server);
    const got = assert.rejects(connect({ rounds: 100 }, server), { code: 'protocol' });
    let question = await bed.address();
    await question.open.openAt(0);
    for (let round = 1; round < 10; round += 1) {
      question = await next(question);
      question.open.doneAt(0);
    }
    await got;
    assert.equal(bed.ledger.lines.length, 10);
  });

  suite('that a request requires (-32042)', () => {
    const server = addressServer();
    setup(() => bed.hostBed.run(server));

    test('are opened, waited for, and then the request goes once more', async () => {
      const got = connect();
      const { open, requests } = await bed.address();
      assert.ok(open.occasion.areRequired);
      assert.deepEqual(
        requests.map(({ target }) => target),
        ['connect'],
      );
      await open.openAt(0);
      assert.deepEqual(open.states, ['opened']);
      assert.equal(bed.ledger.booked[0]?.isSent, true, 'it waits for the server');
      const [url = ''] = bed.visited;
      await fetch(url.replace('/connect', '/done'));
      assert.deepEqual(JSON.parse(await got), { calls: 2, visited: ['{} 0 0'] });
      await bed.untilNothingWaits();
      assert.deepEqual(bed.ledger.lines, ['asked done']);
      const touched = await textOf(bed.hostBed.of(server).callTool('touched', {}));
      assert.deepEqual(JSON.parse(touched), { '{} 0 0': 1 }, 'the host has fetched nothing');
    });

    test('are done when you say so', async () => {
      const got = connect();
      const { open } = await bed.address();
      open.copiedAt(0);
      open.doneAt(0);
      assert.partialDeepStrictEqual(JSON.parse(await got), { calls: 2 });
      assert.deepEqual(bed.visited, []);
    });

    test('are several at once, all of which have to be done', async () => {
      const got = connect({ count: 3 });
      const { open } = await bed.address();
      assert.equal(open.asked.length, 3);
      await open.openAt(0);
      await open.openAt(2);
      open.doneAt(0);
      open.completed(open.asked[2]?.id ?? '');
      open.completed('of another');
      assert.deepEqual(open.states, ['done', 'asked', 'done']);
      assert.equal(open.answer, undefined);
      open.completed(open.asked[1]?.id ?? '');
      assert.partialDeepStrictEqual(JSON.parse(await got), { calls: 2 });
    });

    test('are required again only as new ones, and not for ever', async () => {
      const got = connect({ rounds: 3 });
      for (let round = 0; round < 3; round += 1) {
        const { open } = await bed.address();
        await open.openAt(0);
        open.doneAt(0);
        await untilSeen(() => bed.addresses[0]?.open !== open, 'it is answered');
      }
      assert.partialDeepStrictEqual(JSON.parse(await got), { calls: 4 });

      const endless = assert.rejects(connect({ rounds: 100 }), {
        code: 'protocol',
        message:
          'the server needs your answer: You opened what it required 5 times, and it requires another address (-32042).',
      });
      for (let round = 0; round < 5; round += 1) {
        const { open } = await bed.address();
        open.copiedAt(0);
        open.doneAt(0);
        await untilSeen(() => bed.addresses[0]?.open !== open, 'it is answered');
      }
      await endless;
    });

    test('are not asked for again once you have confirmed that they are done', async () => {
      const got = assert.rejects(connect({ rounds: 2, again: true }), {
        code: 'protocol',
        message: /still requires the address/,
      });
      const { open } = await bed.address();
      await open.openAt(0);
      open.doneAt(0);
      await got;
      assert.deepEqual(bed.addresses, []);
      const calls = await textOf(bed.hostBed.of(server).callTool('calls', {}));
      assert.partialDeepStrictEqual(JSON.parse(calls), { connect: 2 });
    });

    test('are known as done while an earlier question waits', async () => {
      const one = connect({ count: 1 });
      const two = connect({ count: 2 });
      const { open } = await bed.address();
      await untilSeen(() => bed.ledger.booked.length === 2, 'both are required');
      await textOf(bed.hostBed.of(server).callTool('visit', {}));
      assert.equal(open.answer?.action, 'accept');
      await Promise.all([one, two]);
      assert.deepEqual(bed.visited, []);
    });

    for (const [action, code] of [
      ['decline', 'denied'],
      ['cancel', undefined],
    ] as const) {
      test(`end the request with '${action}'`, async () => {
        const got = connect();
        const { open } = await bed.address();
        open.end({ action });
        await assert.rejects(got, code ? { code } : { name: 'CancellationError' });
        const calls = await textOf(bed.hostBed.of(server).callTool('calls', {}));
        assert.partialDeepStrictEqual(JSON.parse(calls), { connect: 1 });
      });
    }

    test('are withdrawn when the caller cancels', async () => {
      const cancel = new AbortController();
      const got = bed.hostBed.of(server).callTool('connect', {}, {}, cancel.signal);
      await bed.address();
      cancel.abort();
      await assert.rejects(got, { name: 'CancellationError' });
      await bed.untilNothingWaits();
      assert.deepEqual(bed.ledger.lines, ['(withdrawn cancelled)']);
    });

    test('are cancelled in the activity', async () => {
      const got = assert.rejects(connect(), { name: 'CancellationError' });
      const { open } = await bed.address();
      await open.openAt(0);
      bed.ledger.booked[0]?.cancel();
      await got;
      await bed.untilNothingWaits();
    });

    test('end with the server', async () => {
      const got = assert.rejects(connect(), /stopped|lost|not running|waited/);
      await bed.address();
      await bed.hostBed.of(server).stop();
      await got;
      await bed.untilNothingWaits();
    });

    test('do not send the request again if the caller forbids it', async () => {
      const beforeRepeat = () => Promise.reject(new Error('the tool has changed'));
      const got = assert.rejects(
        bed.hostBed.of(server).callTool('connect', {}, { beforeRepeat }),
        /has changed/,
      );
      const { open } = await bed.address();
      open.copiedAt(0);
      open.doneAt(0);
      await got;
      const calls = await textOf(bed.hostBed.of(server).callTool('calls', {}));
      assert.partialDeepStrictEqual(JSON.parse(calls), { connect: 1 });
    });

    test('do not send the request again through the gate if the tool has changed meanwhile', async () => {
      const gateBed = new GateBed(bed.hostBed);
      try {
        for (const tool of [undefined, { description: 'Sends everything.' }]) {
          const got = gateBed.gate.callTool(person, server.id, 'connect', {
            rounds: 1,
            tool: tool !== undefined,
          });
          const { open } = await bed.address();
          if (tool) {
            gateBed.tools.tell(server.id, 'connect', { tool });
          }
          await open.openAt(0);
          open.doneAt(0);
          await (tool ? assert.rejects(got, { code: 'heldBack' }) : got);
          await bed.untilNothingWaits();
        }
        const calls = await textOf(bed.hostBed.of(server).callTool('calls', {}));
        assert.partialDeepStrictEqual(JSON.parse(calls), { connect: 3 });
        assert.deepEqual(gateBed.ledger.lines, ['person done', 'person failed']);
      } finally {
        gateBed.decisions.dispose();
        gateBed.grants.dispose();
      }
    });

    test('are of resources and prompts, too', async () => {
      const connection = bed.hostBed.of(server);
      const read = connection.readResource('account://me');
      const first = await bed.address();
      await first.open.openAt(0);
      first.open.doneAt(0);
      assert.partialDeepStrictEqual(await read, { contents: [{ text: 'It is you.' }] });
      await bed.untilNothingWaits();
      const prompt = connection.getPrompt('greet', {});
      const second = await bed.address();
      await second.open.openAt(0);
      second.open.doneAt(0);
      assert.equal((await prompt).messages.length, 1);
    });

    const valid = { mode: 'url', elicitationId: 'x', url: 'https://a.example/', message: 'Hi' };
    for (const [what, data] of [
      ['without data', null],
      ['without addresses', { elicitations: [] }],
      ['of a form', { elicitations: [{ mode: 'form', message: 'Hi', requestedSchema: { type: 'object' } }] }],
      ['without an ID', { elicitations: [{ ...valid, elicitationId: undefined }] }],
      ['with one ID for two', { elicitations: [valid, valid] }],
      ['to a file', { elicitations: [{ ...valid, url: 'file:///etc/passwd' }] }],
      [
        'of eleven addresses',
        { elicitations: Array.from({ length: 11 }, (_, index) => ({ ...valid, elicitationId: `${index}` })) },
      ],
    ] as const) {
      test(`fail the request when the error is ${what}`, async () => {
        await assert.rejects(connect({ data: data ?? { elicitations: {} } }), { code: 'protocol' });
        assert.deepEqual(bed.hostBed.questions.questions, []);
        assert.deepEqual(bed.ledger.lines, ['(invalid refused)']);
      });
    }
  });

  test('of the reference server are opened on both ways', async () => {
    const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything')]);
    await bed.hostBed.run(everything);
    const args = { url: 'https://connect.example/everything', errorPath: true };
    const got = textOf(bed.hostBed.of(everything).callTool('trigger-url-elicitation', args));
    const first = await bed.address();
    assert.ok(first.open.occasion.areRequired);
    await first.open.openAt(0);
    first.open.doneAt(0);
    const second = await next(first);
    assert.ok(!second.open.occasion.areRequired);
    await second.open.openAt(0);
    assert.match(await got, /User completed the URL elicitation flow/);
    assert.deepEqual(bed.visited, ['https://modelcontextprotocol.io/', 'https://connect.example/everything']);
  });
});
