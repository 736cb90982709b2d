import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { SamplingDecisions } from '../../../../src/host/sampling/samplingDecisions.ts';
import { samplingOccasions } from '../../../../src/host/sampling/samplingDecision.ts';
import type { SamplingPolicy } from '../../../../src/host/sampling/samplingSettings.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';

const id = 'user settings:user git';

suite('Decisions on access to language models', () => {
  let folder: string;
  let stores: DecisionStore[];
  let now: number;

  setup(() => {
    folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-'))), 'decisions');
    stores = [];
    now = 1;
  });
  teardown(() => {
    stores.forEach((store) => store.dispose());
    rmSync(path.dirname(folder), { recursive: true, force: true });
  });

  function open(remote?: string): SamplingDecisions {
    const store = new DecisionStore(decisionKinds, folder, remote);
    stores.push(store);
    return new SamplingDecisions(store, () => now);
  }
  const launch =
    (name: string): (() => string) =>
    () =>
      name;
  const about = (name = 'launch 1'): Parameters<SamplingDecisions['set']>[0] => ({
    id,
    label: 'git',
    launch: launch(name),
  });

  test('for the session hold for a server under its new name, and for the old one no longer', () => {
    const decisions = open();
    const isAllowed = (server: string): boolean =>
      decisions.factsOf(server, 'inCall', launch('launch 1')).isAllowedForSession;
    decisions.allowForSession(id, 'launch 1', ['inCall'], false);
    decisions.copySession(id, 'renamed');
    assert.deepEqual([isAllowed(id), isAllowed('renamed')], [true, true]);
    decisions.forgetSession(id);
    assert.deepEqual([isAllowed(id), isAllowed('renamed')], [false, true]);
  });

  const policyOf = (
    decisions: SamplingDecisions,
    occasion: 'inCall' | 'unasked' = 'inCall',
    name = 'launch 1',
  ): readonly unknown[] => {
    const { decision } = decisions.factsOf(id, occasion, launch(name));
    return decision ? [decision.policy, decision.isOfThisLaunch] : [];
  };

  test('are there for the next window, for the launch that they were made for', async () => {
    await open().set(about(), ['inCall'], 'allow');
    const decisions = open();
    assert.deepEqual(policyOf(decisions), ['allow', true]);
    assert.deepEqual(policyOf(decisions, 'inCall', 'launch 2'), ['allow', false]);
    assert.deepEqual(policyOf(decisions, 'unasked'), []);
    assert.deepEqual(policyOf(open('ssh-remote')), [], 'another remote has its own');
  });

  test('of one occasion leave the other as it is', async () => {
    const decisions = open();
    await decisions.set(about(), ['inCall'], 'allow');
    await decisions.set(about(), ['unasked'], 'deny');
    assert.deepEqual(policyOf(decisions), ['allow', true]);
    assert.deepEqual(policyOf(decisions, 'unasked'), ['deny', true]);
    await decisions.set(about(), ['inCall'], 'default');
    assert.deepEqual(policyOf(decisions), []);
    assert.deepEqual(policyOf(decisions, 'unasked'), ['deny', true]);
    await decisions.set(about(), samplingOccasions, 'default');
    assert.deepEqual(readdirSync(folder), []);
  });

  for (const [before, after] of [
    ['allow', 'ask'],
    ['session', 'ask'],
    ['ask', 'ask'],
    ['deny', 'deny'],
  ] as const satisfies readonly (readonly [SamplingPolicy, SamplingPolicy])[]) {
    test(`of one occasion make no permission of an older '${before}' of the other`, async () => {
      const decisions = open();
      await decisions.set(about(), ['inCall'], before);
      await decisions.set(about('launch 2'), ['unasked'], 'ask');
      assert.deepEqual(policyOf(decisions, 'inCall', 'launch 2'), [after, true]);
    });
  }

  test('that cannot be read mean that you are asked', async () => {
    await open().set(about(), ['inCall'], 'deny');
    const [name = ''] = readdirSync(folder);
    writeFileSync(path.join(folder, name), '{');
    const decisions = open();
    assert.deepEqual(policyOf(decisions), ['ask', true]);
    assert.equal(decisions.isUnreadable(id), true);
    await decisions.set(about(), ['inCall'], 'allow');
    assert.deepEqual(policyOf(decisions), ['allow', true]);
    assert.equal(decisions.isUnreadable(id), false);
  });

  test('that two windows make without knowing of each other: the denial wins', async () => {
    const [one, two] = [open(), open()];
    await Promise.all([
      one.set(about(), ['inCall', 'unasked'], 'allow'),
      two.set(about(), ['unasked'], 'deny'),
    ]);
    one.refresh(id);
    two.refresh(id);
    assert.deepEqual(policyOf(one, 'unasked'), ['deny', true]);
    assert.deepEqual(policyOf(two, 'unasked'), ['deny', true]);
  });

  test('hold until the window closes where they cannot be kept', async () => {
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, '');
    const decisions = open();
    await assert.rejects(decisions.set(about(), ['inCall'], 'deny'));
    assert.deepEqual(policyOf(decisions), ['deny', true]);
  });

  suite('for a session', () => {
    const isAllowed = (decisions: SamplingDecisions, name = 'launch 1'): boolean =>
      decisions.factsOf(id, 'inCall', launch(name)).isAllowedForSession;

    test('hold for one launch and one occasion, in this window', () => {
      const decisions = open();
      decisions.allowForSession(id, 'launch 1', ['inCall'], false);
      assert.equal(isAllowed(decisions), true);
      assert.equal(isAllowed(decisions, 'launch 2'), false);
      assert.equal(decisions.factsOf(id, 'unasked', launch('launch 1')).isAllowedForSession, false);
      assert.equal(isAllowed(open()), false);
    });

    test('end when you take them back, or decide otherwise', async () => {
      const decisions = open();
      for (const end of [
        (): unknown => decisions.endSession(id, 'inCall'),
        (): unknown => decisions.endAllSessions('inCall'),
        (): unknown => decisions.set(about(), ['inCall'], 'ask'),
      ]) {
        decisions.allowForSession(id, 'launch 1', ['inCall'], false);
        await end();
        assert.equal(isAllowed(decisions), false);
      }
    });

    test('override an earlier denial only if you made them for the server', async () => {
      const decisions = open();
      await decisions.set(about(), ['inCall'], 'deny');
      now += 1;
      decisions.allowForSession(id, 'launch 1', ['inCall'], false);
      assert.deepEqual(policyOf(decisions), ['deny', true]);
      decisions.allowForSession(id, 'launch 1', ['inCall'], true);
      assert.deepEqual(policyOf(decisions), ['ask', true]);
      now += 1;
      await open().set(about(), ['inCall'], 'deny');
      decisions.refresh(id);
      assert.deepEqual(policyOf(decisions), ['deny', true], 'another window was later');
    });
  });
});
