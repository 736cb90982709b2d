// Measures this host beside clients of the bare SDK and beside the editor's own host, and writes docs/internals/benchmarks.md:
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
import { unexplained } from './reasons.ts';
import { isMet, type Result } from './result.ts';
import { loadText, tableText } from './table.ts';
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

const before = loadavg();
const started = performance.now();
console.log(`Load before: ${loadText(before)}`);
packageExtension();
const trials = new NodeTrials(await bundleWorker(), options.quick);
const results: Result[] = [];
const measured = new Set<string>();
for (const [name, measure] of Object.entries(nodeMeasures)) {
  await add(name, () => measure(trials));
}
for (const name of workbenchMeasures) {
  await add(name, () => measureInWorkbench(name, options.quick));
}
const run = keep();
if (options.page || (names.length === 0 && !options.quick)) {
  writePage(run);
}
for (const { measure, what } of unexplained(results)) {
  console.log(`No reason is given in test/bench/reasons.ts: ${measure}, ${what}`);
}
const missed = results.filter((result) => !isMet(result)).length;
console.log(`\n${results.length} rows, ${missed} of them miss their goal`);
console.log(`Load after: ${loadText(run.after)}; ${run.minutes.toFixed(1)} minutes`);

/** Writes what is measured so far. */
function keep(): BenchRun {
  const soFar = {
    machine: machine(),
    date: new Date().toISOString(),
    minutes: (performance.now() - started) / 60_000,
    before,
    after: loadavg(),
    results,
    missing: known.filter((name) => !measured.has(name)),
  };
  writeFileSync(join(benchFolder, 'results.json'), `${JSON.stringify(soFar, undefined, 2)}\n`);
  return soFar;
}

/** A measure that fails doesn't cost what the others have found. */
async function add(name: string, measure: () => Promise<readonly Result[]>): Promise<void> {
  if (names.length > 0 && !names.includes(name)) {
    return;
  }
  const begun = performance.now();
  console.log(`\n${name}`);
  try {
    const more = await measure();
    results.push(...more);
    measured.add(name);
    keep();
    console.log(`  ${Math.round((performance.now() - begun) / 1_000)} s\n${tableText(more)}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} has failed:`, error);
  }
}
