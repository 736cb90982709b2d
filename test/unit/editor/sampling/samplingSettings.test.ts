import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { samplingSettings } from '../../../../src/editor/sampling/samplingSettings.ts';
import { contributedSettings } from '../../support/contributedSettings.ts';

type Workspace = Parameters<typeof samplingSettings>[0];

/** Settings as the editor gives them, whatever is in the file. */
function workspaceWith(values: Readonly<Record<string, unknown>>): Workspace {
  const getConfiguration = (section: string): Pick<vscode.WorkspaceConfiguration, 'get'> => ({
    get: (name: string) => values[`${section}.${name}`] as never,
  });
  return {
    getConfiguration,
    onDidChangeConfiguration: () => ({ dispose: () => {} }),
  } as unknown as Workspace;
}

const settingsWith = (values: Readonly<Record<string, unknown>>) =>
  samplingSettings(
    workspaceWith(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`mcpHost.sampling.${name}`, value])),
    ),
  );

suite('The settings for model access', () => {
  const properties = contributedSettings<{ default?: unknown }>();

  test('have the defaults that package.json declares', () => {
    const settings = samplingSettings(workspaceWith({}));
    assert.deepEqual(
      {
        'mcpHost.sampling.policy': settings.policyFor('inCall'),
        'mcpHost.sampling.models': settings.models,
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
    test(`treat the policy ${JSON.stringify(value)} as ${policy} while the server handles a request`, () => {
      const settings = settingsWith({ policy: value });
      assert.equal(settings.policyFor('inCall'), policy);
      assert.equal(settings.policyFor('unasked'), policy === 'deny' ? 'deny' : 'ask');
    });
  }

  test('restrict by each combination of removed settings, and never loosen', () => {
    const order = ['deny', 'ask', 'session', 'allow'];
    const reviews = [undefined, 'asked', 'always', 'never'];
    const counts = [undefined, 1, 9, 10, 11, 1_000, 0, 'many'];
    for (const policy of [undefined, ...order]) {
      for (const unaskedPolicy of [undefined, ...order]) {
        for (const reviewResponses of reviews) {
          for (const count of counts) {
            const written = {
              policy,
              unaskedPolicy,
              reviewResponses,
              maxRequestsPerMinute: count,
              maxTokensPerRequest: count,
            };
            const settings = settingsWith(written);
            const said = JSON.stringify(written);
            const strictest = Math.min(order.indexOf(unaskedPolicy ?? 'ask'), order.indexOf('ask'));
            assert.ok(order.indexOf(settings.policyFor('unasked')) <= strictest, said);
            assert.equal(settings.policyFor('inCall'), policy ?? 'ask', said);
            assert.equal(settings.reviewsEveryAnswer, reviewResponses === 'always', said);
            const most = typeof count === 'number' && count > 0 ? count : Infinity;
            assert.equal(settings.maxRequestsPerMinute, Math.min(most, 10), said);
            assert.equal(settings.maxTokensPerRequest, Math.min(most, 32_000), said);
            assert.deepEqual(
              settings.removed,
              Object.entries(written)
                .filter(([name, value]) => name !== 'policy' && value !== undefined)
                .map(([name]) => `mcpHost.sampling.${name}`),
              said,
            );
          }
        }
      }
    }
  });

  test('take every pattern for a model that is one, also alone', () => {
    assert.deepEqual(settingsWith({ models: ['gpt-*', '', 7, ' ', 'claude'] }).models, ['gpt-*', 'claude']);
    assert.deepEqual(settingsWith({ models: 'gpt-*' }).models, ['gpt-*']);
    assert.deepEqual(settingsWith({ models: { gpt: true } }).models, []);
  });

  for (const [value, perDay] of [
    [1, 1],
    [1_000_000, 1_000_000],
    [0, 200_000],
    [-5, 200_000],
    [2.5, 200_000],
    [Infinity, 200_000],
    ['20', 200_000],
  ] as const) {
    test(`allow ${perDay} tokens in a day for ${String(value)}`, () => {
      assert.equal(settingsWith({ maxTokensPerDay: value }).maxTokensPerDay, perDay);
    });
  }
});
