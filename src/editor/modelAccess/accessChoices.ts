import type { AccessPolicy } from '../../host/sampling/accessPolicy.ts';
import type { SamplingPolicy } from '../../host/sampling/samplingSettings.ts';

/** What you can decide about a server's access to language models. */
export interface AccessChoice {
  readonly kind: SamplingPolicy | 'thisSession' | 'default';
  readonly label: string;
  /** What follows from it. */
  readonly detail: string;
}

export const accessChoices: readonly AccessChoice[] = [
  {
    kind: 'ask',
    label: 'Ask Each Time',
    detail: 'You review each request before it is sent to a model, and can edit or refuse it.',
  },
  {
    kind: 'session',
    label: 'Ask Once for Each Session',
    detail: 'You review the first request. If you send it, later ones in this window are not reviewed.',
  },
  {
    kind: 'thisSession',
    label: 'Allow for This Session',
    detail: 'What it sends to a model, and gets, is not reviewed until you close the window.',
  },
  {
    kind: 'allow',
    label: 'Always Allow',
    detail: 'What it sends to a model, and gets, is never reviewed. Your limits apply.',
  },
  { kind: 'deny', label: 'Never', detail: 'All its requests are refused, and you are not asked.' },
  {
    kind: 'default',
    label: 'Follow the Settings',
    detail: 'Forgets your decision. The definition decides, otherwise your settings.',
  },
];

/** The choice that holds on one occasion. */
export function choiceIn({ policy, basis, isForSession }: AccessPolicy): AccessChoice['kind'] {
  if (isForSession) {
    return 'thisSession';
  }
  return basis === 'decision' ? policy : 'default';
}
