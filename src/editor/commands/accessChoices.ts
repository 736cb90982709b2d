import type { AccessPolicy } from '../../host/sampling/accessPolicy.ts';
import type { SamplingPolicy } from '../../host/sampling/samplingSettings.ts';

/** What the person can decide of a server's access to language models. */
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
    detail: 'You read each request before it is sent to a model, and can edit or refuse it.',
  },
  {
    kind: 'session',
    label: 'Ask Once for Each Session',
    detail: 'You read the first request. If you send it, nobody reads later ones in this window.',
  },
  {
    kind: 'thisSession',
    label: 'Allow for This Session',
    detail: 'Nobody reads what it sends to a model, or gets, until the window is closed.',
  },
  {
    kind: 'allow',
    label: 'Always Allow',
    detail: 'Nobody reads what it sends to a model, or gets, today or later. Your limits hold.',
  },
  { kind: 'deny', label: 'Never', detail: 'Each of its requests is refused, and you are not asked.' },
  {
    kind: 'default',
    label: 'Follow the Settings',
    detail: 'Forgets what you decided here. Its definition decides, or else your settings.',
  },
];

/** Which of them holds on one occasion. */
export function choiceIn({ policy, basis, isForSession }: AccessPolicy): AccessChoice['kind'] {
  if (isForSession) {
    return 'thisSession';
  }
  return basis === 'decision' ? policy : 'default';
}
