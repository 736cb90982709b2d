import type { SamplingPolicy } from './samplingSettings.ts';
import type { SamplingOccasion } from './request/samplingRequest.ts';

/** What decided the policy of a server: your decision for this server, its definition, or your settings. */
type AccessBasis = 'decision' | 'definition' | 'setting';

/** The model access of a server, for the tree and for messages. */
export interface ModelAccess {
  /** What applies now on each occasion, and what decided it. */
  readonly policies: Readonly<Record<SamplingOccasion, AccessPolicy>>;
  /** Requests and tokens since midnight, in this and other windows. */
  readonly today: { readonly requests: number; readonly tokens: number };
  /** Whether any model is available; undefined until that is known. */
  readonly hasModel: boolean | undefined;
  /** A limit that the server has exceeded, in a sentence. */
  readonly note?: string;
  /** False for a running server to which model access was not declared: that takes a restart. */
  readonly isOffered: boolean;
}

/** What applies to a server's requests on one occasion. */
export interface AccessPolicy {
  readonly policy: SamplingPolicy;
  readonly basis: AccessBasis;
  /** You allowed the requests until the window closes. */
  readonly isForSession: boolean;
}

/** Everything that decides about a server's requests on one occasion. */
export interface PolicyFacts {
  readonly setting: SamplingPolicy;
  /** From the server's definition; `isOwn` for a definition of yours, not a workspace's. */
  readonly proposal?: { readonly policy: SamplingPolicy; readonly isOwn: boolean };
  /** Your decision for this server and occasion, made for this launch or another one. */
  readonly decision?: { readonly policy: SamplingPolicy; readonly isOfThisLaunch: boolean };
  /** You allowed this launch's requests on this occasion for the rest of the session. */
  readonly isAllowedForSession: boolean;
}

/** From the strictest to the most generous. */
const order: readonly SamplingPolicy[] = ['deny', 'ask', 'session', 'allow'];

/**
 * What applies to a server: your decision, else your own definition of it, else your setting. A workspace's definition
 * can only restrict that: the stricter of the two applies, and "for this session" only where it permits at least that.
 * "For this session" can therefore be offered if the same facts with `isAllowedForSession` give `isForSession`.
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
 * What happens to a request. A request that needs no review is still reviewed if its model has never answered after a
 * click of yours: the editor's own question about a model must follow a click.
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
