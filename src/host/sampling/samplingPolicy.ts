import type { AccessBasis, AccessPolicy } from './modelAccess.ts';
import type { SamplingPolicy, SamplingSettings } from '../config/samplingSettings.ts';

/** All that counts for one server's requests on one occasion. */
export interface PolicyFacts {
  readonly setting: SamplingPolicy;
  /** What the server's definition says; `isOwn` when it is the user's own definition, not a workspace's. */
  readonly proposal?: { readonly policy: SamplingPolicy; readonly isOwn: boolean };
  /** What the person said of this server for this occasion, while it ran by this launch or another one. */
  readonly decision?: { readonly policy: SamplingPolicy; readonly isOfThisLaunch: boolean };
  /** The person allowed this launch's requests on this occasion for the rest of the session. */
  readonly isAllowedForSession: boolean;
}

/** From what takes away most to what gives most. */
const order: readonly SamplingPolicy[] = ['deny', 'ask', 'session', 'allow'];

/**
 * What holds for a server: what the person decided for it, before their own definition of it, before the setting.
 * A workspace's definition can only take away from that: of the two, the stricter one holds, and "for this session"
 * where it leaves that much. Whether the person can be offered "for this session" is therefore `isForSession` of
 * the same facts with `isAllowedForSession`.
 */
export function accessPolicy({
  setting,
  proposal,
  decision,
  isAllowedForSession,
}: PolicyFacts): AccessPolicy {
  const own = ownPolicy(setting, proposal, decision);
  const limit: SamplingPolicy = proposal && !proposal.isOwn ? proposal.policy : 'allow';
  const isLimited = isStricter(limit, own.policy);
  const policy = isLimited ? limit : own.policy;
  return {
    policy,
    basis: isLimited ? 'definition' : own.basis,
    isForSession:
      isAllowedForSession && (policy === 'ask' || policy === 'session') && !isStricter(limit, 'session'),
  };
}

/**
 * What becomes of a request. One that needs no review gets one all the same when its model has never answered after
 * a click of the person's: the editor's own question about a model must follow a click.
 */
export function verdictOnSampling({
  access: { policy, isForSession },
  isModelRecorded,
}: {
  readonly access: AccessPolicy;
  readonly isModelRecorded: boolean;
}): 'review' | 'send' | 'refuse' {
  if (policy === 'deny') {
    return 'refuse';
  }
  return isModelRecorded && (policy === 'allow' || isForSession) ? 'send' : 'review';
}

/** Whether the person sees an answer before the server; `wasReviewed` when they saw the request. */
export function reviewsAnswer(setting: SamplingSettings['reviewResponses'], wasReviewed: boolean): boolean {
  switch (setting) {
    case 'always':
      return true;
    case 'asked':
      return wasReviewed;
    case 'never':
      return false;
  }
}

function ownPolicy(
  setting: SamplingPolicy,
  proposal: PolicyFacts['proposal'],
  decision: PolicyFacts['decision'],
): { readonly policy: SamplingPolicy; readonly basis: AccessBasis } {
  if (decision) {
    const isKept = decision.isOfThisLaunch || decision.policy === 'deny';
    return { policy: isKept ? decision.policy : 'ask', basis: 'decision' };
  }
  return proposal?.isOwn === true
    ? { policy: proposal.policy, basis: 'definition' }
    : { policy: setting, basis: 'setting' };
}

function isStricter(a: SamplingPolicy, b: SamplingPolicy): boolean {
  return order.indexOf(a) < order.indexOf(b);
}
