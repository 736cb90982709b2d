import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { samplingSettings } from '../../../../src/editor/sampling/samplingSettings.ts';
import { contributedSettings } from '../../support/contributedSettings.ts';

type Workspace = Parameters<typeof samplingSettings>[0];

/** Settings as the editor gives them, whatever stands in the file. */
function workspaceWith(values: Readonly<Record<string, unknown>>): Workspace {
  const getConfiguration = (section: string): Pick<vscode.WorkspaceConfiguration, 'get'> => ({
    get: (name: string) => values[`${section}.${name}`] as never,
  });
  return {
    getConfiguration,
    onDidChangeConfiguration: () => ({ dispose: () => {} }),
  } as unknown as Workspace;
}

const settingsWith = (name: string, value: unknown) =>
  samplingSettings(workspaceWith({ [`mcpHost.sampling.${name}`]: value }));

suite('The settings for model access', () => {
  const properties = contributedSettings<{ default?: unknown }>();

  test('have the defaults that package.json declares', () => {
    const settings = samplingSettings(workspaceWith({}));
    assert.deepEqual(
      {
        'mcpHost.sampling.policy': settings.policyFor('inCall'),
        'mcpHost.sampling.unaskedPolicy': settings.policyFor('unasked'),
        'mcpHost.sampling.reviewResponses': settings.reviewResponses,
        'mcpHost.sampling.models': settings.models,
        'mcpHost.sampling.maxRequestsPerMinute': settings.maxRequestsPerMinute,
        'mcpHost.sampling.maxTokensPerRequest': settings.maxTokensPerRequest,
        'mcpHost.sampling.maxTokensPerDay': settings.maxTokensPerDay,
      },
      Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => name.startsWith('mcpHost.sampling.'))
          .map(([name, { default: value }]) => [name, value]),
      ),
    );
  });

  const policies: readonly (readonly [value: unknown, policy: string])[] = [
    ['ask', 'ask'],
    ['session', 'session'],
    ['allow', 'allow'],
    ['deny', 'deny'],
    ['Allow', 'ask'],
    ['always', 'ask'],
    [true, 'ask'],
    [null, 'ask'],
  ];
  for (const [value, policy] of policies) {
    test(`treat the policy ${JSON.stringify(value)} as ${policy}, on that occasion alone`, () => {
      assert.equal(settingsWith('policy', value).policyFor('inCall'), policy);
      assert.equal(settingsWith('policy', value).policyFor('unasked'), 'ask');
      assert.equal(settingsWith('unaskedPolicy', value).policyFor('unasked'), policy);
      assert.equal(settingsWith('unaskedPolicy', value).policyFor('inCall'), 'ask');
    });
  }

  test('review answers as they say, or where the request was reviewed', () => {
    const reviewed = ['always', 'never', 'asked', 'no', 0].map(
      (value) => settingsWith('reviewResponses', value).reviewResponses,
    );
    assert.deepEqual(reviewed, ['always', 'never', 'asked', 'asked', 'asked']);
  });

  test('take every pattern for a model that is one, also alone', () => {
    assert.deepEqual(settingsWith('models', ['gpt-*', '', 7, ' ', 'claude']).models, ['gpt-*', 'claude']);
    assert.deepEqual(settingsWith('models', 'gpt-*').models, ['gpt-*']);
    assert.deepEqual(settingsWith('models', { gpt: true }).models, []);
  });

  const limits: readonly (readonly [
    value: unknown,
    perMinute: number,
    perRequest: number,
    perDay: number,
  ])[] = [
    [1, 1, 1, 1],
    [1_000, 1_000, 1_000, 1_000],
    [1_001, 10, 1_001, 1_001],
    [0, 10, 32_000, 200_000],
    [-5, 10, 32_000, 200_000],
    [2.5, 10, 32_000, 200_000],
    [Infinity, 10, 32_000, 200_000],
    ['20', 10, 32_000, 200_000],
  ];
  for (const [value, perMinute, perRequest, perDay] of limits) {
    test(`hold ${String(value)} against the limits, and fall back to the default`, () => {
      assert.equal(settingsWith('maxRequestsPerMinute', value).maxRequestsPerMinute, perMinute);
      assert.equal(settingsWith('maxTokensPerRequest', value).maxTokensPerRequest, perRequest);
      assert.equal(settingsWith('maxTokensPerDay', value).maxTokensPerDay, perDay);
    });
  }
});
