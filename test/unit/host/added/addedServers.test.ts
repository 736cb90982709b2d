import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DisposableStore } from '../../../../src/base/lifetime/disposable.ts';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { launchOf, type DefinitionReading } from '../../../../src/host/config/serverDefinition.ts';
import {
  recordingDefinition,
  sampleDefinition,
  sampleId,
} from '../../../../src/host/added/addedDefinitions.ts';
import { AddedServers } from '../../../../src/host/added/addedServers.ts';
import { stdioServer } from '../../support/definitions.ts';
import { launchOf as resolved, testKey } from '../../support/launches.ts';
import { launchText } from '../../support/shownLaunch.ts';
import { snapshotOf } from '../../../../src/host/launch/question/launchSnapshot.ts';
import { HostBed } from '../../support/hostBed.ts';
import { sampleScript } from '../../support/rawSample.ts';
import { until, untilSeen } from '../../support/until.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';
import { grantDecisionKind } from '../../../../src/host/gate/agentGrants.ts';

const node = { command: process.execPath, env: {} };
const definition = sampleDefinition(sampleScript, node);
const programs = {
  sample: definition,
  recording: (added: Parameters<typeof recordingDefinition>[2]) =>
    recordingDefinition('recorded.ts', node, added),
};
const own = stdioServer(['x'], { name: 'own' });
const isThere = ({ definitions }: AddedServers): boolean => definitions.includes(definition);

/** One window's sample server, and what its host got last. */
class Window {
  readonly store = new DisposableStore();
  readonly decisions: DecisionStore;
  readonly sample: AddedServers;
  readings: DefinitionReading[] = [];

  constructor(folder: string) {
    this.decisions = this.store.add(new DecisionStore(decisionKinds, folder));
    this.sample = this.store.add(
      new AddedServers(this.decisions, programs, (reading) => this.readings.push(reading)),
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
    await sample.addSample();
    await until(() => names()?.length === 2, 'it is there', decisions.onDidChange);
    assert.deepEqual(names(), ['own', 'sample']);
    sample.read({ definitions: [], problems: [] });
    assert.deepEqual(names(), ['sample']);
    await sample.remove(sampleId);
    await untilSeen(() => names()?.length === 0, 'it is gone');
  });

  test('waits for the files to be read', async () => {
    const window = open();
    await window.sample.addSample();
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
    await first.sample.addSample();
    await untilSeen(() => second.names?.length === 1, 'the second window has it');
    assert.equal(isThere(open().sample), true);
    await first.sample.remove(sampleId);
    await untilSeen(() => second.names?.length === 0, 'the second window has it no longer');
  });

  test('is a decision like others, in words', async () => {
    const { sample, decisions } = open();
    await sample.addSample();
    await sample.addSample();
    assert.deepEqual(
      decisions.all().map((decision) => decisions.wordsOf(decision)?.what(decision)),
      ['is in the Servers view'],
    );
    await decisions.forgetAll();
    assert.equal(isThere(sample), false);
  });

  test('is forgotten with all that was decided about it, and nothing else, and comes back with it', async () => {
    const { sample, decisions } = open();
    await sample.addSample();
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
    const removed = await sample.remove(sampleId);
    assert.deepEqual(
      decisions.all().map(({ serverId }) => serverId),
      [own.id],
    );
    await sample.restore(removed);
    assert.equal(isThere(sample), true);
    assert.deepEqual(keys(), before);
  });
});

suite('A recording', () => {
  let directory: string;
  let window: Window;
  setup(() => {
    directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    window = new Window(directory);
    window.sample.read({ definitions: [own], problems: [] });
  });
  teardown(async () => {
    window.store.dispose();
    await rm(directory, { recursive: true, force: true });
  });
  const notes = { name: 'notes (recording)', file: '/tmp/notes.mcp.jsonl', sha256: 'a'.repeat(64) };
  const launches = () => window.sample.definitions.map(launchOf);

  test('is there from when it is added until it is removed, beside the sample server', async () => {
    await window.sample.addRecording({ ...notes, name: 'b', file: '/tmp/b.mcp.jsonl' });
    await window.sample.addSample();
    const { id } = await window.sample.addRecording(notes);
    await untilSeen(() => window.names?.length === 4, 'they are there');
    assert.deepEqual(window.names, ['own', 'sample', 'b', 'notes (recording)']);
    assert.match(
      window.decisions
        .allAbout(id)
        .map((decision) => window.decisions.wordsOf(decision)?.what(decision))
        .join(),
      /^is in the Servers view$/,
    );
    const removed = await window.sample.remove(id);
    await untilSeen(() => window.names?.length === 3, 'it is gone');
    await window.sample.restore(removed);
    await untilSeen(() => window.names?.length === 4, 'it is there again');
  });

  test('is another launch when its file has changed, or is another one', async () => {
    await window.sample.addRecording(notes);
    const [before] = launches();
    await window.sample.addRecording({ ...notes, sha256: 'b'.repeat(64) });
    const [after, ...others] = launches();
    assert.deepEqual(others, []);
    assert.notEqual(after, before);
    const [definition] = window.sample.definitions;
    assert.ok(definition);
    assert.match(
      launchText(definition, '/home/me'),
      /^Program: A program of MCP Host that answers from a recording, [^]*Argument 2: \/tmp\/notes\.mcp\.jsonl\nArgument 3: b{64}$/m,
    );
    const snapshot = snapshotOf(resolved(definition), testKey);
    assert.deepEqual(snapshot.args, ['recording', notes.file, 'b'.repeat(64)]);
    await window.sample.addRecording({ ...notes, file: '/tmp/other.mcp.jsonl' });
    assert.equal(new Set(launches()).size, 2);
  });
});

suite('The sample server in a host', () => {
  let bed: HostBed;
  let sample: AddedServers;

  setup(() => {
    bed = new HostBed();
    sample = new AddedServers(bed.decisions, programs, (reading) => bed.host.reconcile(reading));
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
    await sample.addSample();
    await untilThere();
    assert.equal(bed.stateOf(definition), 'stopped');
    assert.equal(bed.questions.questions.length, 0);
    await bed.host.start(sampleId);
    assert.equal(bed.launches.length, 1);
    bed.answerAll('allow');
    await bed.until(definition, 'running');
  });

  test('ends when it is removed, asks nothing then, and runs after an undo without a question', async () => {
    await sample.addSample();
    await untilThere();
    await bed.host.start(sampleId);
    bed.answerAll('allow');
    await bed.until(definition, 'running');
    const removed = await sample.remove(sampleId);
    await untilGone();
    assert.equal(bed.questions.questions.length, 0);
    await sample.restore(removed);
    await untilThere();
    await bed.host.start(sampleId);
    await bed.until(definition, 'running');
    assert.equal(bed.questions.questions.length, 0);
  });

  test('is asked about again when it was removed', async () => {
    await sample.addSample();
    await untilThere();
    await bed.host.start(sampleId);
    bed.answerAll('allow');
    await bed.until(definition, 'running');
    await sample.remove(sampleId);
    await untilGone();
    await sample.addSample();
    await untilThere();
    await bed.host.start(sampleId);
    assert.equal(bed.stateOf(definition), 'awaitingApproval');
  });
});
