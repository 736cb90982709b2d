import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StartPolicy } from '../../../../src/host/connection/startWait.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { serverScript, serverUrl, stdioServer } from '../../support/definitions.ts';
import { until, untilSeen } from '../../support/until.ts';

/** A server is given up early, and one that is being fetched is not. */
const policy: StartPolicy = {
  silentMs: 300,
  runnerSilentMs: 60_000,
  fetchMs: 60_000,
  lookMs: 50,
  sayAfterMs: [500, 60_000],
};
/** Milliseconds for which a runner is silent: longer than the probe, `silentMs` and the time for a request together. */
const FETCHING_MS = 4_000;

suite('A server that has to be fetched first', () => {
  let bed: ConnectionBed;
  setup(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    bed = new ConnectionBed();
  });
  teardown(() => bed?.close());

  /** A program of that name, which writes down each of its starts. */
  function runner(name: string, script: string, args: readonly string[], start = policy) {
    const file = path.join(bed.directory, name);
    const note = `require('node:fs').appendFileSync(process.env.PIDS, process.pid + '\\n');`;
    writeFileSync(file, `#!${process.execPath}\n${note}\n${script}`);
    chmodSync(file, 0o755);
    return bed.connection(stdioServer(args, { command: file, timeout: 1_000 }), { start });
  }

  const run = (switches: readonly string[] = []): string => {
    const words = JSON.stringify([serverScript('legacyServer'), ...switches]);
    return `require('node:child_process').spawn(process.execPath, ${words}, { stdio: 'inherit' });`;
  };

  test('comes up after a download that is silent, from one process', async () => {
    const connection = runner('npx', `setTimeout(() => { ${run()} }, ${FETCHING_MS})`, ['-y', 'a-package']);
    const started = connection.start();
    await until(() => bed.logger.has('npx may still be'), 'the log says that it waits', bed.logger.onDidLog);
    assert.equal(connection.startWait?.runner, 'npx');
    await started;
    assert.equal(bed.pids.length, 2, 'the runner, and what it runs');
    assert.equal(connection.startWait, undefined);
    assert.ok(
      bed.logger.lines.some((line) =>
        /^info: Starting for 0\.\d s: no message from the server yet\. npx may still be downloading\.$/.test(
          line,
        ),
      ),
    );
    assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
  });

  test('comes up after a download that says on stderr how far it is', async () => {
    const script = `
      const telling = setInterval(() => console.error('npm warn deprecated inflight@1.0.6'), 200);
      setTimeout(() => { clearInterval(telling); ${run()} }, ${FETCHING_MS});`;
    const connection = runner('npx', script, ['-y', 'a-package']);
    await connection.start();
    assert.equal(bed.pids.length, 2);
    assert.ok(bed.logger.has('warn: [stderr] npm warn deprecated'));
  });

  test('comes up after an image was pulled', async () => {
    const script = `
      console.error("Unable to find image 'a/server:latest' locally\\nlatest: Pulling from a/server");
      setTimeout(() => {
        console.error('Status: Downloaded newer image for a/server:latest');
        process.argv.length = 2;
        import(${JSON.stringify(serverUrl('legacyServer'))});
      }, ${FETCHING_MS});`;
    const connection = runner('docker', script, ['run', '-i', '--rm', 'a/server']);
    await connection.start();
    assert.equal(new Set(bed.pids).size, 1);
  });

  test('is started again when it runs, and answers nothing after the probe', async () => {
    const connection = runner('npx', run(['--deaf']), ['-y', 'a-package'], {
      ...policy,
      runnerSilentMs: 300,
    });
    await connection.start();
    assert.equal(bed.pids.length, 4);
  });

  test('is stopped at once', async () => {
    const connection = runner('uvx', `setTimeout(() => {}, 60_000)`, ['a-package']);
    const started = connection.start();
    await untilSeen(() => bed.pids.length === 1, 'the runner runs');
    await Promise.all([connection.stop(), assert.rejects(started, { name: 'CancellationError' })]);
    assert.equal(connection.state.kind, 'stopped');
  });
});
