import { capitalized } from '../../base/text/words.ts';
import type { ModelAccess, AccessPolicy } from './accessPolicy.ts';
import type { SamplingSettings } from './samplingSettings.ts';
import type { SamplingOccasion } from './request/samplingRequest.ts';

const noModelText = 'no language model is available';

/** When a server asks, in words. */
export function occasionText(occasion: SamplingOccasion): string {
  return occasion === 'inCall' ? 'while it handles a request of yours' : 'at other times';
}

/** What applies on one occasion, in a few words. */
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

/** The model access of a server, in the few words of a row. */
export function accessSummary(access: ModelAccess): string {
  const policies = policiesText(access);
  if (isDenied(access)) {
    return policies;
  }
  if (access.hasModel === false) {
    return 'no language model';
  }
  const usage = usageText(access);
  // Before other words, "each time" takes up space and adds nothing.
  const short = usage === undefined ? policies : policies.replace('asks each time', 'asks');
  return [
    // The row may be narrow: an exceeded limit comes first.
    ...(access.note === undefined
      ? [short, ...(usage === undefined ? [] : [usage])]
      : [access.note, policies]),
    ...(needsRestart(access) ? ['after a restart'] : []),
  ].join(' · ');
}

/** Whether the row of a server needs attention: it has exceeded a limit. An editor without a model needs none. */
export function isTroubled(access: ModelAccess): boolean {
  return !isDenied(access) && access.note !== undefined;
}

/** Everything about a server's model access, a sentence or a few in each line. */
export function accessLines(
  access: ModelAccess,
  { maxTokensPerDay, removed }: Pick<SamplingSettings, 'maxTokensPerDay' | 'removed'>,
): readonly string[] {
  const { inCall, unasked } = access.policies;
  return [
    `${capitalized(occasionText('inCall'))}: ${policyText(inCall)}. ${basisText('inCall', inCall)}`,
    `${capitalized(occasionText('unasked'))}: ${policyText(unasked)}. ${basisText('unasked', unasked)}`,
    ...(isDenied(access) ? [] : [todayText(access, maxTokensPerDay), ...troubleLines(access)]),
    ...removed.map(
      (name) => `${name} is no longer a setting. It still restricts: remove it from your settings.`,
    ),
  ];
}

/** The same in one sentence, without the usage. */
export function accessSentence(access: ModelAccess): string {
  if (isDenied(access)) {
    return 'none: it is not allowed to ask';
  }
  const trouble = [
    ...(access.hasModel === false ? [noModelText] : []),
    ...(needsRestart(access) ? ['it needs a restart before it can ask'] : []),
  ];
  return [policiesText(access), ...trouble].join('; ');
}

/** Explains model access. */
export const accessMeaning =
  'A server may ask for a language model of this editor: it sends a text, and gets an answer (sampling). You decide ' +
  'whether you review both first.';

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
      ? ['This server was not offered model access when it started: restart it.']
      : []),
  ];
}

function basisText(occasion: SamplingOccasion, { basis, isForSession, policy }: AccessPolicy): string {
  if (isForSession) {
    return 'You allowed it until this window closes.';
  }
  switch (basis) {
    case 'decision':
      return 'You decided this.';
    case 'definition':
      return 'Decided by "sampling" in its definition.';
    case 'setting':
      return occasion === 'inCall' || policy === 'deny'
        ? 'Decided by your setting mcpHost.sampling.policy.'
        : 'Your setting mcpHost.sampling.policy allows nothing at such times.';
  }
}

/** Such as 3,400. */
function figure(count: number): string {
  return count.toLocaleString('en-GB');
}
