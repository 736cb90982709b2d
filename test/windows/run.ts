// `npm run test:windows`: the unit tests in Node for Windows. Under Wine on other systems; on Windows with this Node.
// `-- unit/host/config windows` runs those in these folders or files of `test/`; `-g WORDS` those with the words in their
// titles. Ends with a table, the reasons for what is left out, and `N passed, N failed, N left out`.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, globSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root } from '../editor/paths.mjs';
import { setUpForWindows } from '../editor/setup.mjs';
import { readEvents, type Job } from './job.ts';
import { resultsOf, type FileResults } from './fileResults.ts';
import { failuresText, printTable } from './table.ts';
import { Wine } from './wine.ts';

/** A process that writes no event for that long hangs: a test may take a minute. */
const longestSilenceMs = 150_000;
const pollMs = 200;
/** Milliseconds in which processes of tests have to end after their test file. */
const graceMs = 10_000;

const out = join(root, 'out/windows');
const events = join(out, 'events.jsonl');
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'output.txt'), '');
const failures = join(out, 'failures.txt');
writeFileSync(failures, '');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string', short: 'g' } },
});

const wine = process.platform === 'win32' ? undefined : new Wine();
await setUpForWindows();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    wine?.end();
    process.exit(1);
  });
}
try {
  wine?.end(); // what a run that was killed has left
  wine?.prepare();
  const results: FileResults[] = [];
  for (const [folder, files] of byFolder(chosenFiles())) {
    process.stdout.write(`${folder} `);
    const start = Date.now();
    const inFolder = await runFolder(files);
    results.push(...inFolder);
    appendFileSync(failures, inFolder.map(failuresText).join(''));
    const marks = inFolder.map((one) => (one.failures.length > 0 ? 'F' : '.')).join('');
    console.log(`${marks} ${Math.round((Date.now() - start) / 1000)} s`);
  }
  process.exitCode = printTable(results) ? 0 : 1;
} finally {
  wine?.end();
}

function chosenFiles(): readonly string[] {
  const files = globSync('test/{unit,windows}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
  return positionals.length === 0
    ? files
    : files.filter((file) => positionals.some((place) => file.startsWith(`test/${place}`)));
}

function byFolder(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(files, (file) => relative('test', dirname(file)));
}

/** Runs files in one process; after one that hangs, the rest in another one. */
async function runFolder(files: readonly string[]): Promise<readonly FileResults[]> {
  const results: FileResults[] = [];
  while (results.length < files.length) {
    const rest = files.slice(results.length);
    const problem = await runFiles(rest);
    results.push(...resultsOf(rest, readEvents(events), problem));
    const left = await leftRunning();
    if (left.length > 0) {
      results.at(-1)?.failures.push({ title: 'Processes were left running', error: left.join('\n') });
      wine?.end();
    }
  }
  return results;
}

/** Runs files in one process. Gives what was wrong with the process itself. */
async function runFiles(files: readonly string[]): Promise<string | undefined> {
  const job = join(out, 'job.json');
  const path = (file: string) => wine?.path(file) ?? file;
  const { grep } = values;
  writeFileSync(
    job,
    JSON.stringify({
      files,
      events: path(events),
      isWine: wine !== undefined,
      ...(grep !== undefined && { grep }),
    } satisfies Job),
  );
  writeFileSync(events, '');
  const node = wine?.node ?? process.execPath;
  const sockets = wine
    ? [
        '--import',
        pathToFileURL(join(import.meta.dirname, 'wineSockets.mjs')).href.replace('file://', 'file:///Z:'),
      ]
    : [];
  const args = [...sockets, path(join(import.meta.dirname, 'runFiles.ts')), path(job)];
  const [program, parameters] = wine?.command(node, args) ?? [node, args];
  const output = openSync(join(out, 'output.txt'), 'a');
  const child = spawn(program, parameters, {
    cwd: root,
    env: wine?.env ?? process.env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = once(child, 'exit').then(([code]) =>
    code === 0 ? undefined : `The process ended with ${code}.`,
  );
  const finished = new AbortController();
  try {
    return await Promise.race([ended, silence(finished.signal)]);
  } finally {
    finished.abort();
    if (child.exitCode === null) {
      wine?.end();
      child.kill('SIGKILL');
    }
  }
}

/** Resolves when no event has come for too long. */
async function silence(signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted && Date.now() - statSync(events).mtimeMs < longestSilenceMs) {
    await delay(pollMs);
  }
  return signal.aborted ? undefined : `Nothing happened for ${longestSilenceMs / 1000} s.`;
}

/** The command lines of processes that tests have left under Wine, once they had time to end. */
async function leftRunning(): Promise<readonly string[]> {
  let left = wine?.running() ?? [];
  for (const end = Date.now() + graceMs; left.length > 0 && Date.now() < end; left = wine?.running() ?? []) {
    await delay(pollMs);
  }
  return left;
}
