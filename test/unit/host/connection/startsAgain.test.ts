import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StdioServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import type { BackoffPolicy } from '../../../../src/host/connection/failures/backoff.ts';
import type { ConnectionState } from '../../../../src/host/state/connectionState.ts';
import { EraStore } from '../../../../src/host/connection/eraStore.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { ConnectionBed } from '../../support/connectionBed.ts';
import { legacyServer, serverUrl, stdioServer } from '../../support/definitions.ts';
import { untilState } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

const quick: BackoffPolicy = { firstMs: 1, maxMs: 1, tries: 5, stableMs: 60_000 };
const never: BackoffPolicy = { ...quick, tries: 0 };

suite('A server that ends at its start', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  function connectionTo(definition: StdioServerDefinition, backoff = quick): ServerConnection {
    const eras = new EraStore(path.join(bed.directory, 'eras'));
    return bed.connection(definition, { backoff, eraCache: eras.of(() => 'launch') });
  }

  /** Starts it until it has failed for good; gives its last failure, and how many processes that took. */
  async function failed(connection: ServerConnection): Promise<{ message: string; processes: number }> {
    const before = bed.pids.length;
    await assert.rejects(connection.start());
    const state = await untilFailed(connection);
    return { message: state.reason.message, processes: bed.pids.length - before };
  }

  /** A server that needs a file to start, and says so when `when` it looks for it. */
  function needsKey(when: 'at once' | 'at initialize', switches: readonly string[] = []) {
    const key = path.join(bed.directory, 'key');
    const script = `
      const fs = require('node:fs');
      fs.appendFileSync(process.env.PIDS, process.pid + '\\n');
      const end = (words) => process.stderr.write(words + '\\n', () => process.exit(1));
      if (fs.existsSync(${JSON.stringify(key)})) {
        delete process.env.PIDS;
        import(${JSON.stringify(serverUrl('legacyServer'))});
      } else if (${JSON.stringify(when)} === 'at once') end('API key missing');
      else process.stdin.once('data', (text) => end(/"initialize"/.test(text) ? 'API key missing' : 'expected initialize'));`;
    return { definition: stdioServer(['-e', script, '--', ...switches]), key };
  }

  test('is started a second time to learn its era once, and not again after three equal exits', async () => {
    const definition = legacyServer(['--exit=1', '--stderr=2026-11-22 04:32:11 API key missing']);
    const connection = connectionTo(definition);
    const states: ConnectionState[] = [];
    connection.onDidChangeState((state) => states.push(state));
    const first = await failed(connection);
    assert.equal(
      first.message,
      'it exited with code 1 three times in a row: 2026-11-22 04:32:11 API key missing',
    );
    assert.equal(first.processes, 4);
    assert.ok(bed.logger.has('does not restart automatically'));
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['starting', 'backingOff', 'starting', 'backingOff', 'starting', 'failed'],
    );
    assert.equal((await failed(connection)).processes, 3, 'when you start it again');
    assert.equal((await failed(connectionTo(definition))).processes, 3, 'in another window');
  });

  test('is not taken for one that ends alike when it says something else each time', async () => {
    const script = `require('node:fs').appendFileSync(process.env.PIDS, process.pid + '\\n');
      console.error(require('node:crypto').randomBytes(30).toString('base64').replace(/[^a-z]/gi, ''));
      process.exitCode = 1;`;
    const connection = connectionTo(stdioServer(['-e', script]));
    // Once with the probe, and six times with `initialize`.
    assert.equal((await failed(connection)).processes, 7);
  });

  test('runs as soon as its trouble is over', async () => {
    const { definition, key } = needsKey('at once');
    const connection = connectionTo(definition, never);
    assert.equal((await failed(connection)).processes, 2);
    assert.equal((await failed(connection)).processes, 1);
    writeFileSync(key, '');
    await connection.start();
    assert.equal(bed.pids.length, 4);
    await connection.stop();
    rmSync(key);
    assert.equal((await failed(connection)).processes, 2, 'what it was no longer counts');
  });

  test('runs as soon as its trouble is over, even if it accepts nothing before initialize', async () => {
    const { definition, key } = needsKey('at once', ['--only-initialize']);
    const connection = connectionTo(definition, never);
    assert.equal((await failed(connection)).processes, 2);
    writeFileSync(key, '');
    await connection.start();
    assert.equal(bed.pids.length, 4);
    await connection.restart();
    assert.equal(bed.pids.length, 5, 'its era is remembered');
  });

  test('with other words after the probe is started with initialize from then on', async () => {
    const { definition, key } = needsKey('at initialize', ['--only-initialize']);
    const connection = connectionTo(definition, never);
    const first = await failed(connection);
    assert.deepEqual(first, { message: 'it exited with code 1: API key missing', processes: 2 });
    const second = await failed(connection);
    assert.deepEqual(second, { message: 'it exited with code 1: API key missing', processes: 1 });
    writeFileSync(key, '');
    await connection.start();
    await connection.restart();
    assert.equal(bed.pids.length, 5);
  });

  test('by silence is started a second time once', async () => {
    const script = `require('node:fs').appendFileSync(process.env.PIDS, process.pid + '\\n'); process.stdin.resume();`;
    const connection = connectionTo(stdioServer(['-e', script], { timeout: 300 }), never);
    assert.deepEqual(await failed(connection), {
      message: 'the server did not answer within 0.3 s',
      processes: 2,
    });
    assert.equal((await failed(connection)).processes, 1);
  });
});

async function untilFailed(connection: ServerConnection) {
  await untilState(connection, 'failed');
  const { state } = connection;
  assert.ok(state.kind === 'failed');
  return state;
}
