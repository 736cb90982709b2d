import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StdioServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import { EraStore } from '../../../../src/host/connection/eraStore.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { legacyServer, serverScript, stdioServer } from '../../support/definitions.ts';

const DAY = 24 * 60 * 60_000;

suite('The era of a server', () => {
  let bed: ConnectionBed;
  let folder: string;
  let now: number;
  let eras: EraStore;

  setup(() => {
    bed = new ConnectionBed();
    folder = path.join(bed.directory, 'eras');
    now = Date.UTC(2026, 10, 21);
    eras = new EraStore(folder, () => now);
  });
  teardown(() => bed.close());

  /** A server with that launch, which has started; `asked` are the first messages that its processes were sent. */
  async function started(
    definition: StdioServerDefinition,
    launch = 'launch',
  ): Promise<{ connection: ServerConnection; asked: readonly string[] }> {
    bed.logger.lines.length = 0;
    bed.logger.isTracing = true;
    const connection = bed.connection(definition, { eraCache: eras.of(() => launch) });
    await connection.start();
    const asked = bed.logger.lines.flatMap(
      (line) => /→ .*"method":"(server\/discover|initialize)"/.exec(line)?.[1] ?? [],
    );
    return { connection, asked };
  }

  const eraCache = async (launch = 'launch') => (await eras.of(() => launch).get())?.era;

  test('is remembered of one that exits on the probe', async () => {
    const definition = legacyServer(['--only-initialize']);
    const first = await started(definition);
    assert.deepEqual(first.asked, ['server/discover', 'initialize']);
    assert.equal(bed.pids.length, 2);
    assert.equal(await eraCache(), 'legacy');

    const second = await started(definition);
    assert.deepEqual(second.asked, ['initialize']);
    assert.equal(bed.pids.length, 3);
    assert.equal(await textOf(second.connection.callTool('echo', { text: 'Hello' })), 'Hello');
  });

  test('is cached for one that has to restart because it answers nothing after the probe', async () => {
    const definition = legacyServer(['--deaf'], { timeout: 1_500 });
    const first = await started(definition);
    assert.deepEqual(first.asked, ['server/discover', 'initialize', 'initialize']);
    assert.equal(bed.pids.length, 2);

    const second = await started(definition);
    assert.deepEqual(second.asked, ['initialize']);
    assert.equal(await textOf(second.connection.callTool('echo', { text: 'Hello' })), 'Hello');
  });

  test('is found out by a longer probe when a modern one is slow to start, and then remembered', async () => {
    // As `npx` does that has to fetch the server first.
    const slow = `setTimeout(() => require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' }), 2_500)`;
    const definition = stdioServer(['-e', slow, serverScript('modernServer')]);
    const first = await started(definition);
    assert.deepEqual(spoken(first.connection), ['modern', '2026-07-28']);
    assert.deepEqual(first.asked, ['server/discover', 'initialize', 'server/discover']);
    assert.equal(await eraCache(), 'modern');

    const second = await started(definition);
    assert.deepEqual(second.asked, ['server/discover']);
    assert.deepEqual(spoken(second.connection), ['modern', '2026-07-28']);
  });

  test('is not remembered of one that says at once what it speaks', async () => {
    await started(legacyServer());
    assert.equal(await eraCache(), undefined);
  });

  test('is found out again when the cached one is wrong', async () => {
    await eras.of(() => 'launch').set({ era: 'legacy' });
    const first = await started(stdioServer([serverScript('modernServer')]));
    assert.deepEqual(first.asked, ['initialize', 'server/discover']);
    assert.equal(await eraCache(), 'modern');

    const second = await started(legacyServer(['--only-initialize']));
    assert.deepEqual(second.asked, ['server/discover', 'initialize']);
    assert.equal(await eraCache(), 'legacy');
  });

  test('is remembered for one launch and for thirty days', async () => {
    await eras.of(() => 'one').set({ era: 'legacy' });
    assert.equal(await eraCache('one'), 'legacy');
    assert.equal(await eraCache('other'), undefined);
    now += 30 * DAY - 1;
    assert.equal(await eraCache('one'), 'legacy');
    now += 1;
    assert.equal(await eraCache('one'), undefined);
    await eras.of(() => 'other').set({ era: 'modern' });
    assert.equal(readdirSync(folder).length, 1, 'what is too old is removed');
  });

  test('is not known when it cannot be read, and nothing fails when it cannot be written', async () => {
    await eras.of(() => 'one').set({ era: 'legacy' });
    const [file = ''] = readdirSync(folder);
    writeFileSync(path.join(folder, file), '{"era":"future"');
    assert.equal(await eraCache('one'), undefined);

    writeFileSync(path.join(bed.directory, 'file'), '');
    const nowhere = new EraStore(path.join(bed.directory, 'file')).of(() => 'one');
    await nowhere.set({ era: 'legacy' });
    assert.equal(await nowhere.get(), undefined);
  });
});

function spoken({ state }: ServerConnection): readonly string[] {
  const { era, revision } = state as RunningState;
  return [era, revision];
}
