import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Emitter } from '../../../../src/base/lifetime/event.ts';
import { WalkthroughProgress } from '../../../../src/editor/workspace/walkthroughProgress.ts';
import type { LedgerEntry } from '../../../../src/host/ledger/ledgerEntry.ts';
import { editorNode } from '../../../../src/host/processes/editorNode.ts';
import { sampleDefinition } from '../../../../src/host/added/addedDefinitions.ts';
import { stdioServer } from '../../support/definitions.ts';
import { HostBed } from '../../support/hostBed.ts';
import { sampleScript } from '../../support/rawSample.ts';

const sample = { ...sampleDefinition(sampleScript, editorNode()), autoStart: true };
const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');

suite('The walkthrough', () => {
  let bed: HostBed;
  let progress: WalkthroughProgress;
  const keys = new Map<string, boolean>();
  const onDidChangeLedger = new Emitter<void>();
  const entries: LedgerEntry[] = [];
  /** How often agent mode was asked about, which reads settings. */
  let looks = 0;

  setup(() => {
    bed = new HostBed();
    keys.clear();
    entries.length = 0;
    progress = new WalkthroughProgress(
      {
        host: bed.host,
        decisions: bed.decisions,
        ledger: { entries, onDidChange: onDidChangeLedger.event },
        agentMode: {
          get isAvailable() {
            looks += 1;
            return true;
          },
        },
      },
      { set: (key, value) => keys.set(key, value) },
    );
  });
  teardown(async () => {
    progress.dispose();
    await bed.close();
  });

  const done = (): readonly string[] =>
    [...keys].filter(([key, isSo]) => isSo && key !== 'mcpHost.hasAgentMode').map(([key]) => key);

  function ended(method: LedgerEntry['method'], outcome: LedgerEntry['outcome']): void {
    entries.unshift({ method, outcome } as LedgerEntry);
    onDidChangeLedger.fire();
  }

  test('waits for context keys that are all set', () => {
    const waited = [...manifest.matchAll(/"onContext:mcpHost\.isWelcomeOpen && ([\w.]+)"/g)].map(
      ([, key]) => key ?? '',
    );
    assert.ok(waited.length >= 5);
    assert.deepEqual(
      waited.filter((key) => !keys.has(key)),
      [],
    );
    assert.deepEqual(done(), []);
  });

  test('ticks the sample server when it runs, and that it was allowed', async () => {
    bed.configure([sample]);
    assert.deepEqual(done(), []);
    bed.answerAll('deny');
    await bed.until(sample, 'denied');
    assert.deepEqual(done(), []);
    await bed.host.start(sample.id);
    bed.answerAll('allow');
    await bed.until(sample, 'running');
    assert.deepEqual(done().toSorted(), ['mcpHost.hasAllowedLaunch', 'mcpHost.isSampleRunning']);
  });

  test('ticks a server that was added, which the sample server is not', () => {
    bed.configure([sample]);
    assert.deepEqual(done(), []);
    bed.configure([stdioServer(['x'], { name: 'own', autoStart: false })]);
    assert.deepEqual(done(), ['mcpHost.hasOwnServer']);
  });

  test('ticks a tool that has run, also with an error, and no other request', () => {
    ended('resources/read', 'done');
    ended('tools/call', 'refused');
    ended('tools/call', 'cancelled');
    assert.deepEqual(done(), []);
    ended('tools/call', 'toolError');
    assert.deepEqual(done(), ['mcpHost.hasRunTool']);
  });

  test('looks at nothing but the entries when they change', () => {
    const before = looks;
    ended('tools/call', 'done');
    ended('tools/call', 'done');
    assert.equal(looks, before);
  });

  test('ticks a server that is available to agent mode', async () => {
    await bed.decisions.put({ kind: 'grant', key: 'g', serverId: sample.id, label: 'sample', at: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(done(), ['mcpHost.hasAgentGrant']);
  });
});
