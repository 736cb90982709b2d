import assert from 'node:assert/strict';
import type { RequestInFlight } from '../../../../src/host/connection/requests/requestsInFlight.ts';
import {
  dayTokensSentence,
  rateSentence,
  requestTokensSentence,
  roundsSentence,
  ToolRounds,
} from '../../../../src/host/sampling/samplingLimits.ts';

const maxRounds = 25;

const aCall = (): RequestInFlight => ({
  method: 'tools/call',
  target: 'ask',
  ended: new AbortController().signal,
});

suite('The rounds of a tool loop', () => {
  test('come to an end', () => {
    const rounds = new ToolRounds();
    const call = aCall();
    const begun = Array.from({ length: 100 }, () => rounds.admit([call])).filter(Boolean);
    assert.equal(begun.length, maxRounds);
    assert.equal(rounds.admit([aCall()]), true);
  });

  test('count for all that the server works on', () => {
    const rounds = new ToolRounds();
    const [first, second] = [aCall(), aCall()];
    for (let round = 0; round < maxRounds; round += 1) {
      assert.equal(rounds.admit([first, second]), true);
    }
    assert.equal(rounds.admit([first]), false);
    assert.equal(rounds.admit([second]), false);
    assert.equal(rounds.admit([first, aCall()]), true);
  });

  test('are not counted for what comes unasked', () => {
    const rounds = new ToolRounds();
    assert.ok(Array.from({ length: 100 }, () => rounds.admit([])).every(Boolean));
  });
});

suite('A limit is explained in a sentence', () => {
  for (const [sentence, words] of [
    [rateSentence(10), 'More than 10 requests for a language model came in a minute, which is the limit.'],
    [rateSentence(1), 'More than 1 request for a language model came in a minute, which is the limit.'],
    [
      requestTokensSentence(12_345.2, 8_000),
      'The request takes about 12,346 tokens without its answer; 8,000 are allowed for both.',
    ],
    [
      dayTokensSentence(1_500, 1_000, 100_000),
      'The request and its answer may take about 1,500 tokens; of 100,000 for this day 1,000 are left (mcpHost.sampling.maxTokensPerDay).',
    ],
    [
      dayTokensSentence(1, -5, 100),
      'The request and its answer may take about 1 token; of 100 for this day 0 are left (mcpHost.sampling.maxTokensPerDay).',
    ],
    [roundsSentence(), 'A language model was asked 25 times with tools for one request, which is the limit.'],
  ] as const) {
    test(sentence, () => assert.equal(sentence, words));
  }
});
