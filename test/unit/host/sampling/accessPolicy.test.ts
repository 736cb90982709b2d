import assert from 'node:assert/strict';
import {
  accessPolicy,
  verdictOnSampling,
  type PolicyFacts,
} from '../../../../src/host/sampling/accessPolicy.ts';
import type { SamplingPolicy } from '../../../../src/host/sampling/samplingSettings.ts';

type Verdict = ReturnType<typeof verdictOnSampling>;

const policies: readonly SamplingPolicy[] = ['deny', 'ask', 'session', 'allow'];
const facts = (fields: Partial<PolicyFacts>): PolicyFacts => ({
  setting: 'ask',
  isAllowedForSession: false,
  ...fields,
});
const verdictOf = (all: PolicyFacts, isModelRecorded = true): Verdict =>
  verdictOnSampling({ access: accessPolicy(all), isModelRecorded });

const own = (policy: SamplingPolicy) => ({ proposal: { policy, isOwn: true } });
const workspace = (policy: SamplingPolicy) => ({ proposal: { policy, isOwn: false } });
const decided = (policy: SamplingPolicy) => ({ decision: { policy, isOfThisLaunch: true } });
const before = (policy: SamplingPolicy) => ({ decision: { policy, isOfThisLaunch: false } });

/** What holds, what decided it, and what becomes of a request before and after "allow for this session". */
type Row = readonly [
  what: string,
  facts: Partial<PolicyFacts>,
  holds: SamplingPolicy,
  basis: 'decision' | 'definition' | 'setting',
  verdict: Verdict,
  inAllowedSession: Verdict,
];

const rows: readonly Row[] = [
  ['setting deny', { setting: 'deny' }, 'deny', 'setting', 'refuse', 'refuse'],
  ['setting ask', { setting: 'ask' }, 'ask', 'setting', 'review', 'send'],
  ['setting session', { setting: 'session' }, 'session', 'setting', 'review', 'send'],
  ['setting allow', { setting: 'allow' }, 'allow', 'setting', 'send', 'send'],

  ['own deny', { setting: 'allow', ...own('deny') }, 'deny', 'definition', 'refuse', 'refuse'],
  ['own ask', { setting: 'allow', ...own('ask') }, 'ask', 'definition', 'review', 'send'],
  ['own session', { setting: 'allow', ...own('session') }, 'session', 'definition', 'review', 'send'],
  ['own allow', { setting: 'deny', ...own('allow') }, 'allow', 'definition', 'send', 'send'],

  ['decision deny', { setting: 'allow', ...decided('deny') }, 'deny', 'decision', 'refuse', 'refuse'],
  ['decision ask', { setting: 'allow', ...decided('ask') }, 'ask', 'decision', 'review', 'send'],
  ['decision session', { setting: 'allow', ...decided('session') }, 'session', 'decision', 'review', 'send'],
  ['decision allow', { setting: 'deny', ...decided('allow') }, 'allow', 'decision', 'send', 'send'],

  ['decision over own', { ...own('deny'), ...decided('allow') }, 'allow', 'decision', 'send', 'send'],
  ['decision under own', { ...own('allow'), ...decided('deny') }, 'deny', 'decision', 'refuse', 'refuse'],

  ['other launch: deny', { setting: 'allow', ...before('deny') }, 'deny', 'decision', 'refuse', 'refuse'],
  ['other launch: ask', { setting: 'allow', ...before('ask') }, 'ask', 'decision', 'review', 'send'],
  ['other launch: session', { setting: 'allow', ...before('session') }, 'ask', 'decision', 'review', 'send'],
  ['other launch: allow', { setting: 'allow', ...before('allow') }, 'ask', 'decision', 'review', 'send'],

  [
    'workspace deny, setting deny',
    { setting: 'deny', ...workspace('deny') },
    'deny',
    'setting',
    'refuse',
    'refuse',
  ],
  [
    'workspace deny, setting ask',
    { setting: 'ask', ...workspace('deny') },
    'deny',
    'definition',
    'refuse',
    'refuse',
  ],
  [
    'workspace deny, setting session',
    { setting: 'session', ...workspace('deny') },
    'deny',
    'definition',
    'refuse',
    'refuse',
  ],
  [
    'workspace deny, setting allow',
    { setting: 'allow', ...workspace('deny') },
    'deny',
    'definition',
    'refuse',
    'refuse',
  ],
  [
    'workspace ask, setting deny',
    { setting: 'deny', ...workspace('ask') },
    'deny',
    'setting',
    'refuse',
    'refuse',
  ],
  [
    'workspace ask, setting ask',
    { setting: 'ask', ...workspace('ask') },
    'ask',
    'setting',
    'review',
    'review',
  ],
  [
    'workspace ask, setting session',
    { setting: 'session', ...workspace('ask') },
    'ask',
    'definition',
    'review',
    'review',
  ],
  [
    'workspace ask, setting allow',
    { setting: 'allow', ...workspace('ask') },
    'ask',
    'definition',
    'review',
    'review',
  ],
  [
    'workspace session, setting deny',
    { setting: 'deny', ...workspace('session') },
    'deny',
    'setting',
    'refuse',
    'refuse',
  ],
  [
    'workspace session, setting ask',
    { setting: 'ask', ...workspace('session') },
    'ask',
    'setting',
    'review',
    'send',
  ],
  [
    'workspace session, setting session',
    { setting: 'session', ...workspace('session') },
    'session',
    'setting',
    'review',
    'send',
  ],
  [
    'workspace session, setting allow',
    { setting: 'allow', ...workspace('session') },
    'session',
    'definition',
    'review',
    'send',
  ],
  [
    'workspace allow, setting deny',
    { setting: 'deny', ...workspace('allow') },
    'deny',
    'setting',
    'refuse',
    'refuse',
  ],
  [
    'workspace allow, setting ask',
    { setting: 'ask', ...workspace('allow') },
    'ask',
    'setting',
    'review',
    'send',
  ],
  [
    'workspace allow, setting session',
    { setting: 'session', ...workspace('allow') },
    'session',
    'setting',
    'review',
    'send',
  ],
  [
    'workspace allow, setting allow',
    { setting: 'allow', ...workspace('allow') },
    'allow',
    'setting',
    'send',
    'send',
  ],

  [
    'workspace deny, decision allow',
    { ...workspace('deny'), ...decided('allow') },
    'deny',
    'definition',
    'refuse',
    'refuse',
  ],
  [
    'workspace ask, decision allow',
    { ...workspace('ask'), ...decided('allow') },
    'ask',
    'definition',
    'review',
    'review',
  ],
  [
    'workspace session, decision allow',
    { ...workspace('session'), ...decided('allow') },
    'session',
    'definition',
    'review',
    'send',
  ],
  [
    'workspace allow, decision deny',
    { ...workspace('allow'), ...decided('deny') },
    'deny',
    'decision',
    'refuse',
    'refuse',
  ],
  [
    'workspace allow, decision ask',
    { ...workspace('allow'), ...decided('ask') },
    'ask',
    'decision',
    'review',
    'send',
  ],
  [
    'workspace session, other launch: allow',
    { ...workspace('session'), ...before('allow') },
    'ask',
    'decision',
    'review',
    'send',
  ],
  [
    'workspace ask, other launch: deny',
    { ...workspace('ask'), ...before('deny') },
    'deny',
    'decision',
    'refuse',
    'refuse',
  ],
];

suite('What a server may ask of models', () => {
  for (const [what, fields, policy, basis, verdict, inAllowedSession] of rows) {
    test(`${what}: ${policy} by ${basis}; ${verdict}, and ${inAllowedSession} in an allowed session`, () => {
      const access = accessPolicy(facts(fields));
      assert.deepEqual(access, { policy, basis, isForSession: false });
      assert.equal(verdictOf(facts(fields)), verdict);
      const allowed = facts({ ...fields, isAllowedForSession: true });
      assert.equal(verdictOf(allowed), inAllowedSession);
      const canAllow = verdict === 'review' && inAllowedSession === 'send';
      assert.deepEqual(accessPolicy(allowed), { policy, basis, isForSession: canAllow });
    });
  }

  const decisions = [undefined, ...policies].flatMap((policy) =>
    policy === undefined ? [{}] : [decided(policy), before(policy)],
  );
  const all = policies.flatMap((setting) =>
    decisions.flatMap((decision) =>
      [false, true].map((isAllowedForSession) => ({ setting, isAllowedForSession, ...decision })),
    ),
  );
  const rank: readonly Verdict[] = ['refuse', 'review', 'send'];

  test('is never more because of a workspace', () => {
    for (const one of all) {
      for (const policy of policies) {
        const without = rank.indexOf(verdictOf(one));
        const narrowed = rank.indexOf(verdictOf({ ...one, ...workspace(policy) }));
        assert.ok(narrowed <= without, JSON.stringify({ ...one, policy }));
      }
    }
  });

  test('is always reviewed when the model has not answered after a click of yours', () => {
    const proposals = [{}, ...policies.map(own), ...policies.map(workspace)];
    for (const one of all.flatMap((each) => proposals.map((proposal) => ({ ...each, ...proposal })))) {
      const recorded = verdictOf(one);
      assert.equal(verdictOf(one, false), recorded === 'send' ? 'review' : recorded);
    }
  });

  test('is nothing where it is denied, whatever the session has allowed', () => {
    for (const one of all.filter((each) => accessPolicy(each).policy === 'deny')) {
      assert.equal(verdictOf(one), 'refuse');
      assert.equal(accessPolicy(one).isForSession, false);
    }
  });
});
