import assert from 'node:assert/strict';
import fs, { cpSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { mock } from 'node:test';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { CallDecisions } from '../../../../src/host/gate/callDecisions.ts';
import type { Gate } from '../../../../src/host/gate/gate.ts';
import type { Caller } from '../../../../src/host/ledger/caller.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';
import { textOf } from '../../support/connectionBed.ts';
import { legacyServer } from '../../support/definitions.ts';
import { agentMode, extension } from '../../support/gateBed.ts';
import { ToolsBed } from '../../support/toolsBed.ts';

const server = legacyServer();
const { id } = server;
const text = { type: 'string' };
const echo = { name: 'echo', inputSchema: { type: 'object', properties: { text } } };
/** Arguments with a pattern are checked in another thread: the call waits for it. */
const checked = {
  ...echo,
  inputSchema: { type: 'object', properties: { text: { ...text, pattern: '^x' } } },
};
const target = { kind: 'tool', name: 'echo' } as const;

suite('A call that is decided already', () => {
  let bed: ToolsBed;
  let gate: Gate;
  let now: number;
  setup(async () => {
    // What is watched would be looked at once more, at any time later.
    mock.method(fs, 'watch', () => assert.fail('nothing can be watched'));
    syncBuiltinESMExports();
    bed = new ToolsBed();
    ({ gate } = bed);
    await bed.runCompared(server);
    await bed.list(server, [echo]);
    await bed.acceptAll(server);
    await bed.grants.grant(id, true);
    await remember(bed.decisions, 'run');
    await storeDenialElsewhere();
    // The folder is looked at by one `stat` once it has not changed for a while.
    bed.decisions.refresh();
    now = performance.now() + 2_001;
    mock.method(performance, 'now', () => now);
    bed.decisions.refresh();
  });
  teardown(async () => {
    mock.restoreAll();
    syncBuiltinESMExports();
    await bed.close();
  });

  const elsewhere = (): string => path.join(bed.bed.directory, 'elsewhere');
  const here = (): string => path.join(bed.bed.directory, 'decisions');

  async function remember(store: DecisionStore, answer: 'run' | 'refuse'): Promise<void> {
    const decisions = new CallDecisions(store, { folders: [] });
    const launch = bed.tools.launchOf(id);
    const call = { serverId: id, caller: extension, target, launch };
    await decisions.remember(call, 'server', { answer, span: 'always', scope: 'one' });
    decisions.dispose();
  }

  async function storeDenialElsewhere(): Promise<void> {
    const store = new DecisionStore(decisionKinds, elsewhere());
    await remember(store, 'refuse');
    store.dispose();
  }

  /** Another window stores a denial; this one does nothing meanwhile. */
  const denyInAnotherWindow = (): void => cpSync(elsewhere(), here(), { recursive: true });

  /** How often the folder of decisions is looked at, and what is read of it. */
  function looks(): () => { readonly stats: number; readonly lists: number; readonly reads: number } {
    const names = { stats: 'statSync', lists: 'readdirSync', reads: 'readFileSync' } as const;
    const calls = Object.entries(names).map(([what, name]) => [what, mock.method(fs, name).mock] as const);
    syncBuiltinESMExports();
    const isHere = ({ arguments: [place] }: { readonly arguments: readonly unknown[] }): boolean =>
      String(place).startsWith(here());
    return () =>
      Object.fromEntries(calls.map(([what, made]) => [what, made.calls.filter(isHere).length])) as ReturnType<
        ReturnType<typeof looks>
      >;
  }

  const call = (caller: Caller = extension): Promise<string> =>
    textOf(gate.callTool(caller, id, 'echo', { text: 'x' }));

  /** Lets promises settle until the call has been looked at, and this process has handled nothing else. */
  async function untilLooked(made: ReturnType<typeof looks>, times: number): Promise<void> {
    for (let step = 0; step < 100 && made().stats < times; step += 1) {
      await Promise.resolve();
    }
    assert.equal(made().stats, times);
  }

  test('looks at the folder once, and reads nothing of it', async () => {
    assert.equal(await call(), 'x');
    const made = looks();
    assert.equal(await call(), 'x');
    assert.deepEqual(made(), { stats: 1, lists: 0, reads: 0 });
  });

  test('of agent mode looks at it once, and reads only that the server is available to chat', async () => {
    assert.equal(await call(agentMode), 'x');
    const made = looks();
    assert.equal(await call(agentMode), 'x');
    assert.deepEqual(made(), { stats: 1, lists: 0, reads: 1 });
  });

  test('is cancelled by its caller without a signal that the garbage collector has to follow', async () => {
    const joined = mock.method(AbortSignal, 'any');
    const { signal } = new AbortController();
    const added = mock.method(signal, 'addEventListener');
    const removed = mock.method(signal, 'removeEventListener');
    assert.equal(await textOf(gate.callTool(extension, id, 'echo', { text: 'x' }, {}, signal)), 'x');
    assert.equal(joined.mock.callCount(), 0);
    assert.equal(added.mock.callCount(), 1);
    assert.equal(removed.mock.callCount(), 1);
  });

  test('looks for itself, also in the moment of another one', async () => {
    const made = looks();
    const before = call();
    await untilLooked(made, 1);
    denyInAnotherWindow();
    const both = [before, call()];
    await untilLooked(made, 2);
    assert.deepEqual(
      (await Promise.allSettled(both)).map(({ status }) => status),
      ['rejected', 'rejected'],
      'what one has read holds for all',
    );
  });

  test('looks again after anything else may have happened', async () => {
    await bed.list(server, [checked]);
    await bed.acceptAll(server);
    assert.equal(await call(), 'x');
    const made = looks();
    const waiting = call();
    await untilLooked(made, 1);
    denyInAnotherWindow();
    await assert.rejects(waiting, { code: 'denied' });
  });

  test('looks again when much time has passed, whatever has happened', async () => {
    const made = looks();
    const slow = call();
    await untilLooked(made, 1);
    denyInAnotherWindow();
    now += 11;
    await assert.rejects(slow, { code: 'denied' });
  });
});
