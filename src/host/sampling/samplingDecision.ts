import { hasTexts } from '../../base/values/record.ts';
import { samplingPolicies } from '../config/fields.ts';
import type { SamplingPolicy } from './samplingSettings.ts';
import type { Decision, DecisionKind } from '../decisions/decision.ts';
import { occasionText } from './accessText.ts';

export const samplingOccasions = ['inCall', 'unasked'] as const;

/** What you decided about a server's access to language models, for each occasion on which it can ask. */
export interface SamplingDecision extends Decision {
  readonly kind: 'sampling';
  /** While it handles a request of yours, and at other times; what is not decided follows the settings. */
  readonly inCall?: SamplingPolicy;
  readonly unasked?: SamplingPolicy;
  /** Of the launch that was running: with another one `allow` and `session` count as `ask`. */
  readonly fingerprint: string;
}

/** One denial outweighs whatever the other occasion allows. */
const generosities: Readonly<Record<SamplingPolicy, number>> = { deny: -10, ask: 1, session: 2, allow: 4 };

export const samplingDecisionKind: DecisionKind<SamplingDecision> = {
  name: 'sampling',
  isEntry: (fields) =>
    hasTexts(fields, 'fingerprint') && isPolicy(fields['inCall']) && isPolicy(fields['unasked']),
  isDenial: ({ inCall, unasked }) => inCall === 'deny' || unasked === 'deny',
  // What is not decided follows the settings, which may be anything.
  generosity: ({ inCall = 'allow', unasked = 'allow' }) => generosities[inCall] + generosities[unasked],
  words: {
    what({ inCall, unasked }) {
      if (inCall !== undefined && inCall === unasked) {
        return decidedPolicyText(inCall);
      }
      const parts = [
        ...(inCall === undefined ? [] : [`${decidedPolicyText(inCall)} ${occasionText('inCall')}`]),
        ...(unasked === undefined ? [] : [`${decidedPolicyText(unasked)} ${occasionText('unasked')}`]),
      ];
      return parts.length === 0 ? 'uses language models as your settings say' : parts.join(', and ');
    },
    detail: () => 'Applies to its launch as it was then',
    undone: () => 'Its definition and your settings decide again about its requests for a language model.',
  },
};

function isPolicy(value: unknown): boolean {
  return value === undefined || samplingPolicies.some((policy) => policy === value);
}

function decidedPolicyText(policy: SamplingPolicy): string {
  switch (policy) {
    case 'ask':
      return 'asks you before each use of a language model';
    case 'session':
      return 'asks you once in each session before it uses language models';
    case 'allow':
      return 'may always use language models';
    case 'deny':
      return 'may use no language model';
  }
}
