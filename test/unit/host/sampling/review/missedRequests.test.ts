import assert from 'node:assert/strict';
import type { RequestInFlight } from '../../../../../src/host/connection/requests/requestsInFlight.ts';
import { MissedRequests, missedTexts } from '../../../../../src/host/sampling/review/missedRequests.ts';
import { samplingQuestion, ScriptedReview } from '../../../support/scriptedReview.ts';
import type { SamplingQuestion } from '../../../../../src/host/sampling/review/samplingReview.ts';

/** A call of a tool that has ended. */
function endedCall(): RequestInFlight {
  return { method: 'tools/call', target: 'ask', args: {}, ended: AbortSignal.abort() };
}

/** A request that ended while a tool ran. */
function ended({ canRunAgain = true, call = endedCall(), label = 'everything' } = {}): SamplingQuestion {
  const review = new ScriptedReview();
  review.subject.requests = [call];
  review.become({ kind: 'ended', why: 'It has gone.', canRunAgain });
  return samplingQuestion(review, label);
}

suite('Requests for a model that ended without an answer', () => {
  let missed: MissedRequests;
  const running = new AbortController().signal;

  setup(() => {
    missed = new MissedRequests();
  });

  const keep = (question: SamplingQuestion, session = running): void =>
    missed.keep({ question, waitedMs: 60_400 }, session);
  test('are found by the call that they came out of', () => {
    const call = endedCall();
    const question = ended({ call });
    keep(ended({ call }));
    keep(question);
    keep(ended());
    assert.equal(missed.lastOf(call)?.question, question);
    assert.equal(missed.lastOf(endedCall()), undefined, 'another call of the same tool');
  });

  test('are three of a server at most, the latest', () => {
    const questions = [1, 2, 3, 4].map(() => ended());
    const other = ended({ label: 'other' });
    keep(other);
    questions.forEach((question) => keep(question));
    assert.deepEqual(
      questions.map((question) => missed.has(question)),
      [false, true, true, true],
    );
    assert.equal(missed.has(other), true);
    assert.equal(missed.last, questions[3]);
  });

  test('are dropped with the session of their server, and when you close one', () => {
    const session = new AbortController();
    const [first, second] = [ended(), ended()];
    keep(first, session.signal);
    keep(second);
    session.abort();
    assert.deepEqual([missed.has(first), missed.has(second)], [false, true]);
    missed.drop(second);
    assert.equal(missed.has(second), false);
    keep(first, session.signal);
    assert.equal(missed.has(first), false);
  });

  test('are mentioned in the result of the tool', () => {
    const words =
      "'everything' asked for a language model, and waited 60 s for your answer in the review panel.";
    assert.deepEqual(missedTexts({ question: ended(), waitedMs: 60_400 }), [
      words,
      'Select "Review Request" above to prepare an answer and run the tool again.',
    ]);
    assert.deepEqual(missedTexts({ question: ended({ canRunAgain: false }), waitedMs: 60_400 }), [
      words,
      'Select "Review Request" above to read what it asked.',
    ]);
  });
});
