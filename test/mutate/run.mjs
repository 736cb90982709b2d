// `npm run mutate`: changes files that protect people, one place after the other, and expects their own unit tests to
// notice (`@stryker-mutator/core`); then has the conformance suite notice the changes of `test/conformance/mutants.ts`.
// `npm run mutate -- pins` takes the files with that in their path, and `npm run mutate -- conformance` that suite alone. What hasn't changed
// in a file and its tests since the last run isn't tried again; reports are in `out/mutation/`. Ends with a table, and
// fails if fewer than 85 % are noticed in a file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { root } from '../editor/paths.mjs';
import { mutatedFiles } from './files.mjs';

/** Of the mutants of each file, how many have to be killed. */
const leastKilled = 0.85;

const [part = ''] = process.argv.slice(2);
const mocha = [
  'node',
  JSON.stringify(join(root, 'node_modules/mocha/bin/mocha.js')),
  '--no-config',
  '--ui',
  'tdd',
  '--bail',
  // A change may make a test wait without success; each of these takes a fraction of a second.
  '--timeout',
  '15000',
];
const reports = join(root, 'out/mutation');
mkdirSync(reports, { recursive: true });
const rows = [];
for (const [file, tests] of Object.entries(mutatedFiles)) {
  if (file.includes(part)) {
    rows.push(await mutate(file, tests));
  }
}
console.log(`\n${row('file', 'mutants', 'killed', 'survived')}`);
for (const { file, mutants, killed, survivors } of rows) {
  console.log(row(file, mutants, killed, survivors.length));
  survivors.forEach((survivor) => console.log(`  ${survivor}`));
}
const isNoticed = rows.every(({ mutants, killed }) => killed >= leastKilled * mutants);
process.exitCode = isNoticed && failsMutants() ? 0 : 1;

/** Whether the conformance suite fails each client that it must fail. */
function failsMutants() {
  if (!'conformance'.includes(part)) {
    return true;
  }
  const run = [join(root, 'test/conformance/run.ts'), '--mutants'];
  return spawnSync(process.execPath, run, { stdio: 'inherit' }).status === 0;
}

/**
 * Mutates one file, and gives what became of its mutants.
 * @param {string} file
 * @param {readonly string[]} tests below `test/unit/host/`
 */
async function mutate(file, tests) {
  const specs = tests.map((test) => `test/unit/host/${test}.test.ts`);
  const hash = createHash('sha256');
  specs.forEach((spec) => hash.update(readFileSync(join(root, spec))));
  // Stryker doesn't look whether tests have changed.
  const name = `${file.replaceAll('/', '-')}-${hash.digest('hex').slice(0, 8)}`;
  const results = await new Stryker({
    mutate: [file],
    // The runner for mocha doesn't know mocha 12.
    testRunner: 'command',
    commandRunner: {
      command: [...mocha, ...specs].join(' '),
    },
    symlinkNodeModules: false, // the sandbox is below them
    concurrency: 1,
    incremental: true,
    incrementalFile: join(reports, `${name}.incremental.json`),
    jsonReporter: { fileName: join(reports, `${name}.json`) },
    plugins: [],
    reporters: ['json'],
    tempDirName: join(reports, 'sandbox'),
    // Without tsconfig.json, which Stryker reads with an API that TypeScript 7 doesn't have.
    ignorePatterns: [
      'out',
      'dist',
      '.code-server',
      'test/installs',
      'test/conformance',
      '/tsconfig.json',
      '*.vsix',
    ],
    logLevel: /** @type {never} */ ('warn'), // of an enum that only another package exports
    timeoutMS: 20_000,
  }).runMutationTest();
  const counted = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
  const survivors = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  return {
    file,
    mutants: counted.length,
    killed: counted.length - survivors.length,
    survivors: survivors.map(
      ({ mutatorName, replacement, location: { start } }) =>
        `${file}:${start.line}:${start.column} ${mutatorName}: ${replacement}`,
    ),
  };
}

/**
 * @param {string} file
 * @param {readonly (string | number)[]} numbers
 */
function row(file, ...numbers) {
  return file.padEnd(52) + numbers.map((one) => String(one).padStart(10)).join('');
}
