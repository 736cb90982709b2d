import assert from 'node:assert/strict';
import type { SamplingEstimate } from '../../../../../src/host/sampling/review/reviewState.ts';
import { answer, samplingQuestion, ScriptedReview } from '../../../support/scriptedReview.ts';
import { samplingQuestions } from '../../../../../src/host/sampling/review/samplingQuestion.ts';
import type { DialogChoice } from '../../../../../src/host/questions/question.ts';

/** A review that answers at once, as far as it is let. */
class QuickReview extends ScriptedReview {
  /** What turns up when it is sent. */
  refusal: SamplingEstimate | undefined;

  override send(...given: Parameters<ScriptedReview['send']>): void {
    this.acts.push(['send', ...given]);
    if (this.refusal) {
      this.estimate = this.refusal;
      this.become({ kind: 'request' });
      return;
    }
    this.become({ kind: 'generating', text: '' });
    this.become({ kind: 'answer', answer: answer('Good day'), isStopped: false });
  }

  override deliver(...given: Parameters<ScriptedReview['deliver']>): void {
    super.deliver(...given);
    this.become({ kind: 'done', how: 'delivered' });
  }

  override deny(): void {
    super.deny();
    this.become({ kind: 'done', how: 'denied' });
  }
}

suite('A request for a model in dialogs', () => {
  let review: QuickReview;
  let offered: string[][];
  setup(() => {
    review = new QuickReview();
    offered = [];
  });

  /** Presses the buttons that `chosen` names; undefined closes the dialog. */
  const askInDialogs = (chosen: (choices: readonly DialogChoice[]) => string | undefined) =>
    samplingQuestions.askInDialogs(samplingQuestion(review), {
      show: ({ choices, isForeign }) => {
        assert.ok(isForeign);
        const title = chosen(choices);
        return Promise.resolve(choices.find((choice) => choice.title === title));
      },
      answer: () => assert.fail('it takes acts'),
    });

  /** Presses these buttons, one in each dialog; undefined looks away. */
  const press = (...titles: readonly (string | undefined)[]): Promise<boolean> => {
    const left = [...titles];
    return askInDialogs((choices) => {
      offered.push(choices.map(({ title }) => title));
      return left.shift();
    });
  };

  test('is sent, and its answer delivered', async () => {
    assert.equal(await press('Send', 'Deliver'), true);
    assert.deepEqual(offered, [
      ['Deny', 'Send', 'Never for This Server'],
      ['Deny', 'Deliver'],
    ]);
    assert.deepEqual(review.acts, [
      ['send', { modelId: 'fast', edits: [] }, 'once'],
      ['deliver', []],
    ]);
  });

  test('gives nothing when you deny it or its answer', async () => {
    assert.equal(await press('Send', 'Deny'), true);
    assert.deepEqual(review.acts.at(-1), ['deny']);
    review = new QuickReview();
    assert.equal(await press('Deny'), true);
    assert.deepEqual(review.acts, [['deny']]);
  });

  test('keeps waiting when you close the dialog', async () => {
    assert.equal(await press(undefined), false);
    assert.equal(await press('Send', undefined), false);
    assert.equal(review.state.kind, 'answer');
  });

  test('cannot be sent over a limit, or without a model', async () => {
    review.estimate = { input: 9, output: 9, leftToday: 1, problem: 'Too much.' };
    await press(undefined);
    review.estimate = { input: 1, output: 1, leftToday: 9 };
    review.models = [];
    await press(undefined);
    assert.deepEqual(offered, [
      ['Deny', 'Never for This Server'],
      ['Deny', 'Never for This Server'],
    ]);
  });

  test('is asked about again when a limit turns up at the send', async () => {
    review.refusal = { input: 9, output: 9, leftToday: 1, problem: 'Too much.' };
    assert.equal(await press('Send', 'Deny'), true);
    assert.deepEqual(offered[1], ['Deny', 'Never for This Server']);
    assert.equal(review.state.kind, 'done');
  });

  test('does not apply to another state that came while the dialog was open', async () => {
    const done = await askInDialogs(() => {
      review.become({ kind: 'ended', why: 'It has gone.', canRunAgain: false });
      return 'Send';
    });
    assert.equal(done, true);
    assert.deepEqual(review.acts, []);
  });

  test('waits for the model', async () => {
    review.become({ kind: 'generating', text: '' });
    const pressed = press('Deliver');
    review.become({ kind: 'generating', text: 'a' });
    assert.deepEqual(offered, []);
    review.become({ kind: 'answer', answer: answer('a'), isStopped: false });
    assert.equal(await pressed, true);
    assert.deepEqual(review.acts, [['deliver', []]]);
  });
});
