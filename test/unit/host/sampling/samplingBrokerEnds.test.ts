import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/host/sampling/request/languageModels.ts';
import type { SamplingReview } from '../../../../src/host/sampling/review/samplingReview.ts';
import { samplingServer } from '../../support/definitions.ts';
import { approve, SamplingBed, untilPhase } from '../../support/samplingBed.ts';
import { Speech } from '../../support/scriptedModels.ts';
import { until, untilSeen } from '../../support/until.ts';

const states = ['request', 'generating', 'answer'] as const;

suite('A review whose server no longer waits', () => {
  let bed: SamplingBed;
  let speech: Speech;
  setup(() => {
    bed = new SamplingBed();
    speech = new Speech().say('Half an answer');
    bed.models.speak = () => speech;
  });
  teardown(() => bed.close());

  const server = samplingServer();

  /** Brings the review that waits to a state, and lets a little time pass for the user. */
  async function bring(kind: (typeof states)[number]): Promise<SamplingReview> {
    const review = await bed.review();
    if (kind !== 'request') {
      review.send(review.draft, 'once');
      await untilPhase(review, 'generating');
      await until(() => bed.models.heard.length > 0, 'the model is asked', bed.models.onDidHear);
    }
    if (kind === 'answer') {
      speech.end();
      await untilPhase(review, 'answer');
    }
    await bed.clock.tick(60_000);
    return review;
  }

  for (const kind of states) {
    test(`delivers and spends nothing when the server gave up at '${kind}'`, async () => {
      await bed.hostBed.run(server);
      const got = bed.ask(server);
      const review = await bring(kind);
      await bed.ask(server, {}, 'cancel');
      const ended = await untilPhase(review, 'ended');
      assert.equal(ended.why, "'server' stopped waiting after 60 s.");
      assert.deepEqual(await got, { error: { code: -32_001, message: 'Request timed out' } });
      assert.deepEqual(bed.waiting, [], 'it no longer asks for anything');
      const [call] = review.subject.requests;
      const kept = call && bed.missed.lastOf(call);
      assert.equal(kept?.question.review, review, 'its card can be opened afterwards');
      assert.equal(kept.waitedMs, 60_000);
      assert.equal(ended.answer !== undefined, kind === 'answer');
      assert.equal(speech.isAborted, kind === 'generating');
      for (const act of [
        () => review.send(review.draft, 'once'),
        () => review.deliver([]),
        () => review.regenerate(),
        () => review.deny(),
        () => review.never(),
      ]) {
        act();
        assert.equal(review.state.kind, 'ended');
      }
      const heard = (await bed.ask(server, {}, 'heard')) as unknown as readonly unknown[];
      assert.deepEqual(heard, [], 'nothing came back later');
      assert.equal(bed.models.heard.length, kind === 'request' ? 0 : 1);
      const { tokens } = bed.broker.access.accessOf(server).today;
      const said = Math.ceil('Half an answer'.length / 4);
      assert.equal(tokens > said, kind !== 'request', 'what was spent is counted');
      assert.equal(bed.booked[0], kind === 'request' ? '(withdrawn cancelled)' : 'asked cancelled');
      assert.equal(bed.broker.access.accessOf(server).policies.unasked.policy, 'ask');
    });

    test(`delivers nothing when the server was stopped at '${kind}'`, async () => {
      await bed.hostBed.run(server);
      const got = bed.ask(server).catch(() => 'failed');
      const review = await bring(kind);
      await bed.hostBed.host.stop(server.id);
      const ended = await untilPhase(review, 'ended');
      assert.equal(ended.why, "'server' has stopped; it had waited for 60 s.");
      assert.equal(await got, 'failed');
      assert.equal(speech.isAborted, kind === 'generating');
      assert.deepEqual(bed.waiting, []);
      const [call] = review.subject.requests;
      assert.ok(call);
      assert.equal(bed.missed.lastOf(call), undefined);
    });

    test(`delivers nothing when its call was taken back at '${kind}'`, async () => {
      for (const one of [
        samplingServer([], { name: 'old' }),
        samplingServer(['--modern'], { name: 'new' }),
      ]) {
        speech = new Speech().say('Half an answer');
        await bed.hostBed.run(one);
        const abort = new AbortController();
        const call = bed.hostBed.of(one).callTool('ask', {}, {}, abort.signal);
        call.catch(() => {});
        const review = await bring(kind);
        abort.abort();
        const ended = await untilPhase(review, 'ended');
        assert.match(ended.why, /after 60 s\.$/);
        await assert.rejects(call);
        assert.equal(speech.isAborted, kind === 'generating');
        await bed.hostBed.host.stop(one.id);
      }
    });
  }

  test('removes the waiting requests from the queue', async () => {
    await bed.hostBed.run(server);
    const [first, second] = [bed.ask(server, { prompt: 'One' }), bed.ask(server, { prompt: 'Two' })];
    await bed.review();
    await untilSeen(() => bed.booked.length === 2, 'both are there');
    await bed.ask(server, {}, 'cancel');
    await Promise.all([first, second]);
    await bed.untilNothingWaits();
    assert.deepEqual(bed.booked, ['(withdrawn cancelled)', '(withdrawn cancelled)']);
    speech.end();
    const third = bed.ask(server, { prompt: 'Three' });
    await approve(await bed.review());
    assert.partialDeepStrictEqual(await third, { result: { content: { text: 'Half an answer' } } });
  });

  test('is denied where running requests are listed', async () => {
    await bed.hostBed.run(server);
    const got = bed.ask(server);
    const review = await bed.review();
    bed.ledger.booked[0]?.cancel();
    assert.deepEqual(review.state, { kind: 'done', how: 'denied' });
    assert.partialDeepStrictEqual(await got, { error: { code: -1 } });
  });

  suite('runs the tool again', () => {
    async function overAt(kind: (typeof states)[number], prompt: string): Promise<SamplingReview> {
      const got = bed.ask(server, { prompt });
      const review = await bring(kind);
      await bed.ask(server, {}, 'cancel');
      await untilPhase(review, 'ended');
      await got;
      return review;
    }

    test('with the answer ready: for the same request, once', async () => {
      await bed.hostBed.run(server);
      const review = await overAt('answer', 'Hi.');
      review.runAgain([{ at: '0', text: 'Ready.' }], review.draft);
      review.runAgain([], review.draft);
      assert.deepEqual(
        bed.runAgain.map(({ target, args }) => ({ target, args })),
        [{ target: 'ask', args: { prompt: 'Hi.' } }],
      );
      assert.equal((await untilPhase(review, 'ended')).canRunAgain, false);

      const other = bed.ask(server, { prompt: 'Another.' });
      (await bed.review()).deny();
      assert.partialDeepStrictEqual(await other, { error: { code: -1 } });

      const again = await bed.ask(server, bed.runAgain[0]?.args);
      assert.partialDeepStrictEqual(again, { result: { content: { text: 'Ready.' }, model: 'scripted' } });
      assert.equal(bed.models.heard.length, 1, 'the model was not asked again');
      assert.equal(bed.booked.at(-1), '(prepared done)');

      const third = bed.ask(server, { prompt: 'Hi.' });
      (await bed.review()).deny();
      assert.partialDeepStrictEqual(await third, { error: { code: -1 } });
    });

    test('and sends what was approved', async () => {
      await bed.hostBed.run(server);
      const review = await overAt('request', 'Hi.');
      review.runAgain([], { modelId: 'scripted', edits: [{ at: '0/0', text: 'Hello?' }] });
      speech.end();
      const again = bed.ask(server, { prompt: 'Hi.' });
      const second = await bed.review();
      const { answer } = await untilPhase(second, 'answer');
      assert.deepEqual(answer.parts, [{ kind: 'text', text: 'Half an answer' }]);
      second.deliver([]);
      assert.ok('result' in (await again));
      assert.deepEqual(bed.models.said, ['Hello?']);
      assert.equal(bed.booked.at(-1), 'prepared done');
    });

    test('and asks you when the model fails', async () => {
      await bed.hostBed.run(server);
      const review = await overAt('request', 'Hi.');
      review.runAgain([], review.draft);
      bed.models.speak = () => new Speech().fail(new ModelError('failed', 'Tired.'));
      const again = bed.ask(server, { prompt: 'Hi.' });
      const second = await bed.review();
      assert.deepEqual(second.state, { kind: 'request', problem: 'Tired.' });
      second.deny();
      await again;
    });

    test('not for another launch, nor for what is denied by now', async () => {
      await bed.hostBed.run(server);
      const review = await overAt('answer', 'Hi.');
      review.runAgain([], review.draft);
      await bed.broker.access.setPolicy(server, 'server', 'both', 'deny');
      assert.partialDeepStrictEqual(await bed.ask(server, { prompt: 'Hi.' }), { error: { code: -1 } });

      await bed.broker.access.setPolicy(server, 'server', 'both', 'default');
      speech = new Speech().say('Half an answer');
      const before = await overAt('answer', 'Hi.');
      before.runAgain([], before.draft);
      const changed = samplingServer(['--name=changed']);
      await bed.relaunch(changed);
      const again = bed.ask(changed, { prompt: 'Hi.' });
      (await bed.review()).deny();
      assert.partialDeepStrictEqual(await again, { error: { code: -1 } });
    });

    test('not where it is not known which tool it was', async () => {
      await bed.hostBed.run(server);
      await bed.ask(server, {}, 'askLater');
      const review = await bed.review();
      await bed.ask(server, {}, 'cancel');
      const ended = await untilPhase(review, 'ended');
      assert.equal(ended.canRunAgain, false);
      review.runAgain([], review.draft);
      assert.deepEqual(bed.runAgain, []);
    });
  });

  test('cannot be changed by the server', async () => {
    await bed.hostBed.run(server);
    const args = {
      prompt: 'What was shown.',
      changed: { messages: [{ role: 'user', content: { type: 'text', text: 'What was not.' } }] },
      ms: 50,
    };
    const got = bed.ask(server, args, 'mutate');
    const review = await bed.review();
    assert.deepEqual(review.subject.request.messages[0]?.content, [
      { kind: 'text', text: 'What was shown.' },
    ]);
    assert.throws(() => Object.assign(review.subject.request, { maxTokens: 1 }));
    speech.end();
    await approve(review);
    const second = await bed.review();
    assert.notEqual(second, review);
    second.deny();
    await got;
    await untilSeen(() => bed.booked.length === 2 && !bed.booked.includes('open'), 'both have ended');
    assert.deepEqual(bed.models.said, ['What was shown.']);
  });
});
