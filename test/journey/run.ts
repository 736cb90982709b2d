// Runs the journeys: tests of the packaged extension in a real VS Code, some files at a time, because a window
// waits most of its time. `-g <text>` runs those that match. Each line that is printed begins with the number of its lane.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { grepOption } from '../editor/grepOption.ts';
import { root } from '../editor/paths.mjs';
import { loads } from '../editor/loads.ts';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { prepare } from '../editor/prepare.ts';
import { writeOutcome, type Outcome } from '../editor/report.ts';

const lanes = Math.min(3, availableParallelism());
/** Loading a window is the most expensive step: a journey shares that of its lane unless it is about a window. */
const mostLoads = lanes + 7;
/** What a file calls that begins in the shared window. */
const sharing = /beginShared\(/;
/** What a file calls that goes on with the servers of others, right after them. */
const running = /beginRunning\(/;

endWithSignals();
const grep = grepOption();
const folder = new TemporaryFolder('journeys');
if (grep === undefined) {
  await prepare(folder.join('prepared'));
}
const tasks = tasksOf(globSync('test/journey/**/*.journey.ts', { cwd: root }));
const outcomes: Outcome[] = [];
await Promise.all(Array.from({ length: lanes }, (_, index) => runLane(index + 1)));
folder.remove();
const loaded = outcomes.reduce((sum, one) => sum + (one.loads ?? 0), loads.count);
if (loaded > mostLoads) {
  const text = `There were ${loaded} loads of a window. Use 'beginShared', or a tier without windows.`;
  outcomes.push({
    passed: 0,
    failed: 1,
    failures: [{ title: `loads a window ${mostLoads} times at most`, text }],
  });
}
const passed = outcomes.reduce((sum, one) => sum + one.passed, 0);
const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
console.log(`\n  ${passed} passing, ${failed} failing; ${loaded} loads of a window`);
process.exitCode = failed === 0 ? 0 : 1;
writeOutcome({ passed, failed, loads: loaded, failures: outcomes.flatMap(({ failures }) => failures) });

/**
 * Files that run in one process, one after the other: those that share a window in as many groups as there are lanes,
 * and each other file alone. What has the most text takes the longest, about: it goes first, so that no lane is left
 * with it at the end. Those that go on with the same servers stay together.
 */
function tasksOf(files: readonly string[]): (readonly string[])[] {
  const bytesOf = (task: readonly string[]): number =>
    task.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
  const byBytes = (one: readonly string[], other: readonly string[]): number => bytesOf(other) - bytesOf(one);
  const groups: string[][] = Array.from({ length: lanes }, () => []);
  const doesCall = (call: RegExp, file: string): boolean => call.test(readFileSync(join(root, file), 'utf8'));
  const together = files.filter((file) => doesCall(running, file)).toSorted();
  const shared = files.filter((file) => doesCall(sharing, file)).map((file) => [file]);
  for (const task of [together, ...shared].toSorted(byBytes)) {
    groups
      .toSorted(byBytes)
      .at(-1)
      ?.push(...task);
  }
  const alone = files.filter((file) => ![together, ...shared].flat().includes(file)).map((file) => [file]);
  return [...groups, ...alone].filter(({ length }) => length > 0).sort(byBytes);
}

async function runLane(lane: number): Promise<void> {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    outcomes.push(await runTask(task, lane));
  }
}

async function runTask(files: readonly string[], lane: number): Promise<Outcome> {
  const countsFile = join(folder.path, `${randomUUID()}.json`);
  const child = spawn(
    process.execPath,
    [join(root, 'test/journey/runFile.ts'), ...files, ...(grep === undefined ? [] : ['-g', grep])],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TEST_COUNTS: countsFile } },
  );
  const end = (): void => void child.kill();
  process.once('exit', end);
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    if (line !== '' && !line.startsWith('  0 passing')) {
      console.log(`${lane} ${line}`);
    }
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  process.off('exit', end);
  const found = readOutcome(countsFile);
  // A file that died has failed once.
  return code !== 0 && found.failed === 0
    ? {
        ...found,
        failed: 1,
        failures: [{ title: files.join(', '), text: lines.slice(-30).join('\n') }],
      }
    : found;
}

function readOutcome(file: string): Outcome {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Outcome;
  } catch {
    return { passed: 0, failed: 0, failures: [] };
  }
}
