import type * as vscode from 'vscode';
import { samplingPolicies } from '../../host/config/fields.ts';
import type { SamplingPolicy, SamplingSettings } from '../../host/sampling/samplingSettings.ts';

const reviews = ['asked', 'always', 'never'] as const;

const DEFAULT_PER_MINUTE = 10;
const MOST_PER_MINUTE = 1_000;
const DEFAULT_TOKENS_PER_REQUEST = 32_000;
const DEFAULT_TOKENS_PER_DAY = 200_000;

/** The settings `mcpHost.sampling.*`, read at the moment of use; an invalid value counts as the default. */
export function samplingSettings(
  workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
): SamplingSettings {
  const read = (name: string): unknown => workspace.getConfiguration('mcpHost.sampling').get<unknown>(name);
  return {
    policyFor: (occasion): SamplingPolicy =>
      oneOf(samplingPolicies, read(occasion === 'inCall' ? 'policy' : 'unaskedPolicy')) ?? 'ask',
    get reviewResponses() {
      return oneOf(reviews, read('reviewResponses')) ?? 'asked';
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
      return wholeNumber(read('maxRequestsPerMinute'), MOST_PER_MINUTE) ?? DEFAULT_PER_MINUTE;
    },
    get maxTokensPerRequest() {
      return wholeNumber(read('maxTokensPerRequest')) ?? DEFAULT_TOKENS_PER_REQUEST;
    },
    get maxTokensPerDay() {
      return wholeNumber(read('maxTokensPerDay')) ?? DEFAULT_TOKENS_PER_DAY;
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

function wholeNumber(value: unknown, most = Number.MAX_SAFE_INTEGER): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
    ? value
    : undefined;
}
