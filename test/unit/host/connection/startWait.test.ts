import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failureWord } from '../../../../src/host/connection/failures/failureWord.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import type { StartRequest } from '../../../../src/host/state/connectionState.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import type { StartPolicy } from '../../../../src/host/connection/startWait.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { serverScript, serverUrl, stdioServer } from '../../support/definitions.ts';
import { until, untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

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

suite('A program that asks you for something before it starts', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  const ask = 'Please authorize this client by visiting:\nhttps://issuer.example/authorize?state=1\n';

  /** A program of Node that runs this script. */
  function program(script: string, start: Partial<StartPolicy>, timeout = 1_000) {
    const note = `require('node:fs').appendFileSync(process.env.PIDS, process.pid + '\\n');`;
    const definition = stdioServer(['-e', `${note}\n${script}`], { command: process.execPath, timeout });
    return bed.connection(definition, { start: { ...policy, ...start } });
  }

  const asking = (then: string): string => `process.stderr.write(${JSON.stringify(ask)});\n${then}`;
  const run = `process.argv.length = 1; import(${JSON.stringify(serverUrl('legacyServer'))});`;

  test('is waited for longer than a request, in one process, and its row has what it asks', async () => {
    const go = path.join(bed.directory, 'go');
    const script = asking(
      `const looking = setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(go)})) { clearInterval(looking); ${run} } }, 20);`,
    );
    const connection = program(script, { fetchMs: 60_000, sayAfterMs: [4_500] });
    const started = connection.start();
    await until(() => asksOf(connection) !== undefined, 'it asks', connection.onDidChangeState);
    assert.deepEqual(asksOf(connection), {
      words: 'Please authorize this client by visiting: https://issuer.example/authorize?state=1',
      address: {
        url: 'https://issuer.example/authorize?state=1',
        host: 'issuer.example',
        readableHost: 'issuer.example',
      },
    });
    assert.ok(bed.logger.has('Waiting for you: Please authorize this client by visiting: https://issuer'));
    const isLate = (): boolean => bed.logger.has('no message from the server yet');
    await until(isLate, 'a request would have timed out, with the probe', bed.logger.onDidLog);
    assert.equal(connection.state.kind, 'starting');
    writeFileSync(go, '');
    await started;
    assert.equal(new Set(bed.pids).size, 1);
    assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
  });

  test('is stopped at once', async () => {
    const connection = program(asking('setInterval(() => {}, 1_000)'), { fetchMs: 60_000 });
    const started = connection.start();
    await until(() => asksOf(connection) !== undefined, 'it asks', connection.onDidChangeState);
    await Promise.all([connection.stop(), assert.rejects(started, { name: 'CancellationError' })]);
    assert.equal(bed.pids.length, 1);
  });

  test('fails if you do not do it in time, and is not begun again', async () => {
    const connection = program(asking('setInterval(() => {}, 1_000)'), { fetchMs: 1_500 });
    const failure = await failureOf(connection);
    assert.equal(failure.code, 'unattended');
    assert.match(failure.message, /^it waited \d\.?\d? s for you to do this: Please authorize this client/);
    assert.equal(bed.pids.length, 1);
    assert.equal(connection.state.kind, 'failed');
    assert.equal(failureWord(failure), 'waited for you');
  });

  test('is not begun again when it gives up, and its last words are the failure', async () => {
    const script = asking(`setTimeout(() => { console.error('Error: timed out'); process.exit(1); }, 300)`);
    const connection = program(script, { fetchMs: 60_000 });
    const failure = await failureOf(connection);
    assert.deepEqual(
      [failure.code, failure.message],
      ['unattended', 'it exited with code 1: Error: timed out'],
    );
    assert.equal(bed.pids.length, 1);
  });

  test('has no secret in its words', async () => {
    const connection = bed.connection(
      stdioServer(
        [
          '-e',
          `console.error('Log in: open https://issuer.example/?key=s3cret-value'); setInterval(() => {}, 1_000)`,
        ],
        {
          command: process.execPath,
        },
      ),
      { start: { ...policy, fetchMs: 60_000 }, secrets: ['s3cret-value'] },
    );
    const started = connection.start();
    started.catch(() => {});
    await until(() => asksOf(connection) !== undefined, 'it asks', connection.onDidChangeState);
    assert.equal(asksOf(connection)?.words, 'Log in: open https://issuer.example/?key=•••');
    assert.ok(!bed.logger.has('s3cret-value'));
  });

  test('is something else than a program that repeats a banner, which is begun again and fails', async () => {
    const script = `setInterval(() => console.error('Docs: https://example.com/docs'), 100)`;
    const connection = program(script, { silentMs: 1_000 }, 2_000);
    const failure = await failureOf(connection);
    assert.equal(failure.code, 'timedOut');
    assert.match(
      failure.message,
      /^the server did not answer within [\d.]+ s: Docs: https:\/\/example\.com\/docs$/,
    );
    assert.equal(bed.pids.length, 2, 'with the probe, and without it');
  });

  test('is waited for while it writes to stderr, for the time of a request', async () => {
    const script = `
      const writing = setInterval(() => process.stderr.write('.'), 100);
      process.stdin.once('data', () => setTimeout(() => { clearInterval(writing); process.exit(3); }, 3_000));`;
    const connection = program(script, { silentMs: 300 }, 30_000);
    const failure = await failureOf(connection);
    // The first process was not ended for its silence.
    assert.ok(bed.logger.has("Trying again with 'initialize': it exited with code 3"), failure.message);
  });
});

function asksOf({ state }: ServerConnection): StartRequest | undefined {
  return state.kind === 'starting' ? state.asks : undefined;
}

async function failureOf(connection: ServerConnection): Promise<HostError> {
  const failure = await connection.start().then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof HostError, String(failure));
  await until(() => connection.state.kind === 'failed', 'it has failed', connection.onDidChangeState);
  return failure;
}
