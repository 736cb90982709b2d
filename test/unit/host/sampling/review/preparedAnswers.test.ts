import assert from 'node:assert/strict';
import type { RequestInFlight } from '../../../../../src/host/connection/requests/requestsInFlight.ts';
import { PreparedAnswers, type PreparedFor } from '../../../../../src/host/sampling/review/missedRequests.ts';
import type { Prepared } from '../../../../../src/host/sampling/review/reviewState.ts';
import { readSamplingRequest } from '../../../../../src/host/sampling/request/readSamplingRequest.ts';

const message = { role: 'user', content: { type: 'text', text: 'Hi.' } };
const params = { maxTokens: 10, systemPrompt: 'Be brief.', messages: [message] };

const about: PreparedFor = {
  serverId: 'user settings:user git',
  launch: 'launch 1',
  request: readSamplingRequest(params, '2025-11-25'),
};

const ended = new AbortController().signal;
const call: RequestInFlight = { method: 'tools/call', target: 'ask', args: { a: 1, b: { c: 2 } }, ended };

function sending(text: string): Prepared {
  return { kind: 'send', draft: { modelId: 'scripted', edits: [{ at: '0/0', text }] } };
}

suite('What was approved for a request that is to come again', () => {
  let prepared: PreparedAnswers;
  setup(() => {
    prepared = new PreparedAnswers();
  });

  test('is there for the same request, whatever the order of its fields', () => {
    const one = sending('One');
    prepared.keep(about, call, one);
    const reordered = { messages: [message], systemPrompt: 'Be brief.', maxTokens: 10 };
    const same = { ...about, request: readSamplingRequest(reordered, '2025-06-18') };
    const sameCall = { ...call, args: { b: { c: 2 }, a: 1 } };
    assert.equal(prepared.find(same, [sameCall]), one);
    const other: RequestInFlight = { method: 'tools/call', target: 'other', ended };
    assert.equal(prepared.find(same, [other, sameCall]), one, 'another tool runs, too');
  });

  test('is good once', () => {
    const one = sending('One');
    prepared.keep(about, call, one);
    assert.equal(prepared.take(one), true);
    assert.equal(prepared.take(one), false);
    assert.equal(prepared.find(about, [call]), undefined);
    assert.equal(prepared.isKeptFor(about.serverId), false);
  });

  const request = (more: object): PreparedFor['request'] =>
    readSamplingRequest({ ...params, ...more }, '2025-11-25');
  for (const [what, otherAbout, calls] of [
    ['server', { ...about, serverId: 'user settings:user other' }, [call]],
    ['launch', { ...about, launch: 'launch 2' }, [call]],
    ['text', { ...about, request: request({ systemPrompt: 'Be brief!' }) }, [call]],
    ['limit', { ...about, request: request({ maxTokens: 11 }) }, [call]],
    ['temperature', { ...about, request: request({ temperature: 0 }) }, [call]],
    ['tool', about, [{ ...call, target: 'other' }]],
    ['argument', about, [{ ...call, args: { a: 2, b: { c: 2 } } }]],
    ['occasion', about, []],
  ] as const) {
    test(`is not there for another ${what}`, () => {
      prepared.keep(about, call, sending('One'));
      assert.equal(prepared.find(otherAbout, calls), undefined);
    });
  }

  test('takes the place of what was approved before', () => {
    prepared.keep(about, call, sending('One'));
    const two = sending('Two');
    prepared.keep(about, call, two);
    assert.equal(prepared.find(about, [call]), two);
    prepared.take(two);
    assert.equal(prepared.find(about, [call]), undefined);
  });

  test('is forgotten with everything of a server', () => {
    prepared.keep(about, call, sending('One'));
    prepared.forget('another');
    assert.equal(prepared.isKeptFor(about.serverId), true);
    prepared.forget(about.serverId);
    assert.equal(prepared.find(about, [call]), undefined);
  });

  test('is not kept without bound', () => {
    for (let count = 0; count < 60; count += 1) {
      prepared.keep(about, { ...call, args: { count } }, sending(String(count)));
    }
    assert.equal(prepared.find(about, [{ ...call, args: { count: 0 } }]), undefined);
    assert.ok(prepared.find(about, [{ ...call, args: { count: 59 } }]));
  });
});
