import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  requestTexts,
  answerWithEdits,
  requestWithEdits,
} from '../../../../../src/host/sampling/request/textEdits.ts';
import type { GeneratedAnswer } from '../../../../../src/host/sampling/request/generation.ts';
import { aRequest, message, PIXEL, text } from './requestBed.ts';

const image = { type: 'image', mimeType: 'image/png', data: PIXEL };

const request = aRequest({
  systemPrompt: 'Be short.',
  messages: [
    message('user', image, text('What is this?'), text('Say it.')),
    message('assistant', text('A dot.')),
  ],
});

const answer: GeneratedAnswer = {
  parts: [
    { kind: 'text', text: 'Let me add.' },
    { kind: 'toolUse', id: '1', name: 'add', input: {} },
  ],
  stopReason: 'toolUse',
  model: 'Large',
};

suite('The texts of a request', () => {
  test('have their places', () => {
    assert.deepEqual(requestTexts(request), [
      { at: 'system', text: 'Be short.' },
      { at: '0/1', text: 'What is this?' },
      { at: '0/2', text: 'Say it.' },
      { at: '1/0', text: 'A dot.' },
    ]);
  });

  test('take the place of others, and nothing else changes', () => {
    const edited = requestWithEdits(request, [
      { at: '0/2', text: 'Say it slowly.' },
      { at: 'system', text: '' },
    ]);
    assert.deepEqual(edited, {
      ...request,
      systemPrompt: '',
      messages: [
        {
          role: 'user',
          content: [
            request.messages[0]?.content[0],
            { kind: 'text', text: 'What is this?' },
            { kind: 'text', text: 'Say it slowly.' },
          ],
        },
        request.messages[1],
      ],
    });
    assert.equal(edited.messages[1], request.messages[1]);
    assert.ok(Object.isFrozen(edited.messages) && Object.isFrozen(edited.messages[0]?.content));
    assert.equal(requestTexts(request)[0]?.text, 'Be short.');
  });

  test('stay byte for byte where they are not edited', () => {
    const said = 'a\r\nb\rc\n\u202Ed\uD800';
    const odd = aRequest({ messages: [message('user', text(said), text('e'))] });
    const edited = requestWithEdits(odd, [{ at: '0/1', text: 'f' }]);
    assert.deepEqual(
      requestTexts(edited).map((one) => one.text),
      [said, 'f'],
    );
  });

  for (const at of ['2/0', '0/0', '0/3', '00/1', '0/1 ', '0', '', 'System', '__proto__']) {
    test(`are not at '${at}'`, () => {
      assert.throws(() => requestWithEdits(request, [{ at, text: 'a' }]), RangeError);
    });
  }

  test('have no place for a system prompt if there is no system prompt', () => {
    assert.throws(() => requestWithEdits(aRequest(), [{ at: 'system', text: 'a' }]), RangeError);
  });

  test('are, after any edits, those of the edits and otherwise what they were', () => {
    const places = requestTexts(request).map(({ at }) => at);
    const edits = fc.array(fc.record({ at: fc.constantFrom(...places), text: fc.string() }));
    fc.assert(
      fc.property(edits, (made) => {
        const last = new Map(made.map(({ at, text: said }) => [at, said]));
        assert.deepEqual(
          requestTexts(requestWithEdits(request, made)),
          requestTexts(request).map(({ at, text: said }) => ({ at, text: last.get(at) ?? said })),
        );
        assert.deepEqual(requestWithEdits(requestWithEdits(request, made), requestTexts(request)), request);
      }),
    );
  });

  test('make no other request when they are the same', () => {
    assert.equal(requestWithEdits(request, requestTexts(request)), request);
  });
});

suite('The texts of an answer', () => {
  test('take the place of others', () => {
    const edited = answerWithEdits(answer, [{ at: '0', text: 'I add.' }]);
    assert.deepEqual(edited, { ...answer, parts: [{ kind: 'text', text: 'I add.' }, answer.parts[1]] });
    assert.ok(Object.isFrozen(edited) && Object.isFrozen(edited.parts));
  });

  test('make no other answer when they are the same', () => {
    assert.equal(answerWithEdits(answer, [{ at: '0', text: 'Let me add.' }]), answer);
  });

  for (const at of ['1', '2', '-1', '0/0', 'system']) {
    test(`are not at '${at}'`, () => {
      assert.throws(() => answerWithEdits(answer, [{ at, text: 'a' }]), RangeError);
    });
  }
});
