// Runs the journeys: tests of the packaged extension in a real VS Code, some files at a time, because a window
// waits most of its time. `-g <text>` runs those that match. What a file printed is shown when it has ended; until
// then each piece of it is a dot.
import { spawn } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { grepOption } from '../editor/grepOption.ts';
import { root } from '../editor/paths.mjs';
import { setUpPackage } from '../editor/setup.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { prepare } from '../editor/prepare.ts';
import { writeOutcome, type Outcome } from '../editor/report.ts';

const lanes = Math.min(3, availableParallelism());

endWithSignals();
await setUpPackage();
const grep = grepOption();
const folder = new TemporaryFolder('journeys');
if (grep === undefined) {
  await prepare(folder.join('prepared'));
}
// What has the most text takes the longest, about: it goes first, so that no lane is left with it at the end.
const files = globSync('test/journey/**/*.journey.ts', { cwd: root }).sort(
  (one, other) => statSync(join(root, other)).size - statSync(join(root, one)).size,
);
const outcomes: Outcome[] = [];
await Promise.all(Array.from({ length: lanes }, runLane));
folder.remove();
const passed = outcomes.reduce((sum, one) => sum + one.passed, 0);
const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
console.log(`\n  ${passed} passing, ${failed} failing`);
process.exitCode = failed === 0 ? 0 : 1;
writeOutcome({ passed, failed, failures: outcomes.flatMap(({ failures }) => failures) });

async function runLane(): Promise<void> {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    outcomes.push(await runFile(file));
  }
}

async function runFile(file: string): Promise<Outcome> {
  const countsFile = join(folder.path, `${outcomes.length}-${file.replaceAll(/[\\/]/g, '-')}.json`);
  const child = spawn(
    process.execPath,
    [join(root, 'test/journey/runFile.ts'), file, ...(grep === undefined ? [] : ['-g', grep])],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TEST_COUNTS: countsFile } },
  );
  const end = (): void => void child.kill();
  process.once('exit', end);
  const printed = text(child.stdout);
  child.stdout.on('data', () => process.stdout.write('.')); // who waits sees that it goes on
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  process.off('exit', end);
  const found = readOutcome(countsFile);
  const output = await printed;
  if (found.passed + found.failed > 0 || code !== 0) {
    process.stdout.write(`\n${output}`);
  }
  // A file that died has failed once.
  return code !== 0 && found.failed === 0
    ? { ...found, failed: 1, failures: [{ title: file, text: output.split('\n').slice(-30).join('\n') }] }
    : found;
}

function readOutcome(file: string): Outcome {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Outcome;
  } catch {
    return { passed: 0, failed: 0, failures: [] };
  }
}
