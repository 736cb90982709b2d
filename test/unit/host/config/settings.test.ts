import assert from 'node:assert/strict';
import {
  requestTimeoutSchema,
  settings,
  withValues,
  type Setting,
} from '../../../../src/host/config/settings.ts';
import { contributedSettings } from '../../support/contributedSettings.ts';

const all = Object.values(settings).flatMap((group): readonly Setting[] => Object.values(group));

suite('A setting', () => {
  const declared = contributedSettings<{ readonly default?: unknown }>();
  const [{ host, gate, chat, definitions }, none] = [settings, undefined];

  test('is in the table if package.json declares it, with the default that counts', () => {
    const defaults = all.map(({ name, read }) => [`mcpHost.${name}`, read(none)] as const);
    const { 'mcpHost.servers': _servers, 'mcpHost.inputs': _inputs, ...others } = declared;
    assert.deepEqual(
      Object.fromEntries([...defaults, ['mcpHost.requestTimeout', requestTimeoutSchema.default]]),
      Object.fromEntries(Object.entries(others).map(([name, { default: value }]) => [name, value])),
    );
  });

  const rows: readonly (readonly [Setting, written: unknown, counts: unknown])[] = [
    ...[host.autoStart, gate.isGatewayOn].flatMap((setting) => [
      ...[true, 'false', 1, {}, []].map((written) => [setting, written, true] as const),
      ...[false, null, 0, ''].map((written) => [setting, written, false] as const),
    ]),
    ...[gate.storesContent, definitions.copilotServers].flatMap((setting) => [
      [setting, true, true] as const,
      ...[false, null, 'true', 1, {}, []].map((written) => [setting, written, false] as const),
    ]),
    ...['ask', 'all', 'none'].map((written) => [host.rootsDefault, written, written] as const),
    ...['All', true, null, ['all'], {}].map((written) => [host.rootsDefault, written, 'ask'] as const),
    ...['byTrust', 'always', 'never'].map((written) => [gate.confirm, written, written] as const),
    ...['Never', false, null, ['never'], {}].map((written) => [gate.confirm, written, 'byTrust'] as const),
    ...[100, 100.5, 2_000_000, Infinity].map((written) => [gate.maxResultTokens, written, written] as const),
    ...[99, 0, -1, NaN, null, '500', [500]].map(
      (written) => [gate.maxResultTokens, written, 10_000] as const,
    ),
    ...([chat.maxTools, chat.maxRounds] as const).flatMap((setting, index) => [
      ...[NaN, Infinity, null, '7', [7]].map((written) => [setting, written, [64, 25][index]] as const),
      ...[0, -7, -0.5].map((written) => [setting, written, [4, 1][index]] as const),
      ...[1_000, 128.9].map((written) => [setting, written, [128, 100][index]] as const),
      [setting, 12.9, 12] as const,
    ]),
  ];
  for (const [{ name, read }, written, counts] of rows) {
    const shown = typeof written === 'number' ? String(written) : JSON.stringify(written);
    test(`counts as ${String(counts)} if mcpHost.${name} is ${shown}`, () => {
      assert.equal(read(written), counts);
    });
  }

  test('is read at the moment of use', () => {
    const written = new Map<string, unknown>([['tools.confirm', 'always']]);
    const values = withValues(gate, (name) => written.get(name), { more: 1 });
    assert.deepEqual([values.confirm, values.more, values.isGatewayOn], ['always', 1, true]);
    written.set('tools.confirm', 'never');
    assert.equal(values.confirm, 'never');
  });
});
