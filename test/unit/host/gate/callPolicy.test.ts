import assert from 'node:assert/strict';
import { spansOf, verdictOn, type CallCircumstances } from '../../../../src/host/gate/callPolicy.ts';

const usual: CallCircumstances = {
  caller: 'extension',
  confirm: 'byTrust',
  standing: 'known',
  isTrustedRead: false,
  isGranted: false,
  remembered: undefined,
};
const agent = { caller: 'agentMode', isGranted: true } as const;
const chat = { caller: 'chat', isGranted: true } as const;
const me = { caller: 'person' } as const;

function words(call: CallCircumstances): string {
  const verdict = verdictOn(call);
  switch (verdict.kind) {
    case 'pass':
      return verdict.decision;
    case 'ask':
      return `ask ${verdict.span}`;
    case 'refuse':
      return `refuse ${verdict.why}`;
  }
}

suite('The policy for a request', () => {
  const table: readonly (readonly [Partial<CallCircumstances>, string])[] = [
    [me, 'person'],
    [{ ...me, confirm: 'always' }, 'person'],
    [{ ...me, standing: 'new' }, 'person'],
    [{ ...me, standing: 'notOffered' }, 'person'],
    [{ ...me, remembered: 'deny' }, 'person'],
    [{ ...me, standing: 'added' }, 'person'],
    [{ ...me, standing: 'changed' }, 'refuse changed'],
    [{ ...me, standing: 'unsupported' }, 'refuse unsupported'],

    [agent, 'delegated'],
    [{ ...agent, isGranted: false }, 'refuse notGranted'],
    [{ ...agent, isGranted: false, remembered: 'allow' }, 'refuse notGranted'],
    [{ ...agent, isGranted: false, confirm: 'never' }, 'refuse notGranted'],
    [{ ...agent, isGranted: false, isTrustedRead: true }, 'refuse notGranted'],
    [{ ...agent, remembered: 'deny' }, 'refuse denied'],
    [{ ...agent, remembered: 'deny', confirm: 'never' }, 'refuse denied'],
    [{ ...agent, standing: 'new' }, 'ask any'],
    [{ ...agent, standing: 'new', remembered: 'allow' }, 'ask any'],
    [{ ...agent, standing: 'new', confirm: 'never' }, 'unasked'],
    [{ ...agent, confirm: 'never' }, 'delegated'],
    [{ ...agent, confirm: 'always' }, 'ask once'],
    [{ ...agent, standing: 'added' }, 'refuse added'],
    [{ ...agent, standing: 'added', confirm: 'never', remembered: 'allow' }, 'refuse added'],
    [{ standing: 'added', isTrustedRead: true, confirm: 'never' }, 'refuse added'],
    [{ ...agent, standing: 'changed' }, 'refuse changed'],
    [{ ...agent, standing: 'notOffered' }, 'refuse notOffered'],
    [{ ...agent, standing: 'unsupported', remembered: 'allow' }, 'refuse unsupported'],

    [chat, 'ask any'],
    [{ ...chat, isGranted: false }, 'refuse notGranted'],
    [{ ...chat, isGranted: false, remembered: 'allow' }, 'refuse notGranted'],
    [{ ...chat, isGranted: false, confirm: 'never' }, 'refuse notGranted'],
    [{ ...chat, isGranted: false, isTrustedRead: true }, 'refuse notGranted'],
    [{ ...chat, isTrustedRead: true }, 'trusted'],
    [{ ...chat, remembered: 'allow' }, 'remembered'],
    [{ ...chat, remembered: 'deny' }, 'refuse denied'],
    [{ ...chat, standing: 'new', remembered: 'allow' }, 'ask any'],
    [{ ...chat, confirm: 'never' }, 'unasked'],
    [{ ...chat, confirm: 'always' }, 'ask once'],

    [{}, 'ask any'],
    [{ isTrustedRead: true }, 'trusted'],
    [{ isTrustedRead: true, standing: 'new' }, 'ask any'],
    [{ isTrustedRead: true, remembered: 'deny' }, 'refuse denied'],
    [{ isTrustedRead: true, confirm: 'always' }, 'ask once'],
    [{ remembered: 'allow' }, 'remembered'],
    [{ remembered: 'allow', standing: 'new' }, 'ask any'],
    [{ remembered: 'allow', confirm: 'always' }, 'ask once'],
    [{ remembered: 'allow', standing: 'changed' }, 'refuse changed'],
    [{ remembered: 'deny' }, 'refuse denied'],
    [{ remembered: 'deny', confirm: 'always' }, 'refuse denied'],
    [{ remembered: 'deny', confirm: 'never' }, 'refuse denied'],
    [{ remembered: 'unclear', confirm: 'never' }, 'ask any'],
    [{ remembered: 'unclear', isTrustedRead: true }, 'ask any'],
    [{ ...agent, remembered: 'unclear' }, 'ask any'],
    [{ confirm: 'never' }, 'unasked'],
    [{ confirm: 'never', standing: 'changed' }, 'refuse changed'],
    [{ confirm: 'never', standing: 'notOffered' }, 'refuse notOffered'],
    [{ confirm: 'never', standing: 'unsupported' }, 'refuse unsupported'],
    [{ confirm: 'always' }, 'ask once'],
  ];
  for (const [circumstances, expected] of table) {
    test(`${JSON.stringify(circumstances)}: ${expected}`, () => {
      assert.equal(words({ ...usual, ...circumstances }), expected);
    });
  }

  test('never lets through what was denied or has changed, except by your click', () => {
    for (const caller of ['agentMode', 'chat', 'extension'] as const) {
      for (const confirm of ['byTrust', 'always', 'never'] as const) {
        for (const isTrustedRead of [false, true]) {
          for (const isGranted of [false, true]) {
            const all = { caller, confirm, isTrustedRead, isGranted };
            for (const remembered of ['allow', 'deny', undefined] as const) {
              assert.match(words({ ...all, remembered, standing: 'changed' }), /^refuse/);
              assert.match(words({ ...all, remembered, standing: 'notOffered' }), /^refuse/);
            }
            for (const standing of ['known', 'new'] as const) {
              assert.match(words({ ...all, remembered: 'deny', standing }), /^refuse/);
            }
          }
        }
      }
    }
  });

  test('can be remembered for a workspace where there is one, and never where each request is asked about', () => {
    assert.deepEqual(spansOf({ kind: 'ask', span: 'any' }, true), ['once', 'session', 'workspace', 'always']);
    assert.deepEqual(spansOf({ kind: 'ask', span: 'any' }, false), ['once', 'session', 'always']);
    assert.deepEqual(spansOf({ kind: 'ask', span: 'once' }, true), ['once']);
  });
});
