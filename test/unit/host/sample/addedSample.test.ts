import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DisposableStore } from '../../../../src/base/lifetime/disposable.ts';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import type { DefinitionReading } from '../../../../src/host/config/serverDefinition.ts';
import { sampleDefinition, sampleId } from '../../../../src/host/sample/sampleDefinition.ts';
import { AddedSample } from '../../../../src/host/sample/addedSample.ts';
import { stdioServer } from '../../support/definitions.ts';
import { HostBed } from '../../support/hostBed.ts';
import { sampleScript } from '../../support/rawSample.ts';
import { until, untilSeen } from '../../support/until.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';
import { grantDecisionKind } from '../../../../src/host/gate/agentGrants.ts';

const node = { command: process.execPath, env: {} };
const definition = sampleDefinition(sampleScript, node);
const own = stdioServer(['x'], { name: 'own' });

/** One window's sample server, and what its host got last. */
class Window {
  readonly store = new DisposableStore();
  readonly decisions: DecisionStore;
  readonly sample: AddedSample;
  readings: DefinitionReading[] = [];

  constructor(folder: string) {
    this.decisions = this.store.add(new DecisionStore(decisionKinds, folder));
    this.sample = this.store.add(
      new AddedSample(this.decisions, definition, (reading) => this.readings.push(reading)),
    );
  }

  get names(): readonly string[] | undefined {
    return this.readings.at(-1)?.definitions.map(({ name }) => name);
  }
}

suite('The sample server', () => {
  let directory: string;
  let windows: Window[];

  setup(() => {
    directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    windows = [];
  });
  teardown(async () => {
    windows.forEach(({ store }) => store.dispose());
    await rm(directory, { recursive: true, force: true });
  });

  function open(): Window {
    const window = new Window(path.join(directory, 'decisions'));
    windows.push(window);
    return window;
  }

  test('is there from when it is tried until it is removed, beside what is configured', async () => {
    const { sample, decisions, ...window } = open();
    const names = () => windows[0]?.names;
    assert.equal(window.readings.length, 0);
    sample.read({ definitions: [own], problems: [] });
    assert.deepEqual(names(), ['own']);
    await sample.add();
    await until(() => names()?.length === 2, 'it is there', decisions.onDidChange);
    assert.deepEqual(names(), ['own', 'sample']);
    sample.read({ definitions: [], problems: [] });
    assert.deepEqual(names(), ['sample']);
    await sample.remove();
    await untilSeen(() => names()?.length === 0, 'it is gone');
  });

  test('waits for the files to be read', async () => {
    const window = open();
    await window.sample.add();
    assert.equal(window.names, undefined);
    window.sample.read({ definitions: [], problems: [] });
    assert.deepEqual(window.names, ['sample']);
  });

  test('reaches the host only when it comes or goes', async () => {
    const { sample, decisions } = open();
    sample.read({ definitions: [own], problems: [] });
    await decisions.put({ kind: 'grant', key: 'other', serverId: own.id, label: 'own', at: 1 });
    assert.equal(windows[0]?.readings.length, 1);
  });

  test('is in a second window, and in the next one', async () => {
    const [first, second] = [open(), open()];
    second.sample.read({ definitions: [], problems: [] });
    await first.sample.add();
    await untilSeen(() => second.names?.length === 1, 'the second window has it');
    assert.equal(open().sample.isAdded, true);
    await first.sample.remove();
    await untilSeen(() => second.names?.length === 0, 'the second window has it no longer');
  });

  test('is a decision like others, in words', async () => {
    const { sample, decisions } = open();
    await sample.add();
    await sample.add();
    assert.deepEqual(
      decisions.all().map((decision) => decisions.wordsOf(decision)?.what(decision)),
      ['is in the Servers view'],
    );
    await decisions.forgetAll();
    assert.equal(sample.isAdded, false);
  });

  test('is forgotten with all that was decided about it, and nothing else, and comes back with it', async () => {
    const { sample, decisions } = open();
    await sample.add();
    const granted = {
      kind: 'grant',
      key: decisions.keyOf(grantDecisionKind, sampleId),
      label: 'sample',
      at: 1,
    } as const;
    await decisions.put({ ...granted, serverId: sampleId });
    await decisions.put({ kind: 'grant', key: 'o', serverId: own.id, label: 'own', at: 2 });
    const keys = () =>
      decisions
        .all()
        .map(({ key }) => key)
        .sort();
    const before = keys();
    const removed = await sample.remove();
    assert.deepEqual(
      decisions.all().map(({ serverId }) => serverId),
      [own.id],
    );
    await sample.restore(removed);
    assert.equal(sample.isAdded, true);
    assert.deepEqual(keys(), before);
  });
});

suite('The sample server in a host', () => {
  let bed: HostBed;
  let sample: AddedSample;

  setup(() => {
    bed = new HostBed();
    sample = new AddedSample(bed.decisions, definition, (reading) => bed.host.reconcile(reading));
    sample.read({ definitions: [], problems: [] });
  });
  teardown(async () => {
    sample.dispose();
    await bed.close();
  });

  const untilThere = () =>
    until(() => bed.host.servers.length === 1, 'it is there', bed.host.onDidChangeServers);
  const untilGone = () =>
    until(() => bed.host.servers.length === 0, 'it is gone', bed.host.onDidChangeServers);

  test('starts only when you start it, after one question', async () => {
    await sample.add();
    await untilThere();
    assert.equal(bed.stateOf(definition), 'stopped');
    assert.equal(bed.questions.questions.length, 0);
    await bed.host.start(sampleId);
    assert.equal(bed.launches.length, 1);
    bed.answerAll('allow');
    await bed.until(definition, 'running');
  });

  test('ends when it is removed, asks nothing then, and runs after an undo without a question', async () => {
    await sample.add();
    await untilThere();
    await bed.host.start(sampleId);
    bed.answerAll('allow');
    await bed.until(definition, 'running');
    const removed = await sample.remove();
    await untilGone();
    assert.equal(bed.questions.questions.length, 0);
    await sample.restore(removed);
    await untilThere();
    await bed.host.start(sampleId);
    await bed.until(definition, 'running');
    assert.equal(bed.questions.questions.length, 0);
  });

  test('is asked about again when it was removed', async () => {
    await sample.add();
    await untilThere();
    await bed.host.start(sampleId);
    bed.answerAll('allow');
    await bed.until(definition, 'running');
    await sample.remove();
    await untilGone();
    await sample.add();
    await untilThere();
    await bed.host.start(sampleId);
    assert.equal(bed.stateOf(definition), 'awaitingApproval');
  });
});
