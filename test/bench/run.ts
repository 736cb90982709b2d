// Measures this host beside clients of the bare SDK and beside the editor's own host, and writes docs/benchmarks.md:
// npm run bench. With names it runs only these, and writes no page unless --page; with --quick each trial once.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { benchFolder, bundleWorker, packageExtension } from './bundle.ts';
import { machine } from './machine.ts';
import { nodeMeasures } from './nodeMeasures.ts';
import { writePage, type BenchRun } from './page.ts';
import type { Result } from './result.ts';
import { tableText } from './table.ts';
import { NodeTrials } from './trials.ts';
import { workbenchMeasures, measureInWorkbench } from './workbenchMeasures.ts';

endWithSignals();
const { positionals: names, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
});
const known = [...Object.keys(nodeMeasures), ...workbenchMeasures];
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  throw new Error(`There is no measure ${unknown.join(', ')}, only ${known.join(', ')}.`);
}
const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);

packageExtension();
const trials = new NodeTrials(await bundleWorker(), options.quick);
const before = loadavg();
const started = performance.now();
console.log(`Load before: ${loadText(before)}`);
const results: Result[] = [];
const measured = new Set<string>();
for (const [name, measure] of Object.entries(nodeMeasures)) {
  await add(name, () => measure(trials));
}
for (const name of workbenchMeasures) {
  await add(name, () => measureInWorkbench(name, options.quick));
}
const { after, minutes } = keep();
console.log(`\nLoad after: ${loadText(after)}; ${minutes.toFixed(1)} minutes`);

/** Writes what is measured so far. */
function keep(): BenchRun {
  const run = {
    machine: machine(),
    date: new Date().toISOString(),
    minutes: (performance.now() - started) / 60_000,
    before,
    after: loadavg(),
    results,
    missing: known.filter((name) => !measured.has(name)),
  };
  writeFileSync(join(benchFolder, 'results.json'), `${JSON.stringify(run, undefined, 2)}\n`);
  if (options.page || (names.length === 0 && !options.quick)) {
    writePage(run);
  }
  return run;
}

/** A measure that fails doesn't cost what the others have found. */
async function add(name: string, measure: () => Promise<readonly Result[]>): Promise<void> {
  if (!isWanted(name)) {
    return;
  }
  try {
    const more = await measure();
    results.push(...more);
    measured.add(name);
    keep();
    console.log(`\n${tableText(more)}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`\n${name} has failed:`, error);
  }
}

function loadText(load: readonly number[]): string {
  return load.map((one) => one.toFixed(1)).join(', ');
}
