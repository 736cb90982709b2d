import { capitalized } from '../../base/words.ts';
import type { ModelAccess, AccessPolicy } from './accessPolicy.ts';
import type { SamplingOccasion } from './request/samplingRequest.ts';

/** What is said where the editor has no model to offer. */
const noModelText = 'no language model is available';

/** When a server asks, as the person calls it. */
export function occasionText(occasion: SamplingOccasion): string {
  return occasion === 'inCall' ? 'while it works for you' : 'by itself';
}

/** What holds on one occasion, in a few words. */
export function policyText({ policy, isForSession }: AccessPolicy): string {
  if (isForSession) {
    return 'allowed for this session';
  }
  switch (policy) {
    case 'ask':
      return 'asks each time';
    case 'session':
      return 'asks once for each session';
    case 'allow':
      return 'always allowed';
    case 'deny':
      return 'not allowed';
  }
}

/** How a server stands with language models, in the few words of a row. */
export function accessSummary(access: ModelAccess): string {
  const policies = policiesText(access);
  if (isDenied(access)) {
    return policies;
  }
  if (access.hasModel === false) {
    return 'no language model';
  }
  const usage = usageText(access);
  // In front of something else "each time" takes up room and says nothing more.
  const short = usage === undefined ? policies : policies.replace('asks each time', 'asks');
  return [
    // The row may be narrow: what keeps the server from a model comes first.
    ...(access.note === undefined
      ? [short, ...(usage === undefined ? [] : [usage])]
      : [access.note, policies]),
    ...(needsRestart(access) ? ['after a restart'] : []),
  ].join(' · ');
}

/** Whether the row of a server is to catch the eye: a limit bites. That an editor has no model is no trouble by itself. */
export function isTroubled(access: ModelAccess): boolean {
  return !isDenied(access) && access.note !== undefined;
}

/** What there is to know of a server's access to language models, a sentence or a few in each line. */
export function accessLines(access: ModelAccess, maxTokensPerDay: number): readonly string[] {
  const { inCall, unasked } = access.policies;
  return [
    `${capitalized(occasionText('inCall'))}: ${policyText(inCall)}. ${basisText('inCall', inCall)}`,
    `${capitalized(occasionText('unasked'))}: ${policyText(unasked)}. ${basisText('unasked', unasked)}`,
    ...(isDenied(access) ? [] : [todayText(access, maxTokensPerDay), ...troubleLines(access)]),
  ];
}

/** The same in one sentence, without what was used. */
export function accessSentence(access: ModelAccess): string {
  if (isDenied(access)) {
    return 'none: it is not allowed to ask';
  }
  const trouble = [
    ...(access.hasModel === false ? [noModelText] : []),
    ...(needsRestart(access) ? ['it is told that it may ask when it starts again'] : []),
  ];
  return [policiesText(access), ...trouble].join('; ');
}

/** What access to a language model means, for somebody who has not heard of it. */
export const accessMeaning =
  'A server may ask for a language model of this editor: it sends a text, and gets what the model says to it ' +
  '(sampling). You decide whether you read both before they are handed on.';

function policiesText({ policies: { inCall, unasked } }: ModelAccess): string {
  const [first, second] = [policyText(inCall), policyText(unasked)];
  return first === second ? first : `${first} · ${occasionText('unasked')}: ${second}`;
}

function isDenied({ policies: { inCall, unasked } }: ModelAccess): boolean {
  return inCall.policy === 'deny' && unasked.policy === 'deny';
}

function needsRestart({ isOffered, hasModel }: ModelAccess): boolean {
  return !isOffered && hasModel !== false;
}

function usageText({ today: { requests, tokens } }: ModelAccess): string | undefined {
  if (requests === 0 && tokens === 0) {
    return undefined;
  }
  const asked = requests === 1 ? '1 request today' : `${figure(requests)} requests today`;
  return tokens === 0 ? asked : `${asked}, ≈ ${figure(tokens)} tokens`;
}

function todayText(access: ModelAccess, maxTokensPerDay: number): string {
  const left = figure(Math.max(0, maxTokensPerDay - access.today.tokens));
  return `${capitalized(usageText(access) ?? 'no request today')}. ≈ ${left} tokens are left for today (mcpHost.sampling.maxTokensPerDay).`;
}

function troubleLines(access: ModelAccess): readonly string[] {
  return [
    ...(access.note === undefined ? [] : [access.note]),
    ...(access.hasModel === false
      ? [
          'No language model is available in this editor. Each request is refused until there is one: sign in to a ' +
            'provider, or install an extension that brings models.',
        ]
      : []),
    ...(needsRestart(access)
      ? ['When this server started it was not told that it may ask: restart it.']
      : []),
  ];
}

function basisText(occasion: SamplingOccasion, { basis, isForSession }: AccessPolicy): string {
  if (isForSession) {
    return 'You allowed it, until this window is closed.';
  }
  switch (basis) {
    case 'decision':
      return 'You decided this.';
    case 'definition':
      return 'Decided by "sampling" in its definition.';
    case 'setting':
      return `Decided by your setting mcpHost.sampling.${occasion === 'inCall' ? 'policy' : 'unaskedPolicy'}.`;
  }
}

/** Such as 3,400. */
function figure(count: number): string {
  return count.toLocaleString('en-GB');
}
