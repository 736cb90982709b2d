// `npm run test:windows`: the unit tests in Node for Windows. Under Wine on other systems; on Windows with this Node.
// `-- unit/host/config windows` runs those in these folders or files of `test/`; `-g WORDS` those with the words in their
// titles. Ends with a table, the reasons for what is left out, and `N passed, N failed, N left out`.
import { appendFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../editor/paths.mjs';
import type { FileResults } from './fileResults.ts';
import { Lane } from './lane.ts';
import { failuresText, printTable } from './table.ts';

/** Folders at a time. Each has a Windows of its own, which takes 700 MB. */
const mostLanes = 2;

const out = join(root, 'out/windows');
mkdirSync(out, { recursive: true });
const failures = join(out, 'failures.txt');
writeFileSync(failures, '');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string', short: 'g' } },
});

const folders = byFolder(chosenFiles());
const lanes = Array.from(
  { length: Math.min(mostLanes, availableParallelism(), folders.length) },
  (_, index) => new Lane(`lane-${index + 1}`, values.grep),
);
const end = (): void => lanes.forEach((lane) => lane.end());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    end();
    process.exit(1);
  });
}
try {
  const results: FileResults[] = [];
  await Promise.all(
    lanes.map(async (lane) => {
      lane.prepare();
      for (let next = folders.shift(); next; next = folders.shift()) {
        results.push(...(await runFolder(lane, ...next)));
      }
    }),
  );
  const inOrder = results.toSorted((one, other) => (one.file < other.file ? -1 : 1));
  process.exitCode = printTable(inOrder) ? 0 : 1;
} finally {
  end();
}

async function runFolder(
  lane: Lane,
  folder: string,
  files: readonly string[],
): Promise<readonly FileResults[]> {
  const start = Date.now();
  const results = await lane.run(files);
  appendFileSync(failures, results.map(failuresText).join(''));
  const marks = results.map((one) => (one.failures.length > 0 ? 'F' : '.')).join('');
  console.log(`${folder} ${marks} ${Math.round((Date.now() - start) / 1_000)} s`);
  return results;
}

function chosenFiles(): readonly string[] {
  const files = globSync('test/{unit,windows}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
  return positionals.length === 0
    ? files
    : files.filter((file) => positionals.some((place) => file.startsWith(`test/${place}`)));
}

/** Those with the most files first, so that the lanes end at about the same time. */
function byFolder(files: readonly string[]): [folder: string, files: readonly string[]][] {
  return [...Map.groupBy(files, (file) => relative('test', dirname(file)))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
}
