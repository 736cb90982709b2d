import assert from 'node:assert/strict';
import { readAct } from '../../../../../src/host/sampling/review/samplingProtocol.ts';

const draft = { modelId: 'fast', edits: [{ at: '0/0', text: 'b' }] };
const act = { type: 'act', id: 'x', phase: 0, draft, edits: [] } as const;

suite('What the panel says of a request for a model', () => {
  for (const given of [
    {},
    { choice: 'deny' },
    { draft: { modelId: '', edits: [] } },
    { draft: { modelId: 'fast', edits: [{ at: 'system', text: 'b' }] }, choice: 'send' },
    { edits: [{ at: '0', text: '' }] },
    { edits: [{ at: '0', text: 'b' }], choice: 'deliver' },
  ]) {
    test(`understands ${JSON.stringify(given)}`, () => {
      assert.deepEqual(readAct({ ...act, ...given }), { phase: 0, draft, edits: [], ...given });
    });
  }

  test('keeps nothing but what belongs to it', () => {
    const edits = [{ at: '0', text: 'b', more: 1 }];
    const more = { draft: { ...draft, more: 1 }, choice: 'deliver', span: 'session', more: 1 };
    assert.deepEqual(readAct({ ...act, ...more, edits }), {
      phase: 0,
      draft,
      edits: [{ at: '0', text: 'b' }],
      choice: 'deliver',
    });
  });

  const edits = (...all: readonly unknown[]) => ({ edits: all });
  const wrong: [string, object][] = [
    ['a choice that is no text', { choice: 1 }],
    ['no phase', { phase: undefined }],
    ['a phase that is no number', { phase: '0' }],
    ['a phase that is no whole number', { phase: 0.5 }],
    ['no draft', { draft: undefined }],
    ['a draft that is none', { draft: 'x' }],
    ['no model', { draft: { edits: [] } }],
    ['a model that is no text', { draft: { modelId: 1, edits: [] } }],
    ['a draft without texts', { draft: { modelId: 'fast' } }],
    ['no texts', { edits: undefined }],
    ['texts that are no list', { edits: { at: '0', text: 'b' } }],
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
  ];
  for (const [what, given] of wrong) {
    test(`does not understand ${what}`, () => {
      assert.equal(readAct({ ...act, ...given }), undefined);
    });
  }
});
