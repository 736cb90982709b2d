// `npm test`: the set-up, then every tier, each whatever became of the one before: those without an editor in one row,
// the last of them in a browser, and beside them the set-up of the editor, and those in it, beside each other.
// `npm test -- TITLE` runs the tests whose titles have that in them. What a tier prints goes to a file, and with
// `--verbose` to the terminal as well. `npm test -- --watch` runs unit tests again after each change. Ends with what
// failed, and `N passed, N failed` on the last line.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { endLeftProcesses, marked } from './editor/leftProcesses.mjs';
import { root } from './editor/paths.mjs';
import { setUp } from './editor/setup.mjs';

/** @typedef {import('./editor/report.ts').Outcome} Outcome */
/** @typedef {{ name: string, outcome: Outcome, log: string, seconds: number }} Tier */
/**
 * Runs the tests of a tier, in an environment that marks its processes.
 * @typedef {(tier: string, env: NodeJS.ProcessEnv) => Promise<Outcome>} RunTier
 */

/** A tier that prints nothing for that long hangs: a busy machine is slow, but goes on. */
const longestSilenceMs = 10 * 60_000;
/** Milliseconds for the last output of a program that has ended; what it left behind may keep its pipes open. */
const lastOutputMs = 1000;
/** Milliseconds between two lines about how far a tier is. */
const progressMs = 20_000;
/** The most lines that are shown of a failure; the file has all. */
const maxLines = 30;

const {
  positionals: [title],
  values: { verbose: isVerbose, watch: isWatching },
} = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: 'boolean', default: false }, watch: { type: 'boolean', default: false } },
});
const logs = join(root, 'out/test');
mkdirSync(logs, { recursive: true });
await endKilledRuns();
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** Whether the run was interrupted: nothing starts any longer. */
let isEnding = false;

// What tests leave in the folder for temporary files goes with the run, however it ends.
const temporary = mkdtempSync(join(tmpdir(), 'mcp-host-run-'));
chmodSync(temporary, 0o755); // some tests look at it as another user
Object.assign(process.env, { TMPDIR: temporary, TEMP: temporary, TMP: temporary });
/** What another run needs to know if this one is killed. */
const record = join(logs, `run-${process.pid}.json`);
/** @type {string[]} */
const marks = [];
Object.assign(process.env, marked(process.env, newMark()));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => void endAll(constants.signals[signal]));
}
try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
  rmSync(record, { force: true });
}

async function main() {
  await setUp('unit');
  const only = title === undefined ? [] : ['-g', title.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)];
  if (isWatching) {
    process.exitCode = await run('mocha', ['--parallel', '--watch', ...only], {
      log: 'watch',
      isShown: true,
    });
    return;
  }
  const report = ['--reporter', 'test/editor/report.ts', '--', ...only];
  const unit = /** @type {const} */ (['unit', scriptTier('test:unit', ...report)]);
  const withoutEditor = inTurn(
    title === undefined ? [['check', checks], unit, ['conformance', scriptTier('conformance')]] : [unit],
  );
  const forEditor = [join(root, 'test/editor/setup.mjs'), 'editor'];
  if ((await run(process.execPath, forEditor, { log: 'set-up', isShown: true })) !== 0) {
    await withoutEditor;
    throw new Error('The tests in an editor cannot run: see what the set-up says above.');
  }
  const pages = withoutEditor.then(() => inTurn([['page', scriptTier('test:page', ...report)]]));
  const host = inTurn([['host', scriptTier('test:host', ...only)]]);
  const journeys = inTurn([['journey', scriptTier('test:journey', ...only)]]);
  const tiers = (await Promise.all([withoutEditor, pages, host, journeys])).flat();
  console.log(`\n${row('tier', 'passed', 'failed', 'seconds')}`);
  for (const { name, outcome, seconds } of tiers) {
    console.log(row(name, outcome.passed, outcome.failed, seconds.toFixed(1)));
  }
  tiers.forEach(printFailures);
  const passed = sum(tiers.map(({ outcome }) => outcome.passed));
  const failed = sum(tiers.map(({ outcome }) => outcome.failed));
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/**
 * Runs tiers one after the other.
 * @param {readonly (readonly [name: string, runIt: RunTier])[]} tiers
 */
async function inTurn(tiers) {
  /** @type {Tier[]} */
  const ended = [];
  for (const [name, runIt] of tiers) {
    ended.push(await runTier(name, runIt));
  }
  return ended;
}

/**
 * Runs a tier; a process that it leaves behind is a failure of it.
 * @param {string} name
 * @param {RunTier} runIt
 * @returns {Promise<Tier>}
 */
async function runTier(name, runIt) {
  console.log(`${name}: begins`);
  const started = Date.now();
  const mark = newMark();
  const { passed, failed, failures, loads } = await runIt(name, marked(process.env, mark));
  const left = (await endLeftProcesses(mark)).map((command) => ({
    title: 'leaves no process behind',
    text: command,
  }));
  const outcome = { passed, failed: failed + Math.min(left.length, 1), failures: [...failures, ...left] };
  const tier = { name, outcome, log: logOf(name), seconds: (Date.now() - started) / 1000 };
  const loaded = loads === undefined ? '' : `, ${loads} loads of a window`;
  console.log(
    `${name}: ${outcome.passed} passed, ${outcome.failed} failed in ${Math.round(tier.seconds)} s${loaded}`,
  );
  outcome.failures.forEach((failure) => console.log(`✘ ${failure.title}`));
  return tier;
}

/**
 * Each command of the script `check` counts as a test; two of them run at a time.
 * @type {RunTier}
 */
async function checks(tier, env) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commands = /** @type {string[]} */ (manifest.scripts.check.split(' && '));
  /** @type {import('./editor/report.ts').Failure[]} */
  const failures = [];
  const waiting = commands.entries();
  const lane = async () => {
    for (const [index, command] of waiting) {
      console.log(`${tier}: ${index + 1} of ${commands.length}, ${command}`);
      const log = `${tier}-${index + 1}`;
      if ((await run(command, [], { log, env, shell: true, counts: false })) !== 0) {
        failures.push({ title: command, text: readFileSync(logOf(log), 'utf8') });
      }
    }
  };
  // Some of them use one core only.
  await Promise.all([lane(), lane()]);
  return { passed: commands.length - failures.length, failed: failures.length, failures };
}

/**
 * Gives a tier that runs one of package.json's scripts, which writes its outcome into a file. One that died, or
 * failed without a failed test, has failed once.
 * @param {string} script
 * @param {string[]} parameters
 * @returns {RunTier}
 */
function scriptTier(script, ...parameters) {
  return async (tier, env) => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-host-counts-'));
    const file = join(folder, 'counts.json');
    try {
      const code = await run('npm', ['run', '--silent', script, '--', ...parameters], {
        log: tier,
        expected: title === undefined ? lastCount(tier) : undefined,
        shell: process.platform === 'win32',
        env: { ...env, TEST_COUNTS: file, npm_config_loglevel: 'error' },
      });
      const outcome = read(file);
      if (outcome && title === undefined) {
        copyFileSync(file, countsOf(tier));
      }
      const hasDied = outcome === undefined || (code !== 0 && outcome.failed === 0);
      return hasDied
        ? {
            passed: outcome?.passed ?? 0,
            failed: 1,
            failures: [{ title: `'${script}' ended early`, text: end(tier, code) }],
          }
        : outcome;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/**
 * @param {string} file
 * @returns {Outcome | undefined}
 */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * How many tests of a tier passed or failed when all of it ran the last time.
 * @param {string} tier
 */
function lastCount(tier) {
  const { passed, failed } = read(countsOf(tier)) ?? {};
  return passed === undefined || failed === undefined ? undefined : passed + failed;
}

/** @param {string} tier */
function countsOf(tier) {
  return join(logs, `${tier}.json`);
}

/**
 * How a tier ended that gave no result.
 * @param {string} tier
 * @param {number} code
 */
function end(tier, code) {
  const lines = readFileSync(logOf(tier), 'utf8').trimEnd().split('\n');
  return [`It ended with exit code ${code}, after these lines:`, ...lines.slice(1 - maxLines)].join('\n');
}

/**
 * Runs a program, ends it when it hangs, and gives its exit code. What it prints goes to a file.
 * @param {string} program
 * @param {string[]} parameters
 * @param {import('node:child_process').SpawnOptions & { log: string, isShown?: boolean, counts?: boolean, expected?: number | undefined }} options
 * @returns {Promise<number>}
 */
async function run(program, parameters, { log, isShown = isVerbose, counts = true, expected, ...options }) {
  if (isEnding) {
    return new Promise(() => {});
  }
  const env = options.env ?? process.env;
  const path = join(root, 'node_modules/.bin') + delimiter + (env['PATH'] ?? '');
  const file = createWriteStream(logOf(log));
  const child = spawn(program, parameters, {
    cwd: root,
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PATH: path },
  });
  running.add(child);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const end = () => {
    console.log(`'${[program, ...parameters].join(' ')}' has printed nothing for ten minutes, and is ended.`);
    child.kill();
  };
  const hang = isWatching ? undefined : setTimeout(end, longestSilenceMs);
  const progress = watchProgress(log, isShown || !counts, expected);
  /** @param {Buffer} output */
  const take = (output) => {
    hang?.refresh();
    file.write(output);
    progress.take(output);
    if (isShown) {
      process.stdout.write(output);
    }
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  /** @type {number} */
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1)).once('exit', (ended) => resolve(ended ?? 1));
  });
  clearTimeout(hang);
  progress.end();
  running.delete(child);
  await Promise.race([closed, delay(lastOutputMs, undefined, { ref: false })]);
  await new Promise((resolve) => file.end(() => resolve(undefined)));
  return code;
}

/**
 * Says now and then how many tests a tier has behind it, by the marks that mocha prints; the number of a lane may
 * stand before them.
 * @param {string} tier
 * @param {boolean} isSilent
 * @param {number | undefined} expected how many they were the last time
 */
function watchProgress(tier, isSilent, expected) {
  const started = Date.now();
  let passed = 0;
  let failed = 0;
  const timer = setInterval(() => {
    if (!isSilent) {
      const of = expected === undefined ? '' : ` of about ${expected}`;
      console.log(
        `${tier}: ${passed} passed, ${failed} failed${of} so far (${Math.round((Date.now() - started) / 1000)} s)`,
      );
    }
  }, progressMs);
  return {
    /** @param {Buffer} output */
    take: (output) => {
      const text = stripVTControlCharacters(output.toString());
      passed += text.match(/^(\d )? *✔ /gm)?.length ?? 0;
      failed += text.match(/^(\d )? {3,}\d+\) \S/gm)?.length ?? 0;
    },
    end: () => clearInterval(timer),
  };
}

/** @param {Tier} tier */
function printFailures({ name, outcome: { failures }, log }) {
  for (const failure of failures) {
    console.log(`\n✘ ${name}: ${failure.title}`);
    const lines = stripVTControlCharacters(failure.text).split('\n');
    lines.slice(0, maxLines).forEach((line) => console.log(`  ${line}`));
    console.log(`  All of it: ${relative(root, log)}`);
    console.log(`  Again:     npm test -- ${JSON.stringify(failure.title)}`);
  }
}

/** Ends and removes what runs have left that were killed: nobody else does. */
async function endKilledRuns() {
  for (const file of readdirSync(logs)) {
    const [, pid] = /^run-(\d+)\.json$/.exec(file) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      /** @type {{ marks: string[], temporary: string }} */
      const left = JSON.parse(readFileSync(join(logs, file), 'utf8'));
      const ended = (await Promise.all(left.marks.map(endLeftProcesses))).flat();
      rmSync(left.temporary, { recursive: true, force: true });
      rmSync(join(logs, file), { force: true });
      console.log(`Removed what a killed run had left: its folder, and ${ended.length} processes.`);
    }
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A mark for processes, kept for the run that finds what this one has left. */
function newMark() {
  const mark = randomUUID();
  marks.push(mark);
  writeFileSync(record, JSON.stringify({ marks, temporary }));
  return mark;
}

/**
 * Ends what runs, and what that has started.
 * @param {number} signal
 */
async function endAll(signal) {
  console.log('\nEnding what runs…');
  isEnding = true;
  running.forEach((child) => child.kill());
  await Promise.all(marks.map(endLeftProcesses));
  rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
  rmSync(record, { force: true });
  process.exit(128 + signal);
}

/** @param {string} name */
function logOf(name) {
  return join(logs, `${name}.log`);
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
