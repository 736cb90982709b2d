import type * as vscode from 'vscode';
import { settings, withValues } from '../../host/config/settings.ts';
import type { SamplingOccasion } from '../../host/sampling/request/samplingRequest.ts';
import type { SamplingPolicy, SamplingSettings } from '../../host/sampling/samplingSettings.ts';

const MOST_PER_MINUTE = 10;
const MOST_TOKENS_PER_REQUEST = 32_000;

/** Settings of earlier versions: where they are set, they still restrict, and never loosen. */
const removed = ['unaskedPolicy', 'reviewResponses', 'maxRequestsPerMinute', 'maxTokensPerRequest'] as const;

/** The settings `mcpHost.sampling.*`, read at the moment of use; an invalid value counts as the default. */
export function samplingSettings(
  workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
): SamplingSettings {
  const written = (name: string): unknown => workspace.getConfiguration('mcpHost').get<unknown>(name);
  const read = (name: string): unknown => written(`sampling.${name}`);
  const { policy, ...others } = settings.sampling;
  return withValues(others, written, {
    policyFor: (occasion: SamplingOccasion): SamplingPolicy => {
      const chosen = policy.read(written(policy.name));
      if (occasion === 'inCall') {
        return chosen;
      }
      return chosen === 'deny' || read('unaskedPolicy') === 'deny' ? 'deny' : 'ask';
    },
    get reviewsEveryAnswer() {
      return read('reviewResponses') === 'always';
    },
    get maxRequestsPerMinute() {
      return Math.min(wholeNumber(read('maxRequestsPerMinute')) ?? MOST_PER_MINUTE, MOST_PER_MINUTE);
    },
    get maxTokensPerRequest() {
      return Math.min(
        wholeNumber(read('maxTokensPerRequest')) ?? MOST_TOKENS_PER_REQUEST,
        MOST_TOKENS_PER_REQUEST,
      );
    },
    get removed() {
      return removed.filter((name) => read(name) !== undefined).map((name) => `mcpHost.sampling.${name}`);
    },
    onDidChange: (listener: () => void) =>
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('mcpHost.sampling')) {
          listener();
        }
      }),
  });
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : undefined;
}
