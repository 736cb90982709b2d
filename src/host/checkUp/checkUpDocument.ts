import { secondsText } from '../../base/text/words.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { localTime } from '../documents/resultDocument.ts';
import type { CheckAction, CheckStep } from './checkStep.ts';

/** A check-up as a text, and what can be done at which line of it, from 0 on. */
export interface CheckUpDocument {
  readonly text: string;
  readonly places: readonly { readonly line: number; readonly action: CheckAction }[];
}

const words: Readonly<Record<CheckStep['outcome'], string>> = {
  ok: 'OK',
  failed: 'Failed',
  skipped: 'Skipped',
  noted: 'Note',
};

/** Milliseconds from which the time of a step is shown. */
const SHOWN_MS = 1;

/** `at` is when the check-up began. */
export function checkUpDocument(label: string, at: Date, steps: readonly CheckStep[]): CheckUpDocument {
  const failed = steps.filter(({ outcome }) => outcome === 'failed').map(({ title }) => title);
  const sum = failed.length === 0 ? 'No step failed.' : `Failed: ${failed.join(', ')}.`;
  const lines = [`Check-up of ${visibleText(label)}, ${localTime(at)}`, sum];
  const places: CheckUpDocument['places'][number][] = [];
  for (const { title, outcome, text, advice, action, ms } of steps) {
    lines.push('');
    if (action) {
      places.push({ line: lines.length, action });
    }
    lines.push(
      `${words[outcome]}: ${title}${ms >= SHOWN_MS ? ` (${ms < 100 ? `${ms} ms` : secondsText(ms)})` : ''}`,
    );
    lines.push(...text.split('\n').map((line) => `  ${line}`));
    if (advice !== undefined) {
      lines.push(`  What to do: ${advice}`);
    }
  }
  return { text: `${lines.join('\n')}\n`, places };
}
