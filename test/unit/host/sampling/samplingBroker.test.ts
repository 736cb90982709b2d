import assert from 'node:assert/strict';
import path from 'node:path';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { ModelError } from '../../../../src/host/sampling/request/languageModels.ts';
import { SamplingDecisions } from '../../../../src/host/sampling/samplingDecisions.ts';
import { samplingOccasions } from '../../../../src/host/sampling/samplingDecision.ts';
import { packageScript, samplingServer, stdioServer } from '../../support/definitions.ts';
import { approve, SamplingBed, untilPhase } from '../../support/samplingBed.ts';
import { model, Speech } from '../../support/scriptedModels.ts';
import { until, untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';

const rejectedError = { error: { code: -1, message: 'User rejected sampling request' } };

const hello = {
  result: {
    role: 'assistant',
    content: { type: 'text', text: 'Hello.' },
    model: 'scripted',
    stopReason: 'endTurn',
  },
};

suite('The sampling broker', () => {
  let bed: SamplingBed;
  perTest(() => (bed = new SamplingBed()));

  const server = samplingServer();

  for (const [era, one] of [
    ['2025-06-18', samplingServer(['--revision=2025-06-18'])],
    ['2025-11-25', server],
    ['2026-07-28', samplingServer(['--modern'])],
  ] as const) {
    suite(`before a server of revision ${era}`, () => {
      test('sends what was approved, byte for byte, and delivers what was answered', async () => {
        await bed.hostBed.run(one);
        const text = 'One\r\ntwo\u202E <b>three</b>\t\u{E0041}';
        const got = bed.ask(one, { prompt: text, systemPrompt: 'Be\r\nbrief.', temperature: 0.5 });
        const review = await bed.review();
        assert.equal(bed.models.heard.length, 0, 'nothing is sent before it is approved');
        assert.equal(review.subject.occasion, 'inCall');
        assert.deepEqual(
          review.subject.requests.map(({ target }) => target),
          ['ask'],
        );
        await approve(review);
        assert.deepEqual(await got, hello);
        const [heard] = bed.models.heard;
        assert.partialDeepStrictEqual(heard?.request, {
          messages: [{ role: 'user', content: [{ kind: 'text', text }] }],
          systemPrompt: 'Be\r\nbrief.',
          temperature: 0.5,
          maxTokens: 100,
          tools: [],
        });
        assert.deepEqual(bed.booked, ['asked done']);
        const sampling = bed.ledger.booked[0]?.end?.sampling;
        assert.ok(sampling);
        assert.equal(sampling.model, 'scripted');
        assert.equal(sampling.isEdited, false);
        assert.ok(sampling.inputTokens > 0 && sampling.outputTokens > 0);
        assert.deepEqual(bed.waiting, []);
      });

      test('sends and delivers the edited texts', async () => {
        await bed.hostBed.run(one);
        const got = bed.ask(one, { prompt: 'Tell me a secret.', systemPrompt: 'You are open.' });
        const review = await bed.review();
        review.send(
          {
            modelId: 'scripted',
            edits: [
              { at: 'system', text: 'You are closed.' },
              { at: '0/0', text: 'Tell me a joke.' },
            ],
          },
          'once',
        );
        await untilPhase(review, 'answer');
        review.deliver([{ at: '0', text: 'No.' }]);
        assert.partialDeepStrictEqual(await got, { result: { content: { type: 'text', text: 'No.' } } });
        assert.deepEqual(bed.models.said, ['Tell me a joke.']);
        assert.equal(bed.models.heard[0]?.request.systemPrompt, 'You are closed.');
        assert.equal(bed.ledger.booked[0]?.end?.sampling?.isEdited, true);
      });

      test('reports to the server only that the user rejected it', async () => {
        await bed.hostBed.run(one);
        const got = bed.ask(one).catch((error: unknown) => error);
        (await bed.review()).deny();
        const said = await got;
        if (said instanceof Error) {
          assert.equal(said.message, 'you did not let the server use a language model');
        } else {
          assert.deepEqual(said, rejectedError);
        }
        assert.deepEqual(bed.models.heard, []);
        assert.deepEqual(bed.booked, ['(denied refused)']);
      });
    });
  }

  test('serves a server of the registry', async () => {
    const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything')]);
    const [connection] = await bed.hostBed.run(everything);
    const called = connection?.callTool('trigger-sampling-request', { prompt: 'Hi.', maxTokens: 20 });
    const review = await bed.review();
    assert.equal(review.subject.request.systemPrompt, 'You are a helpful test server.');
    await approve(review);
    assert.match(JSON.stringify(await called), /LLM sampling result.*Hello\./);
  });

  suite('asks you', () => {
    test('again after a question was left alone, or denied', async () => {
      await bed.hostBed.run(server);
      const first = bed.ask(server, { prompt: 'First' });
      (await bed.review()).deny();
      assert.deepEqual(await first, rejectedError);
      const second = bed.ask(server, { prompt: 'Second' });
      await approve(await bed.review());
      assert.deepEqual(await second, hello);
      assert.deepEqual(bed.models.said, ['Second']);
    });

    test('about one request of a server after the other', async () => {
      await bed.hostBed.run(server);
      const all = ['One', 'Two', 'Three'].map((prompt) => bed.ask(server, { prompt }));
      for (const count of [1, 2, 3]) {
        await approve(await bed.review());
        await untilSeen(() => bed.models.heard.length === count, 'the next one was sent');
      }
      await Promise.all(all);
      assert.deepEqual(bed.models.said, ['One', 'Two', 'Three']);
    });

    test('about two servers at once', async () => {
      const other = samplingServer([], { name: 'other' });
      await bed.hostBed.run(server, other);
      const all = [bed.ask(server, { prompt: 'One' }), bed.ask(other, { prompt: 'Other' })];
      await until(() => bed.waiting.length === 2, 'both wait', bed.hostBed.questions.onDidChange);
      const reviewOf = (name: string): (typeof bed.waiting)[number] | undefined =>
        bed.waiting.find((question) => question.server.definition.name === name);
      const [mine, others] = [reviewOf('server')?.review, reviewOf('other')?.review];
      assert.ok(mine && others);
      others.deny();
      await approve(mine);
      assert.deepEqual(await Promise.all(all), [hello, rejectedError]);
    });

    test('about a request at another time', async () => {
      await bed.hostBed.run(server);
      await bed.ask(server, {}, 'askLater');
      const review = await bed.review();
      assert.equal(review.subject.occasion, 'unasked');
      assert.deepEqual(review.subject.requests, []);
      await approve(review);
      await untilSeen(() => bed.booked.includes('asked done'), 'it is done');
    });

    test('never again, if you chose that', async () => {
      await bed.hostBed.run(server);
      const got = bed.ask(server);
      (await bed.review()).never();
      assert.deepEqual(await got, rejectedError);
      assert.deepEqual(await bed.ask(server), rejectedError);
      const { policies } = bed.broker.access.accessOf(server);
      assert.deepEqual(policies.inCall, { policy: 'deny', basis: 'decision', isForSession: false });
      assert.equal(policies.unasked.policy, 'deny');
      assert.equal(bed.broker.access.isOffered(server), false);
      await bed.hostBed.decisions.settled();
    });

    test('not again in this session, when you chose that, and only on that occasion', async () => {
      await bed.hostBed.run(server);
      const got = bed.ask(server, { prompt: 'First' });
      const review = await bed.review();
      assert.ok(review.subject.canAllowSession);
      await approve(review, 'session');
      await got;
      assert.deepEqual(await bed.ask(server, { prompt: 'Second' }), hello);
      assert.deepEqual(bed.booked, ['asked done', 'remembered done']);
      await bed.ask(server, {}, 'askLater');
      (await bed.review()).deny();
      await bed.untilNothingWaits();
    });

    test('again after the launch has changed', async () => {
      await bed.hostBed.run(server);
      const got = bed.ask(server);
      await approve(await bed.review(), 'session');
      await got;
      await bed.broker.access.setPolicy(server, 'server', 'unasked', 'allow');
      const changed = samplingServer(['--name=changed']);
      await bed.relaunch(changed);
      assert.equal(bed.broker.access.accessOf(changed).policies.unasked.policy, 'ask');
      const again = bed.ask(changed);
      (await bed.review()).deny();
      assert.deepEqual(await again, rejectedError);
    });

    test('never, when another window has just denied it', async () => {
      await bed.hostBed.run(server);
      await bed.broker.access.setPolicy(server, 'server', 'both', 'allow');
      bed.record.add('scripted');
      assert.deepEqual(await bed.ask(server), hello);
      const other = new DecisionStore(decisionKinds, path.join(bed.hostBed.bed.directory, 'decisions'));
      const about = { id: server.id, label: 'server', launch: () => 'launch' };
      await new SamplingDecisions(other, bed.clock.now).set(about, samplingOccasions, 'deny');
      other.dispose();
      assert.deepEqual(await bed.ask(server), rejectedError);
    });

    test('as a decision on a server that does not run says, when it is started', async () => {
      await bed.hostBed.run(server);
      await bed.hostBed.host.stop(server.id);
      const { definition } = bed.hostBed.of(server);
      await bed.broker.access.setPolicy(definition, 'server', 'inCall', 'allow');
      assert.equal(bed.broker.access.accessOf(definition).policies.inCall.policy, 'allow');
      bed.record.add('scripted');
      await bed.hostBed.host.start(server.id);
      assert.deepEqual(await bed.ask(server), hello);
    });

    test('about the first request of a session by policy, and not when that was denied in the end', async () => {
      bed.settings.change({ policy: 'session' });
      await bed.hostBed.run(server);
      const first = bed.ask(server, { prompt: 'First' });
      const review = await bed.review();
      review.send(review.draft, 'once');
      await untilPhase(review, 'answer');
      review.deny();
      assert.deepEqual(await first, rejectedError);
      const second = bed.ask(server, { prompt: 'Second' });
      await approve(await bed.review());
      await second;
      assert.deepEqual(await bed.ask(server, { prompt: 'Third' }), hello);
      assert.deepEqual(bed.booked, ['denied refused', 'asked done', 'remembered done']);
    });

    test('about a model that has never answered after a click, whatever is allowed', async () => {
      bed.settings.change({ policy: 'allow' });
      await bed.hostBed.run(server);
      const first = bed.ask(server);
      await approve(await bed.review());
      assert.deepEqual(await first, hello);
      assert.ok(bed.record.has('scripted'));
      assert.deepEqual(await bed.ask(server), hello);
      assert.deepEqual(bed.booked, ['asked done', 'unasked done']);
    });

    test('when the editor wants its own consent again', async () => {
      bed.settings.change({ policy: 'allow' });
      bed.record.add('scripted');
      bed.models.speak = () => new Speech().fail(new ModelError('noPermissions', 'Not given.'));
      await bed.hostBed.run(server);
      const got = bed.ask(server);
      const review = await bed.review();
      assert.deepEqual(review.state, { kind: 'request', problem: 'Not given.' });
      assert.equal(bed.record.has('scripted'), false);
      bed.models.speak = () => new Speech().say('Hello.').end();
      await approve(review);
      assert.deepEqual(await got, hello);
      assert.ok(bed.record.has('scripted'));
    });

    test('about answers alone, where that is wanted', async () => {
      bed.settings.change({ policy: 'allow', reviewsEveryAnswer: true });
      bed.record.add('scripted');
      await bed.hostBed.run(server);
      const got = bed.ask(server);
      const review = await bed.review();
      assert.equal(review.state.kind, 'answer');
      review.deliver([{ at: '0', text: 'Hi.' }]);
      assert.partialDeepStrictEqual(await got, { result: { content: { text: 'Hi.' } } });
    });
  });

  suite('refuses', () => {
    test('what is denied meanwhile, at each step', async () => {
      await bed.hostBed.run(server);
      const [first, second] = [bed.ask(server, { prompt: 'One' }), bed.ask(server, { prompt: 'Two' })];
      const review = await bed.review();
      await bed.broker.access.setPolicy(server, 'server', 'inCall', 'deny');
      assert.deepEqual(await first, rejectedError);
      assert.deepEqual(await second, rejectedError);
      assert.equal(review.state.kind, 'done');

      await bed.broker.access.setPolicy(server, 'server', 'inCall', 'allow');
      bed.record.add('scripted');
      const speech = new Speech().say('Half');
      bed.models.speak = () => speech;
      const third = bed.ask(server, { prompt: 'Three' });
      await until(() => bed.models.heard.length === 1, 'the model answers', bed.models.onDidHear);
      await bed.broker.access.setPolicy(server, 'server', 'both', 'deny');
      assert.deepEqual(await third, rejectedError);
      assert.ok(speech.isAborted);
    });

    test('what a workspace does not want, whatever was allowed', async () => {
      const inWorkspace = samplingServer([], {
        origin: {
          scope: 'workspaceFolder',
          format: 'settings',
          place: 'settings:folder',
          folder: 'file:///w',
        } as never,
        sampling: 'deny',
      });
      assert.equal(bed.broker.access.isOffered(inWorkspace), false);
      await bed.broker.access.setPolicy(inWorkspace, 'server', 'both', 'allow');
      assert.equal(bed.broker.access.accessOf(inWorkspace).policies.inCall.policy, 'deny');
    });

    test('tools in a revision that has none, and what is malformed', async () => {
      const old = samplingServer(['--revision=2025-06-18'], { name: 'old' });
      await bed.hostBed.run(server, old);
      const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];
      for (const [one, args, words] of [
        [old, { tools }, /tools/i],
        [server, { params: { messages: [], maxTokens: 1 } }, /message/],
        [
          server,
          {
            messages: [{ role: 'user', content: { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' } }],
          },
          /audio/,
        ],
      ] as const) {
        const got = await bed.ask(one, args);
        assert.ok('error' in got);
        assert.equal(got.error.code, -32_602);
        assert.match(got.error.message, words);
      }
      assert.deepEqual(bed.models.heard, []);
      assert.deepEqual(new Set(bed.booked), new Set(['(invalid refused)']));
    });

    test('at once when there is no model, including those in the queue', async () => {
      await bed.hostBed.run(server);
      const noModel = { error: { code: -32_603, message: 'No language model is available' } };
      const first = bed.ask(server, { prompt: 'One' });
      const review = await bed.review();
      const second = bed.ask(server, { prompt: 'Two' });
      await untilSeen(() => bed.booked.length === 2, 'both are there');
      bed.models.list = [];
      assert.deepEqual(await second, noModel);
      await until(
        () => review.state.kind === 'request' && review.state.problem !== undefined,
        'the review says so',
        review.onDidChange,
      );
      assert.deepEqual(await bed.ask(server, { prompt: 'Three' }), noModel);
      assert.equal(bed.broker.access.accessOf(server).hasModel, false);
      review.send(review.draft, 'once');
      assert.equal(review.state.kind, 'request');
      bed.models.list = [model('other')];
      await until(() => review.draft.modelId === 'other', 'another one is chosen', review.onDidChange);
      assert.deepEqual(review.state, { kind: 'request' });
      await approve(review);
      assert.partialDeepStrictEqual(await first, { result: { model: 'other' } });
    });

    test('with the words of the model that failed', async () => {
      bed.settings.change({ policy: 'allow' });
      bed.record.add('scripted');
      bed.models.speak = () => new Speech().fail(new ModelError('failed', 'The model is tired.'));
      await bed.hostBed.run(server);
      assert.deepEqual(await bed.ask(server), { error: { code: -32_603, message: 'The model is tired.' } });
      assert.deepEqual(bed.booked, ['unasked failed']);
    });
  });

  suite('passes tools on', () => {
    const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];

    for (const [era, one] of [
      ['2025-11-25', server],
      ['2026-07-28', samplingServer(['--modern'])],
    ] as const) {
      test(`to the model, and its wish to the server of revision ${era}`, async () => {
        bed.models.speak = () => new Speech().say('Let me see.').use('look', { at: 'it' }).end();
        await bed.hostBed.run(one);
        const got = bed.ask(one, { tools, toolChoice: { mode: 'auto' } });
        const review = await bed.review();
        await approve(review);
        assert.partialDeepStrictEqual(await got, {
          result: {
            stopReason: 'toolUse',
            content: [
              { type: 'text', text: 'Let me see.' },
              { type: 'tool_use', id: 'use 1', name: 'look', input: { at: 'it' } },
            ],
          },
        });
        assert.equal(bed.models.heard[0]?.request.tools[0]?.name, 'look');
      });
    }

    test('for so many rounds of one call', async () => {
      bed.settings.change({ policy: 'allow', maxRequestsPerMinute: 100 });
      bed.record.add('scripted');
      bed.models.speak = () => new Speech().use('look').end();
      await bed.hostBed.run(server);
      const all = (await bed.ask(server, { tools, times: 27 })) as unknown as readonly object[];
      assert.equal(all.filter((one) => 'result' in one).length, 25);
      assert.match(JSON.stringify(all[25]), /-32603.*25 times/);
      const again = await bed.ask(server, { tools });
      assert.ok('result' in again, 'another call has rounds of its own');
    });
  });

  suite('holds the limits', () => {
    test('of tokens for a request: without a review it is refused, in one it is not sent', async () => {
      bed.settings.change({ policy: 'allow', maxTokensPerRequest: 100 });
      bed.record.add('scripted');
      await bed.hostBed.run(server);
      const long = 'word '.repeat(100);
      const got = await bed.ask(server, { prompt: long });
      assert.ok('error' in got && got.error.code === -32_603);
      assert.match(got.error.message, /100 are allowed for both/);
      assert.deepEqual(bed.booked, ['(limited refused)']);
      assert.match(bed.broker.access.accessOf(server).note ?? '', /100 are allowed for both/);

      bed.settings.change({ policy: 'ask' });
      const asked = bed.ask(server, { prompt: long });
      const review = await bed.review();
      await until(() => review.estimate !== undefined, 'it is estimated', review.onDidChange);
      assert.match(review.estimate?.problem ?? '', /100 are allowed for both/);
      review.send(review.draft, 'once');
      await until(() => review.estimate !== undefined, 'it is estimated again', review.onDidChange);
      assert.equal(review.state.kind, 'request');
      assert.deepEqual(bed.models.heard, []);
      review.send({ ...review.draft, edits: [{ at: '0/0', text: 'Short.' }] }, 'once');
      await untilPhase(review, 'answer');
      review.deliver([]);
      assert.deepEqual(await asked, hello);
      assert.deepEqual(bed.models.said, ['Short.']);
      assert.equal(bed.broker.access.accessOf(server).note, undefined);
    });

    test('of tokens for a day in a review: nothing can be sent', async () => {
      bed.usage.add(server.id, { requests: 1, tokens: 199_950 });
      await bed.hostBed.run(server);
      const got = bed.ask(server);
      const review = await bed.review();
      await until(() => review.estimate !== undefined, 'it is estimated', review.onDidChange);
      assert.equal(review.estimate?.leftToday, 50);
      assert.match(review.estimate?.problem ?? '', /maxTokensPerDay/);
      bed.settings.change({ maxTokensPerDay: 300_000 });
      await until(
        () => review.estimate !== undefined && review.estimate.problem === undefined,
        'the new limit counts',
        review.onDidChange,
      );
      await approve(review);
      assert.deepEqual(await got, hello);
    });

    test('of tokens for a day', async () => {
      bed.settings.change({ policy: 'allow', maxTokensPerDay: 110 });
      bed.record.add('scripted');
      await bed.hostBed.run(server);
      assert.deepEqual(await bed.ask(server), hello);
      assert.equal(bed.broker.access.accessOf(server).today.requests, 1);
      assert.ok(bed.broker.access.accessOf(server).today.tokens > 0);
      const got = await bed.ask(server, { maxTokens: 108 });
      assert.ok('error' in got);
      assert.match(got.error.message, /maxTokensPerDay/);
      assert.equal(bed.models.heard.length, 1);
    });

    test('of requests in a minute, with one note for all that are over it', async () => {
      bed.settings.change({ policy: 'allow', maxRequestsPerMinute: 3 });
      bed.record.add('scripted');
      await bed.hostBed.run(server);
      for (let request = 0; request < 3; request += 1) {
        assert.deepEqual(await bed.ask(server), hello);
      }
      const counts = (await bed.ask(server, { times: 47, ms: 100 }, 'flood')) as unknown as Record<
        string,
        number
      >;
      assert.deepEqual(Object.values(counts), [47]);
      assert.equal(counts['result'], undefined);
      assert.equal(bed.models.heard.length, 3);
      assert.match(bed.broker.access.accessOf(server).note ?? '', /^More than 3 requests/);
      assert.equal(bed.booked.length, 3);
      await bed.clock.tick(5_000);
      assert.deepEqual(bed.booked.slice(3), ['(limited refused)']);
      assert.match(bed.ledger.booked[3]?.end?.problem ?? '', /47 were refused/);
      assert.equal(bed.log.filter((line) => line.includes('refused')).length, 1);
      assert.equal(bed.broker.access.accessOf(server).note, undefined);
      await bed.clock.tick(60_000);
      assert.deepEqual(await bed.ask(server), hello);
    });
  });
});
