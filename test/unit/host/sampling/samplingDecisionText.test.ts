import assert from 'node:assert/strict';
import {
  type SamplingDecision,
  samplingDecisionKind,
} from '../../../../src/host/sampling/samplingDecision.ts';

suite('What was decided about language models', () => {
  const decided: SamplingDecision = {
    kind: 'sampling',
    key: 'key',
    serverId: 'server',
    label: 'git',
    fingerprint: 'launch',
    at: 1,
  };
  const cases: readonly [what: Partial<SamplingDecision>, text: string][] = [
    [{ inCall: 'ask', unasked: 'ask' }, 'asks you before each use of a language model'],
    [
      { inCall: 'session', unasked: 'session' },
      'asks you once in each session before it uses language models',
    ],
    [{ inCall: 'allow' }, 'may always use language models while it handles a request of yours'],
    [{ unasked: 'deny' }, 'may use no language model at other times'],
    [
      { inCall: 'allow', unasked: 'deny' },
      'may always use language models while it handles a request of yours, and may use no language model at other times',
    ],
    [{}, 'uses language models as your settings say'],
  ];
  for (const [what, text] of cases) {
    test(`reads: ${text}`, () => {
      assert.equal(samplingDecisionKind.words?.what({ ...decided, ...what }), text);
    });
  }
});
