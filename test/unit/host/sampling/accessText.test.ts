import assert from 'node:assert/strict';
import {
  accessLines,
  accessSentence,
  accessSummary,
  isTroubled,
} from '../../../../src/host/sampling/accessText.ts';
import type { ModelAccess, AccessPolicy } from '../../../../src/host/sampling/accessPolicy.ts';

const ask: AccessPolicy = { policy: 'ask', basis: 'setting', isForSession: false };
const deny: AccessPolicy = { policy: 'deny', basis: 'decision', isForSession: false };
const session: AccessPolicy = { policy: 'session', basis: 'definition', isForSession: false };
const allow: AccessPolicy = { policy: 'allow', basis: 'decision', isForSession: false };
const thisSession: AccessPolicy = { policy: 'session', basis: 'decision', isForSession: true };

const untouched: ModelAccess = {
  policies: { inCall: ask, unasked: ask },
  today: { requests: 0, tokens: 0 },
  hasModel: true,
  isOffered: true,
};
const used = { today: { requests: 12, tokens: 3_400 } };
const limited = { note: 'More than 10 requests came within a minute: the others were refused.' };

suite('The words for access to language models', () => {
  const cases: readonly [what: string, more: Partial<ModelAccess>, row: string, sentence: string][] = [
    ['asks', {}, 'asks each time', 'asks each time'],
    ['was used', used, 'asks · 12 requests today, ≈ 3,400 tokens', 'asks each time'],
    [
      'was used once without a model',
      { today: { requests: 1, tokens: 0 } },
      'asks · 1 request today',
      'asks each time',
    ],
    [
      'is allowed for this session',
      { policies: { inCall: thisSession, unasked: thisSession } },
      'allowed for this session',
      'allowed for this session',
    ],
    [
      'asks once',
      { policies: { inCall: session, unasked: session } },
      'asks once for each session',
      'asks once for each session',
    ],
    [
      'is always allowed, and never at other times',
      { policies: { inCall: allow, unasked: deny } },
      'always allowed · at other times: not allowed',
      'always allowed · at other times: not allowed',
    ],
    [
      'is not allowed, whatever else there is',
      { ...used, ...limited, policies: { inCall: deny, unasked: deny }, hasModel: false, isOffered: false },
      'not allowed',
      'none: it is not allowed to ask',
    ],
    [
      'finds no model',
      { ...used, hasModel: false },
      'no language model',
      'asks each time; no language model is available',
    ],
    [
      'finds no model in an editor that has none to offer, and needs no restart',
      { hasModel: false, isOffered: false },
      'no language model',
      'asks each time; no language model is available',
    ],
    ['is not known yet to find a model', { hasModel: undefined }, 'asks each time', 'asks each time'],
    ['met a limit', { ...used, ...limited }, `${limited.note} · asks each time`, 'asks each time'],
    [
      'runs without model access',
      { isOffered: false },
      'asks each time · after a restart',
      'asks each time; it needs a restart before it can ask',
    ],
  ];

  for (const [what, more, row, sentence] of cases) {
    test(`of a server that ${what}`, () => {
      assert.equal(accessSummary({ ...untouched, ...more }), row);
      assert.equal(accessSentence({ ...untouched, ...more }), sentence);
    });
  }

  test('need attention when a limit is exceeded, not when there is no model or access is denied', () => {
    const denied = { policies: { inCall: deny, unasked: deny } };
    assert.equal(isTroubled(untouched), false);
    assert.equal(isTroubled({ ...untouched, hasModel: undefined }), false);
    assert.equal(isTroubled({ ...untouched, hasModel: false }), false);
    assert.equal(isTroubled({ ...untouched, ...limited }), true);
    assert.equal(isTroubled({ ...untouched, ...limited, ...denied, hasModel: false }), false);
  });

  test('say what holds, what decided it, and what is left', () => {
    const told = { maxTokensPerDay: 200_000, removed: [] };
    assert.deepEqual(accessLines({ ...untouched, ...used, ...limited, isOffered: false }, told), [
      'While it handles a request of yours: asks each time. Decided by your setting mcpHost.sampling.policy.',
      'At other times: asks each time. Your setting mcpHost.sampling.policy allows nothing at such times.',
      '12 requests today, ≈ 3,400 tokens. ≈ 196,600 tokens are left for today (mcpHost.sampling.maxTokensPerDay).',
      limited.note,
      'This server was not offered model access when it started: restart it.',
    ]);
    assert.deepEqual(
      accessLines(
        { ...untouched, policies: { inCall: session, unasked: thisSession } },
        { maxTokensPerDay: 5, removed: ['mcpHost.sampling.unaskedPolicy'] },
      ),
      [
        'While it handles a request of yours: asks once for each session. Decided by "sampling" in its definition.',
        'At other times: allowed for this session. You allowed it until this window closes.',
        'No request today. ≈ 5 tokens are left for today (mcpHost.sampling.maxTokensPerDay).',
        'mcpHost.sampling.unaskedPolicy is no longer a setting. It still restricts: remove it from your settings.',
      ],
    );
  });

  test('say nothing about tokens when access is denied, and never show a negative rest', () => {
    assert.deepEqual(
      accessLines(
        { ...untouched, policies: { inCall: deny, unasked: deny } },
        { maxTokensPerDay: 5, removed: [] },
      ),
      [
        'While it handles a request of yours: not allowed. You decided this.',
        'At other times: not allowed. You decided this.',
      ],
    );
    const [, , today] = accessLines({ ...untouched, ...used }, { maxTokensPerDay: 1_000, removed: [] });
    assert.match(today ?? '', /≈ 0 tokens are left for today/);
  });
});
