import assert from 'node:assert/strict';
import { ProcessLog } from '../../../../src/host/transport/processLog.ts';

suite('The log of a process', () => {
  let now: number;
  let lines: string[];
  let log: ProcessLog;
  let secrets: string[];
  setup(() => {
    secrets = [];
    now = 5_000;
    lines = [];
    log = new ProcessLog(
      (level, text) => lines.push(`${level}: ${text}`),
      secrets,
      () => now,
    );
  });

  test('warns of invalid output on stdout once, and has the rest at debug', () => {
    ['one', 'two', 'three'].forEach((text) => log.noise(text));
    assert.deepEqual(lines, [
      'warn: The server wrote invalid output to stdout: one\n' +
        'It was ignored. Servers must write log output to stderr; more of it is logged at level debug.',
      'debug: [stdout] two',
      'debug: [stdout] three',
    ]);
  });

  test('has no part of a secret, wherever a line is cut', () => {
    const secret = 'S3CRET-of-forty-characters-1234567890-XY';
    secrets.push(secret);
    for (const most of [200, 1_000, 4_000, 16 * 1024]) {
      for (let part = 0; part <= secret.length; part += 1) {
        const line = `${'x'.repeat(most - part)}${secret} and more`;
        log.stderr(line);
        log.stderr(line.slice(0, 16 * 1024));
        log.noise(line);
      }
    }
    log.stderr(`${secret} `.repeat(500).slice(0, 16 * 1024));
    const said = [...lines, ...log.tail].join('\n');
    assert.ok(!said.includes(secret.slice(0, 6)));
    assert.ok(said.includes('•••'));
  });

  test('has each line of stderr, and keeps the last forty, with errors before them', () => {
    const first = ['Starting', 'Error: no key', 'Set it.', 'Usage: server'];
    const rest = Array.from({ length: 60 }, (_, index) => String(index));
    [...first, ...rest].forEach((line) => log.stderr(line));
    assert.equal(lines.length, 64);
    assert.equal(lines[0], 'info: [stderr] Starting');
    assert.deepEqual(log.tail, ['Error: no key', 'Set it.', 'Usage: server', ...rest.slice(-40)]);
    for (let count = 0; count < 1_000; count += 1) {
      log.stderr(`Error: ${count}`);
    }
    assert.equal(log.tail.length, 50);
  });

  test('has the beginning of a long line', () => {
    log.noise('x'.repeat(1_000_000));
    log.noise('x'.repeat(1_000_000));
    log.stderr('x'.repeat(1_000_000));
    assert.ok(lines.every((line) => line.length < 5_000 && line.includes('x…')));
    assert.equal(log.tail.join('').length, 1_001);
  });

  test('has a limited number of lines of a second, and says how many it left out', () => {
    for (let count = 1; count <= 10_000; count += 1) {
      log.stderr(`${count}`);
    }
    assert.equal(lines.length, 500);
    assert.equal(log.tail.at(-1), '10000');
    now += 1_000;
    log.stderr('next');
    assert.deepEqual(lines.slice(500), [
      'warn: 9500 more lines that the server wrote within the same second were left out.',
      'info: [stderr] next',
    ]);
  });

  test('says at the end how many it left out', () => {
    for (let count = 1; count <= 502; count += 1) {
      log.noise('x');
    }
    log.end();
    log.end();
    assert.deepEqual(lines.slice(501), [
      'warn: 1 more lines that the server wrote within the same second were left out.',
    ]);
  });

  test('ignores failures of the log', () => {
    const broken = new ProcessLog(() => {
      throw new Error('full');
    });
    broken.stderr('a');
    broken.noise('b');
    assert.deepEqual(broken.tail, ['a']);
  });
});
