// `npm test`: the set-up, then every tier, each whatever became of the one before; the editor is set up while the
// tiers without one run. Ends with a table, and with `N passed, N failed` on the last line.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endLeftProcesses, runMark } from './editor/leftProcesses.mjs';
import { root } from './editor/paths.mjs';
import { setUpWithoutEditor } from './editor/setup.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */

/** Whoever prints nothing for that long hangs: a busy machine is slow, but goes on. */
const longestSilenceMs = 10 * 60_000;
/** Milliseconds for the last output of a program that has ended; what it left behind may keep its pipes open. */
const lastOutputMs = 1000;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

async function main() {
  await setUpWithoutEditor();
  const editor = run(process.execPath, [join(root, 'test/editor/setup.mjs'), '--test-editor'], {});
  const tiers = [
    await runTier('check', checks),
    await runTier('unit', () => scriptTier('test:unit', '--reporter', 'test/editor/countedSpec.ts')),
    await runTier('conformance', () => scriptTier('conformance')),
  ];
  if ((await editor) !== 0) {
    throw new Error('The tests in an editor cannot run: see what the set-up says above.');
  }
  tiers.push(
    await runTier('host', () => scriptTier('test:host')),
    await runTier('journey', () => scriptTier('test:journey')),
  );
  console.log(`\n${row('tier', 'passed', 'failed', 'seconds')}`);
  for (const { name, passed, failed, seconds } of tiers) {
    console.log(row(name, passed, failed, seconds.toFixed(1)));
  }
  const passed = sum(tiers.map((tier) => tier.passed));
  const failed = sum(tiers.map((tier) => tier.failed));
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/**
 * Runs a tier; a process that it leaves behind is a failure of it.
 * @param {string} name
 * @param {() => Promise<Counts>} run
 */
async function runTier(name, run) {
  console.log(`\n── ${name} ──`);
  const started = Date.now();
  process.env[runMark] = randomUUID();
  const { passed, failed } = await run();
  const left = await endLeftProcesses(process.env[runMark]);
  for (const command of left) {
    console.log(`left behind by '${name}': ${command}`);
  }
  return { name, passed, failed: failed + (left.length > 0 ? 1 : 0), seconds: (Date.now() - started) / 1000 };
}

/** Each command of the script `check` counts as a test. */
async function checks() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commands = /** @type {string[]} */ (manifest.scripts.check.split(' && '));
  const counts = { passed: 0, failed: 0 };
  for (const command of commands) {
    const code = await run(command, [], { shell: true });
    counts[code === 0 ? 'passed' : 'failed']++;
    console.log(`${code === 0 ? '✔' : '✘'} ${command}`);
  }
  return counts;
}

/**
 * Runs one of package.json's scripts, which writes its counts into a file.
 * @param {string} script
 * @param {string[]} parameters
 */
async function scriptTier(script, ...parameters) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-host-counts-'));
  const file = join(folder, 'counts.json');
  try {
    const code = await run('npm', ['run', '--silent', script, '--', ...parameters], {
      shell: process.platform === 'win32',
      env: { ...process.env, TEST_COUNTS: file, npm_config_loglevel: 'error' },
    });
    return counted(file, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A tier that died, or failed without a failed test, has failed once.
 * @param {string} file
 * @param {number} code
 * @returns {Counts}
 */
function counted(file, code) {
  try {
    const { passed, failed } = /** @type {Counts} */ (JSON.parse(readFileSync(file, 'utf8')));
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
  } catch {
    console.log(`It ended with exit code ${code} and gave no result.`);
    return { passed: 0, failed: 1 };
  }
}

/**
 * Runs a program, shows what it prints, ends it when it hangs, and gives its exit code.
 * @param {string} program
 * @param {string[]} parameters
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
async function run(program, parameters, options) {
  const path = join(root, 'node_modules/.bin') + delimiter + (process.env['PATH'] ?? '');
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(program, parameters, {
    cwd: root,
    ...options,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...colors, ...(options.env ?? process.env), PATH: path },
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const hang = setTimeout(() => {
    console.log(`'${[program, ...parameters].join(' ')}' has printed nothing for ten minutes, and is ended.`);
    child.kill();
  }, longestSilenceMs);
  child.stdout?.on('data', (output) => {
    hang.refresh();
    process.stdout.write(output);
  });
  child.stderr?.on('data', (output) => {
    hang.refresh();
    process.stderr.write(output);
  });
  /** @type {number} */
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1)).once('exit', (ended) => resolve(ended ?? 1));
  });
  clearTimeout(hang);
  await Promise.race([closed, delay(lastOutputMs, undefined, { ref: false })]);
  return code;
}

/**
 * @param {string} name
 * @param {(string | number)[]} values
 */
function row(name, ...values) {
  return name.padEnd(12) + values.map((value) => String(value).padStart(9)).join('');
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
