import assert from 'node:assert/strict';
import { ConnectionBed } from '../../support/connectionBed.ts';
import { legacyServer, modernServer } from '../../support/definitions.ts';
import { until } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

suite('The log of a server', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  test('has what the server writes to stderr', async () => {
    await bed.connection(legacyServer(['--stderr=Listening.\nReady.'])).start();
    await until(() => bed.logger.has('Ready.'), 'the line is logged', bed.logger.onDidLog);
    assert.ok(bed.logger.lines.includes('info: [stderr] Listening.'));
    assert.ok(bed.logger.lines.includes('info: [stderr] Ready.'));
  });

  test('has a line of stderr at the level that the line says it has', async () => {
    await bed.connection(legacyServer(['--stderr=WARN: slow\nError: no license\nReady.'])).start();
    await until(() => bed.logger.has('Ready.'), 'the line is logged', bed.logger.onDidLog);
    for (const line of ['warn: [stderr] WARN: slow', 'error: [stderr] Error: no license']) {
      assert.ok(bed.logger.lines.includes(line), line);
    }
  });

  for (const [level, ours] of [
    ['debug', 'debug'],
    ['info', 'info'],
    ['notice', 'info'],
    ['warning', 'warn'],
    ['error', 'error'],
    ['critical', 'error'],
    ['alert', 'error'],
    ['emergency', 'error'],
  ] as const) {
    test(`has a message of the server's level ${level} as ${ours}`, async () => {
      const connection = bed.connection(legacyServer());
      await connection.start();
      await connection.callTool('log', { level, logger: 'disk', data: { full: true } });
      const line = `${ours}: [server: disk] {"full":true}`;
      await until(() => bed.logger.lines.includes(line), 'the message is logged', bed.logger.onDidLog);
    });
  }

  test('has a text as it is, and no logger when the server names none', async () => {
    const connection = bed.connection(legacyServer());
    await connection.start();
    await connection.callTool('log', { level: 'info', data: 'Full.' });
    await until(() => bed.logger.lines.includes('info: [server] Full.'), 'it is logged', bed.logger.onDidLog);
  });

  test('has the states, and the revision', async () => {
    const connection = bed.connection(modernServer());
    await connection.start();
    await connection.stop();
    assert.deepEqual(
      // A busy machine says for how long it has been starting.
      bed.logger.lines.filter((line) => /^info: (?!Starting for )[A-Z]/.test(line)),
      ['info: Starting.', 'info: Running, revision 2026-07-28.', 'info: Stopping.', 'info: Stopped.'],
    );
  });

  test('has the messages of the protocol in both directions when it traces', async () => {
    bed.logger.isTracing = true;
    const connection = bed.connection(legacyServer());
    await connection.start();
    await connection.callTool('echo', { text: 'Hello' });
    const traced = bed.logger.lines.filter((line) => line.startsWith('trace: '));
    assert.ok(traced.some((line) => /^trace: → \{.*"method":"tools\/call"/.test(line)));
    assert.ok(traced.some((line) => /^trace: ← \{.*"text":"Hello"/.test(line)));
  });

  test('has no messages of the protocol otherwise, and nothing to complain about', async () => {
    const connection = bed.connection(legacyServer());
    await connection.start();
    await connection.callTool('echo', { text: 'Hello' });
    await connection.stop();
    assert.ok(!bed.logger.has('jsonrpc'));
    assert.deepEqual(
      bed.logger.lines.filter((line) => /^(warn|error|trace)/.test(line)),
      [],
    );
  });
});
