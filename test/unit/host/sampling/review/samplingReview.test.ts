import assert from 'node:assert/strict';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import { ModelError } from '../../../../../src/host/sampling/request/languageModels.ts';
import {
  SamplingReview,
  type ReviewActs,
  type ReviewStart,
} from '../../../../../src/host/sampling/review/samplingReview.ts';
import { readSamplingRequest } from '../../../../../src/host/sampling/request/readSamplingRequest.ts';
import type { SamplingRequest } from '../../../../../src/host/sampling/request/samplingRequest.ts';
import type {
  Prepared,
  ReviewSubject,
  SamplingEstimate,
} from '../../../../../src/host/sampling/review/reviewState.ts';
import type { GeneratedAnswer, Generation } from '../../../../../src/host/sampling/request/generation.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { model } from '../../../support/scriptedModels.ts';

const request = readSamplingRequest(
  { messages: [{ role: 'user', content: { type: 'text', text: 'Hi.' } }], maxTokens: 10 },
  '2025-11-25',
);
const draft = { modelId: 'one', edits: [] };
const edits = [{ at: '0/0', text: 'Hello?' }];

function answer(text: string): GeneratedAnswer {
  return { parts: [{ kind: 'text', text }], stopReason: 'endTurn', model: 'one' };
}

/** The text of a request's one message. */
function textOf({ messages }: SamplingRequest): string {
  const [part] = messages[0]?.content ?? [];
  return part?.kind === 'text' ? part.text : '';
}

/** A model and limits in the test's hands. */
class ToldActs implements ReviewActs {
  problem: string | undefined;
  readonly estimated: string[] = [];
  readonly spans: string[] = [];
  readonly prepared: Prepared[] = [];
  readonly generated: (Generation & PromiseWithResolvers<GeneratedAnswer>)[] = [];
  beforeEstimate: Promise<void> = Promise.resolve();
  onSent = (): void => {};

  async estimate(one: { id: string }, sent: SamplingRequest, signal: AbortSignal): Promise<SamplingEstimate> {
    this.estimated.push(`${one.id} ${textOf(sent)}`);
    await this.beforeEstimate;
    if (signal.aborted) {
      throw new CancellationError();
    }
    return {
      input: textOf(sent).length,
      output: 10,
      leftToday: 100,
      ...(this.problem !== undefined && { problem: this.problem }),
    };
  }

  readonly choose: ReviewActs['choose'] = ([first]) => first;

  sent(span: 'once' | 'session'): void {
    this.spans.push(span);
    this.onSent();
  }

  generate(what: Generation): Promise<GeneratedAnswer> {
    const settled = Promise.withResolvers<GeneratedAnswer>();
    this.generated.push({ ...what, ...settled });
    what.signal.addEventListener('abort', () => settled.reject(new CancellationError()));
    return settled.promise;
  }

  readonly runAgain = (prepared: Prepared): void => void this.prepared.push(prepared);

  get latest(): Generation & PromiseWithResolvers<GeneratedAnswer> {
    const latest = this.generated.at(-1);
    assert.ok(latest);
    return latest;
  }
}

suite('The review of a request for a model', () => {
  let clock: FakeClock;
  let acts: ToldActs;
  let changes: number;
  const made: SamplingReview[] = [];

  setup(() => {
    clock = new FakeClock();
    acts = new ToldActs();
    changes = 0;
  });
  teardown(() => made.splice(0).forEach((review) => review.dispose()));

  async function open(
    start: Partial<ReviewStart> = {},
    subject: Partial<ReviewSubject> = {},
  ): Promise<SamplingReview> {
    const review = new SamplingReview(
      { request, askedAt: 0, occasion: 'inCall', requests: [], canAllowSession: true, ...subject },
      [model('one'), model('two')],
      { draft, state: { kind: 'request' }, ...start },
      acts,
      clock.after,
    );
    made.push(review);
    review.onDidChange(() => (changes += 1));
    await clock.tick(0);
    return review;
  }

  async function answered(text = 'Hello.'): Promise<SamplingReview> {
    const review = await open();
    review.send(draft, 'once');
    await clock.tick(0);
    acts.latest.resolve(answer(text));
    await clock.tick(0);
    return review;
  }

  test('estimates at once, and again when typing has ended', async () => {
    const review = await open();
    assert.equal(review.estimate?.input, 3);
    for (const text of ['H', 'He', 'Hello?']) {
      review.edit({ modelId: 'two', edits: [{ at: '0/0', text }] });
      assert.equal(review.estimate, undefined);
      await clock.tick(299);
    }
    assert.deepEqual(acts.estimated, ['one Hi.']);
    await clock.tick(1);
    assert.deepEqual(acts.estimated, ['one Hi.', 'two Hello?']);
    assert.equal(review.estimate?.input, 6);
    assert.deepEqual(review.draft.modelId, 'two');
  });

  test('sends exactly the draft that was sent, by the model that was chosen', async () => {
    const review = await open();
    review.edit({ modelId: 'one', edits: [{ at: '0/0', text: 'Not this.' }] });
    review.send({ modelId: 'two', edits }, 'session');
    review.send(draft, 'once');
    review.edit(draft);
    await clock.tick(1_000);
    assert.equal(acts.generated.length, 1);
    assert.equal(acts.latest.model.id, 'two');
    assert.equal(textOf(acts.latest.request), 'Hello?');
    assert.deepEqual(acts.spans, ['session']);
    assert.deepEqual(review.state, { kind: 'generating', text: '' });
    assert.deepEqual(review.draft, { modelId: 'two', edits }, 'this is shown as sent');
  });

  test('allows no session where that cannot be answered', async () => {
    const review = await open({}, { canAllowSession: false });
    review.send(draft, 'session');
    await clock.tick(0);
    assert.deepEqual(acts.spans, ['once']);
  });

  test('takes no act with what is not there', async () => {
    const review = await open();
    review.send({ modelId: 'gone', edits: [] }, 'once');
    review.send({ modelId: 'one', edits: [{ at: '7/7', text: 'Nowhere' }] }, 'once');
    review.send({ modelId: 'one', edits: [{ at: 'system', text: 'There is none' }] }, 'once');
    review.edit({ modelId: 'one', edits: [{ at: 'system', text: 'There is none' }] });
    await clock.tick(1_000);
    assert.deepEqual(review.state, { kind: 'request' });
    assert.deepEqual(review.draft, draft);
    assert.equal(acts.generated.length, 0);
  });

  test('takes no act that does not fit the state', async () => {
    const review = await open();
    review.stop();
    review.deliver([]);
    review.regenerate();
    review.runAgain([], draft);
    await clock.tick(0);
    assert.deepEqual(review.state, { kind: 'request' });
    review.send(draft, 'once');
    await clock.tick(0);
    review.deliver([]);
    review.regenerate();
    review.send(draft, 'once');
    assert.equal(review.state.kind, 'generating');
    acts.latest.resolve(answer('Hello.'));
    await clock.tick(0);
    review.send(draft, 'once');
    review.stop();
    await clock.tick(0);
    assert.equal(review.state.kind, 'answer');
    review.deliver([]);
    for (const act of [() => review.deny(), () => review.never(), () => review.over('Why.')]) {
      act();
      assert.deepEqual(review.state, { kind: 'done', how: 'delivered' });
    }
    assert.equal(acts.generated.length, 1);
  });

  test('shows the text so far at most five times a second, and not after the answer', async () => {
    const review = await open();
    review.send(draft, 'once');
    await clock.tick(0);
    changes = 0;
    for (let count = 1; count <= 100; count += 1) {
      acts.latest.onText('x'.repeat(count));
      await clock.tick(10);
    }
    assert.ok(changes <= 5, `${changes} changes`);
    assert.deepEqual(review.state, { kind: 'generating', text: 'x'.repeat(100) });
    acts.latest.onText('y');
    acts.latest.resolve(answer('y'));
    await clock.tick(1_000);
    assert.equal(review.state.kind, 'answer');
  });

  test('keeps and shows the text until the stop', async () => {
    const review = await open();
    review.send(draft, 'once');
    await clock.tick(0);
    review.stop();
    assert.ok(acts.latest.isStopped.aborted);
    acts.latest.resolve(answer('Half'));
    await clock.tick(0);
    assert.deepEqual(review.state, { kind: 'answer', answer: answer('Half'), isStopped: true });
  });

  test('delivers the answer with your edits', async () => {
    const review = await answered();
    review.deliver([{ at: '3', text: 'Nowhere' }]);
    assert.equal(review.state.kind, 'answer');
    review.deliver([{ at: '0', text: 'Hi!' }]);
    assert.deepEqual(await review.end, { kind: 'delivered', answer: answer('Hi!'), isEdited: true });
  });

  test('generates again by a click, and drops what there was', async () => {
    const review = await answered('First');
    review.regenerate();
    review.regenerate();
    await clock.tick(0);
    assert.equal(review.state.kind, 'generating');
    review.deliver([]);
    acts.latest.resolve(answer('Second'));
    await clock.tick(0);
    review.deliver([]);
    assert.partialDeepStrictEqual(await review.end, { answer: answer('Second') });
    assert.equal(acts.generated.length, 2);
  });

  test('goes back to the request with the words of a model that failed', async () => {
    const review = await open();
    review.send({ modelId: 'one', edits }, 'once');
    await clock.tick(0);
    acts.latest.reject(new ModelError('failed', 'Tired.'));
    await clock.tick(0);
    assert.deepEqual(review.state, { kind: 'request', problem: 'Tired.' });
    assert.deepEqual(review.draft, { modelId: 'one', edits });
    review.send({ modelId: 'two', edits }, 'once');
    await clock.tick(0);
    assert.equal(acts.latest.model.id, 'two');
  });

  test('sends nothing over a limit, and loses no answer by it', async () => {
    acts.problem = 'Too much.';
    const review = await open();
    review.send(draft, 'once');
    await clock.tick(0);
    assert.deepEqual(review.state, { kind: 'request' });
    assert.equal(review.estimate?.problem, 'Too much.');
    acts.problem = undefined;
    review.send(draft, 'once');
    await clock.tick(0);
    acts.latest.resolve(answer('Hello.'));
    await clock.tick(0);
    acts.problem = 'Too much.';
    review.regenerate();
    await clock.tick(0);
    assert.equal(review.state.kind, 'answer');
    assert.equal(review.estimate?.problem, 'Too much.');
    review.deliver([]);
    assert.partialDeepStrictEqual(await review.end, { kind: 'delivered' });
    assert.equal(acts.generated.length, 1);
  });

  test('keeps what you write while it checks the limits, and estimates that if nothing is sent', async () => {
    const review = await open();
    const held = Promise.withResolvers<void>();
    acts.problem = 'Too much.';
    acts.beforeEstimate = held.promise;
    review.send(draft, 'once');
    review.edit({ modelId: 'one', edits });
    held.resolve();
    await clock.tick(0);
    assert.deepEqual(review.state, { kind: 'request' });
    assert.deepEqual(review.draft, { modelId: 'one', edits });
    assert.deepEqual(acts.estimated, ['one Hi.', 'one Hi.', 'one Hello?']);
  });

  for (const how of ['denied', 'never'] as const) {
    for (const at of ['request', 'estimating', 'generating', 'answer'] as const) {
      test(`is ${how} at '${at}'`, async () => {
        const review = await open();
        if (at === 'estimating') {
          const held = Promise.withResolvers<void>();
          acts.beforeEstimate = held.promise;
          review.send(draft, 'once');
          review[how === 'denied' ? 'deny' : 'never']();
          held.resolve();
        } else if (at !== 'request') {
          review.send(draft, 'once');
          await clock.tick(0);
          if (at === 'answer') {
            acts.latest.resolve(answer('Hello.'));
            await clock.tick(0);
          }
        }
        review[how === 'denied' ? 'deny' : 'never']();
        await clock.tick(1_000);
        assert.deepEqual(review.state, { kind: 'done', how });
        assert.deepEqual(await review.end, { kind: how });
        assert.equal(acts.generated.length, at === 'generating' || at === 'answer' ? 1 : 0);
        assert.equal(
          acts.generated.at(-1)?.signal.aborted,
          { generating: true, answer: false }[at as string],
        );
      });
    }
  }

  test('asks no model when the last look before the send says no', async () => {
    const review = await open();
    acts.onSent = () => review.deny();
    review.send(draft, 'once');
    await clock.tick(0);
    assert.deepEqual(review.state, { kind: 'done', how: 'denied' });
    assert.equal(acts.generated.length, 0);
  });

  suite('when the server no longer waits', () => {
    test('keeps the answer for the tool that is run again, once', async () => {
      const review = await answered();
      review.over('It stopped waiting.');
      assert.deepEqual(await review.end, { kind: 'over' });
      const ended = { kind: 'ended', why: 'It stopped waiting.', answer: answer('Hello.') } as const;
      assert.deepEqual(review.state, { ...ended, canRunAgain: true });
      review.runAgain([{ at: '9', text: 'Nowhere' }], draft);
      assert.deepEqual(acts.prepared, []);
      review.runAgain([{ at: '0', text: 'Hi!' }], draft);
      review.runAgain([], draft);
      assert.deepEqual(acts.prepared, [{ kind: 'answer', answer: answer('Hi!'), isEdited: true }]);
      assert.deepEqual(review.state, { ...ended, canRunAgain: false });
    });

    test('shows what was sent beside its answer, whatever is written afterwards', async () => {
      const review = await answered();
      review.over('It stopped waiting.');
      review.edit({ modelId: 'two', edits });
      assert.deepEqual(review.draft, draft);
    });

    test('takes the draft for the tool that is run again where there is no answer', async () => {
      const review = await open();
      review.send(draft, 'once');
      await clock.tick(0);
      review.over('It stopped waiting.');
      assert.ok(acts.latest.signal.aborted);
      assert.equal('answer' in review.state, false);
      review.runAgain([], { modelId: 'two', edits });
      assert.deepEqual(acts.prepared, [{ kind: 'send', draft: { modelId: 'two', edits } }]);
    });

    test('computes no further estimates', async () => {
      const review = await open();
      review.edit({ modelId: 'one', edits });
      review.over('It stopped waiting.');
      review.setModels([]);
      review.limitsChanged();
      await clock.tick(1_000);
      assert.deepEqual(acts.estimated, ['one Hi.']);
      assert.equal(clock.pending, 0);
    });
  });

  suite('when models come and go', () => {
    test('replaces a model that is gone, and estimates again', async () => {
      const review = await open();
      review.setModels([model('two')]);
      await clock.tick(0);
      assert.equal(review.draft.modelId, 'two');
      assert.deepEqual(acts.estimated, ['one Hi.', 'two Hi.']);
      review.setModels([model('one'), model('two')]);
      assert.equal(review.draft.modelId, 'two', 'what was chosen stays');
    });

    test('says that there is no model, and waits', async () => {
      const review = await open();
      review.setModels([]);
      assert.deepEqual(review.state, { kind: 'request', problem: 'No language model is available.' });
      review.send(review.draft, 'once');
      await clock.tick(0);
      assert.equal(acts.generated.length, 0);
      review.setModels([model('three')]);
      assert.deepEqual(review.state, { kind: 'request' });
      review.send(review.draft, 'once');
      await clock.tick(0);
      assert.equal(acts.latest.model.id, 'three');
    });

    test('keeps what is written meanwhile', async () => {
      const review = await open();
      review.setModels([]);
      review.edit({ modelId: 'one', edits });
      review.setModels([model('three')]);
      assert.deepEqual(review.draft, { modelId: 'three', edits });
      review.edit({ modelId: 'one', edits: [] });
      assert.deepEqual(review.draft, { modelId: 'three', edits: [] });
    });

    test('leaves alone the one that answers', async () => {
      const review = await open();
      review.send(draft, 'once');
      await clock.tick(0);
      review.setModels([model('two')]);
      assert.equal(review.state.kind, 'generating');
      acts.latest.resolve(answer('Hello.'));
      await clock.tick(0);
      assert.equal(review.draft.modelId, 'two');
      review.regenerate();
      await clock.tick(0);
      assert.equal(acts.latest.model.id, 'two');
    });
  });
});
