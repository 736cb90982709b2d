import assert from 'node:assert/strict';
import { readAct } from '../../../../../src/host/sampling/review/samplingProtocol.ts';

const act = { type: 'act', id: 'x', phase: 0 } as const;
const draft = { modelId: 'fast', edits: [{ at: '0/0', text: 'b' }] };

suite('What the panel says of a request for a model', () => {
  for (const given of [
    { act: 'choose', choice: 'stop' },
    { act: 'choose', choice: 'regenerate' },
    { act: 'choose', choice: 'deny' },
    { act: 'choose', choice: 'never' },
    { act: 'choose', choice: 'copy' },
    { act: 'choose', choice: 'close' },
    { act: 'draft', draft },
    { act: 'draft', draft: { modelId: '', edits: [] } },
    { act: 'draftAnswer', edits: [{ at: '0', text: '' }] },
    { act: 'choose', choice: 'send', draft },
    {
      act: 'choose',
      choice: 'sendForSession',
      draft: { modelId: 'fast', edits: [{ at: 'system', text: 'b' }] },
    },
    { act: 'choose', choice: 'deliver', edits: [] },
    { act: 'choose', choice: 'runAgain', draft, edits: [] },
  ]) {
    test(`understands ${JSON.stringify(given)}`, () => {
      assert.deepEqual(readAct({ ...act, ...given }), { phase: 0, ...given });
    });
  }

  test('keeps nothing but what belongs to it', () => {
    const edits = [{ at: '0', text: 'b', more: 1 }];
    assert.deepEqual(readAct({ ...act, act: 'choose', choice: 'deliver', edits, span: 'session', more: 1 }), {
      phase: 0,
      act: 'choose',
      choice: 'deliver',
      edits: [{ at: '0', text: 'b' }],
    });
  });

  const edits = (...all: readonly unknown[]) => ({ act: 'choose', choice: 'deliver', edits: all });
  const wrong: [string, object][] = [
    ['another choice', { act: 'choose', choice: 'allow' }],
    ['no phase', { act: 'choose', choice: 'deny', phase: undefined }],
    ['a phase that is no number', { act: 'choose', choice: 'deny', phase: '0' }],
    ['a phase that is no whole number', { act: 'choose', choice: 'deny', phase: 0.5 }],
    ['no draft', { act: 'choose', choice: 'send' }],
    ['a draft that is none', { act: 'choose', choice: 'send', draft: 'x' }],
    ['no model', { act: 'choose', choice: 'send', draft: { edits: [] } }],
    ['a model that is no text', { act: 'choose', choice: 'send', draft: { modelId: 1, edits: [] } }],
    ['another act', { act: 'deny' }],
    ['no choice', { act: 'choose' }],
    ['no texts', { act: 'choose', choice: 'deliver' }],
    ['texts that are no list', { act: 'choose', choice: 'deliver', edits: { at: '0', text: 'b' } }],
    ['a text that is none', edits('x')],
    ['a text that is null', edits(null)],
    ['a text without a place', edits({ text: 'b' })],
    ['a place without a text', edits({ at: '0' })],
    ['a text that is a number', edits({ at: '0', text: 1 })],
    ['another place', edits({ at: '__proto__', text: 'b' })],
    ['a place too deep', edits({ at: '0/0/0', text: 'b' })],
    ['a place before the first', edits({ at: '-1', text: 'b' })],
    ['a place of endless digits', edits({ at: '1'.repeat(50), text: 'b' })],
    ['a place twice', edits({ at: '0', text: 'b' }, { at: '0', text: 'c' })],
    [
      'too many texts',
      edits(...Array.from({ length: 20_001 }, (_, index) => ({ at: String(index), text: '' }))),
    ],
    [
      'texts that are too long',
      edits({ at: '0', text: 'x'.repeat(3_000_000) }, { at: '1', text: 'x'.repeat(1_000_001) }),
    ],
    ['no answer to run again with', { act: 'choose', choice: 'runAgain', draft }],
  ];
  for (const [what, given] of wrong) {
    test(`does not understand ${what}`, () => {
      assert.equal(readAct({ ...act, ...given }), undefined);
    });
  }
});
