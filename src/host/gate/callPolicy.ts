import type { LedgerDecision } from '../ledger/ledgerEntry.ts';
import type { RememberedAnswer } from './callDecisions.ts';
import type { Caller } from '../ledger/caller.ts';
import type { GateSettings } from '../config/settings.ts';
import type { CallSpan } from './callQuestion.ts';

/** Everything that decides about one request at one moment. */
export interface CallCircumstances {
  readonly caller: Caller['kind'];
  readonly confirm: GateSettings['confirm'];
  /** How the tool, prompt or template compares with what was approved; resources, and what you ask for yourself of others, are `known`. */
  readonly standing: 'known' | 'new' | 'added' | 'changed' | 'unsupported' | 'notOffered';
  /** A server whose claims are trusted says that it only reads. */
  readonly isTrustedRead: boolean;
  /** Whether the server is available to chat. */
  readonly isGranted: boolean;
  readonly remembered: RememberedAnswer | undefined;
}

export type CallVerdict =
  | { readonly kind: 'pass'; readonly decision: LedgerDecision }
  | { readonly kind: 'ask'; readonly span: 'any' | 'once' }
  | {
      readonly kind: 'refuse';
      readonly why: 'changed' | 'added' | 'unsupported' | 'notOffered' | 'notGranted' | 'denied';
    };

const ask: CallVerdict = { kind: 'ask', span: 'any' };

/** Whether a caller reaches only servers that are available to chat. */
export function needsGrant(caller: Caller['kind']): boolean {
  return caller === 'agentMode' || caller === 'chat';
}

/** Whether a request passes, is asked about or refused. Only your own click overrides a denial. */
export function verdictOn(call: CallCircumstances): CallVerdict {
  const { caller, confirm, standing, isTrustedRead, isGranted, remembered } = call;
  if (standing === 'changed') {
    return { kind: 'refuse', why: 'changed' };
  }
  if (standing === 'unsupported') {
    return { kind: 'refuse', why: 'unsupported' };
  }
  if (caller === 'person') {
    return { kind: 'pass', decision: 'person' };
  }
  if (standing === 'added' || standing === 'notOffered') {
    return { kind: 'refuse', why: standing };
  }
  if (needsGrant(caller) && !isGranted) {
    return { kind: 'refuse', why: 'notGranted' };
  }
  if (remembered === 'deny') {
    return { kind: 'refuse', why: 'denied' };
  }
  // An unreadable decision means: ask again.
  if (remembered === 'unclear') {
    return ask;
  }
  switch (confirm) {
    case 'always':
      return { kind: 'ask', span: 'once' };
    case 'never':
      return {
        kind: 'pass',
        decision: caller === 'agentMode' && standing === 'known' ? 'delegated' : 'unasked',
      };
    // Stryker disable next-line all: equivalent, because the other cases return
    case 'byTrust':
      break;
  }
  // Permission for all of a server's tools was given before this one was there.
  if (standing === 'new') {
    return ask;
  }
  if (caller === 'agentMode') {
    return { kind: 'pass', decision: 'delegated' };
  }
  if (isTrustedRead) {
    return { kind: 'pass', decision: 'trusted' };
  }
  return remembered === 'allow' ? { kind: 'pass', decision: 'remembered' } : ask;
}

/** For how long an answer may be remembered. */
export function spansOf({ span }: CallVerdict & { kind: 'ask' }, hasWorkspace: boolean): readonly CallSpan[] {
  if (span === 'once') {
    return ['once'];
  }
  return hasWorkspace ? ['once', 'session', 'workspace', 'always'] : ['once', 'session', 'always'];
}
