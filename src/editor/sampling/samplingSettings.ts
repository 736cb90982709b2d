import type * as vscode from 'vscode';
import { samplingPolicies } from '../../host/config/fields.ts';
import type { SamplingPolicy, SamplingSettings } from '../../host/sampling/samplingSettings.ts';

const MOST_PER_MINUTE = 10;
const MOST_TOKENS_PER_REQUEST = 32_000;
const DEFAULT_TOKENS_PER_DAY = 200_000;

/** Settings of earlier versions: where they are set, they still restrict, and never loosen. */
const removed = ['unaskedPolicy', 'reviewResponses', 'maxRequestsPerMinute', 'maxTokensPerRequest'] as const;

/** The settings `mcpHost.sampling.*`, read at the moment of use; an invalid value counts as the default. */
export function samplingSettings(
  workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
): SamplingSettings {
  const read = (name: string): unknown => workspace.getConfiguration('mcpHost.sampling').get<unknown>(name);
  return {
    policyFor: (occasion): SamplingPolicy => {
      const policy = oneOf(samplingPolicies, read('policy')) ?? 'ask';
      if (occasion === 'inCall') {
        return policy;
      }
      return policy === 'deny' || read('unaskedPolicy') === 'deny' ? 'deny' : 'ask';
    },
    get reviewsEveryAnswer() {
      return read('reviewResponses') === 'always';
    },
    get models() {
      const value = read('models');
      // An empty list allows every model, so a pattern without brackets must count as well.
      const patterns: readonly unknown[] = Array.isArray(value) ? value : [value];
      return patterns.filter(
        (pattern): pattern is string => typeof pattern === 'string' && pattern.trim() !== '',
      );
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
    get maxTokensPerDay() {
      return wholeNumber(read('maxTokensPerDay')) ?? DEFAULT_TOKENS_PER_DAY;
    },
    get removed() {
      return removed.filter((name) => read(name) !== undefined).map((name) => `mcpHost.sampling.${name}`);
    },
    onDidChange: (listener) =>
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('mcpHost.sampling')) {
          listener();
        }
      }),
  };
}

function oneOf<T>(values: readonly T[], value: unknown): T | undefined {
  return values.find((one) => one === value);
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : undefined;
}
