import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { legacyServer, unrulyServer } from '../../support/definitions.ts';
import { until } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

suite('A server that keeps to no order', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function started(): Promise<ServerConnection> {
    const connection = bed.connection(unrulyServer());
    await connection.start();
    return connection;
  }

  function complaints(): readonly string[] {
    return bed.logger.lines.filter((line) => /^(warn|error)/.test(line));
  }

  test('answers the last request first, and each gets its own answer', async () => {
    const connection = await started();
    const said = ['one', 'two', 'three', 'four'];
    const answers = said.map((one) =>
      textOf(connection.callTool('backwards', { said: one, of: said.length })),
    );
    assert.deepEqual(await Promise.all(answers), said);
  });

  test('answers twice: the first answer counts, and the second is ignored', async () => {
    const connection = await started();
    assert.equal(await textOf(connection.callTool('twice', { said: 'once' })), 'once');
    assert.equal(await textOf(connection.callTool('echo', { said: 'next' })), 'next');
    assert.deepEqual(complaints(), []);
    assert.ok(
      bed.logger.lines.some((line) => /^debug: An answer for \d+, which is not an open request/.test(line)),
    );
    assert.ok(
      bed.logger.lines.some((line) => /^debug: Progress for \d+, which is not an open request/.test(line)),
    );
  });

  test('answers a cancelled call, with progress: both are ignored', async () => {
    const connection = await started();
    const abort = new AbortController();
    const steps: number[] = [];
    const late = connection.callTool(
      'late',
      {},
      { onProgress: ({ progress }) => steps.push(progress) },
      abort.signal,
    );
    // Answered after it, so that the server has it.
    await connection.callTool('echo', { said: 'here' });
    abort.abort();
    await assert.rejects(late, { name: 'CancellationError' });
    await until(
      () => bed.logger.lines.filter((line) => line.includes('which is not an open request')).length === 2,
      'progress and answer have come',
      bed.logger.onDidLog,
    );
    assert.deepEqual(steps, []);
    assert.deepEqual(complaints(), []);
  });

  test('interferes with requests to other servers, and affects none of them', async () => {
    const [odd, other] = [await started(), bed.connection(legacyServer())];
    await other.start();
    const asked = new AbortController();
    const steps: unknown[] = [];
    const options = { onProgress: (step: unknown) => steps.push(step) };
    const pending = [other, odd].map((connection) =>
      connection.callTool(connection === odd ? 'late' : 'silent', {}, options, asked.signal),
    );
    assert.equal(await textOf(odd.callTool('meddle', { said: 'done' })), 'done');
    assert.equal(await textOf(other.callTool('echo', { text: 'unharmed' })), 'unharmed');
    assert.equal(await textOf(odd.callTool('echo', { said: 'unharmed' })), 'unharmed');
    // Its own request it may answer as it likes; the other server's waits on.
    assert.equal(await textOf(pending[1] ?? assert.fail()), 'meddled');
    assert.deepEqual(steps, [{ progress: 99 }], 'of its own request alone');
    asked.abort();
    await assert.rejects(pending[0] ?? assert.fail(), { name: 'CancellationError' });
    assert.deepEqual([odd.state.kind, other.state.kind], ['running', 'running']);
    await odd.stop();
    const strays = bed.logger.lines.filter((line) => line.includes('which is not an open request'));
    assert.ok(strays.length > 0 && strays.length <= 200, `${strays.length} lines of 400`);
    assert.ok(bed.logger.lines.every((line) => line.length < 1_000));
    assert.ok(
      bed.logger.lines.some((line) => /^debug: \d+ more messages of this server belong to no/.test(line)),
    );
  });

  test('sends progress together with the answer: the last step is not lost', async () => {
    const connection = await started();
    for (let times = 0; times < 20; times += 1) {
      const steps: number[] = [];
      const options = { onProgress: ({ progress }: { progress: number }) => void steps.push(progress) };
      assert.equal(await textOf(connection.callTool('count', { to: 3, said: 'done' }, options)), 'done');
      assert.equal(steps.at(-1), 3);
    }
    assert.deepEqual(complaints(), []);
  });

  test('sends 5,000 steps of progress at once: a few are passed on, in order, and the last one', async () => {
    const connection = await started();
    const steps: number[] = [];
    const begin = performance.now();
    await connection.callTool(
      'count',
      { to: 5_000 },
      {
        onProgress: ({ progress }) => {
          steps.push(progress);
          throw new Error('The caller has a fault of its own.');
        },
      },
    );
    const most = Math.ceil((performance.now() - begin) / 50) + 1;
    assert.ok(steps.length <= most, `${steps.length} of at most ${most}`);
    assert.equal(steps.at(-1), 5_000);
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    );
  });

  test('answers with codes that are its own: they mean nothing', async () => {
    const connection = await started();
    const failure = await connection.callTool('no such tool', {}).catch((error: unknown) => error);
    assert.ok(failure instanceof HostError);
    assert.deepEqual(
      [failure.code, failure.message],
      ['protocol', 'the server answered: -32000 means nothing (-32000)'],
    );
    assert.equal(connection.state.kind, 'running');
  });

  test('asks for what fails here: the error has a numeric code', async () => {
    bed.logger.isTracing = true;
    const noFolder = Object.assign(new Error('There is no such folder.'), { code: 'ENOENT' });
    const connection = bed.connection(legacyServer(), { prepareRoots: () => Promise.reject(noFolder) });
    await connection.start();
    await connection.callTool('askForRoots', {});
    await until(
      () => bed.logger.has('"error":{"code":-32603,"message":"There is no such folder."}'),
      'the answer is sent',
      bed.logger.onDidLog,
    );
  });

  test('floods its log: some lines are kept, the others counted', async () => {
    const connection = await started();
    await connection.callTool('flood', { times: 10_000, said: 'again' });
    const kept = (): number => bed.logger.lines.filter((line) => line === 'info: [server] again').length;
    await connection.stop();
    const leftOut = bed.logger.lines
      .map((line) => /^warn: Left out (\d+) messages/.exec(line)?.[1])
      .reduce((sum, count) => sum + Number(count ?? 0), 0);
    assert.ok(kept() >= 100 && kept() <= 2_000, `${kept()} lines`);
    assert.equal(kept() + leftOut, 10_000);
  });

  test('logs what looks like lines of ours: it can be distinguished, and secrets stay out', async () => {
    const secret = 'a-secret-of-some-length';
    const connection = bed.connection(unrulyServer(), { secrets: [secret] });
    await connection.start();
    const said = `State: stopped\n2026-01-01 [info] State: failed\r\u001B[2Jhidden\u202E ${secret}`;
    await connection.callTool('flood', { times: 1, said });
    await until(() => bed.logger.has('[server] State'), 'it is logged', bed.logger.onDidLog);
    assert.deepEqual(
      bed.logger.lines.filter((line) => line.includes('[server]')),
      [
        'info: [server] State: stopped\n    2026-01-01 [info] State: failed\n    \\u{1B}[2Jhidden\\u{202E} •••',
      ],
    );
    const long = `${'x'.repeat(9_990)}${secret}`;
    await connection.callTool('flood', { times: 1, said: long });
    await until(() => bed.logger.has('xxxx'), 'it is logged', bed.logger.onDidLog);
    assert.ok(!bed.logger.has('a-secret'), 'no part of it either');
  });
});
