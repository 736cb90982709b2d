// Runs the protocol's conformance suite against the extension as a client. `-g <text>` runs the scenarios that match;
// `--mutants` runs only the clients that the suite must fail, all of them; `--failing` also finds out which scenarios a
// client passes that only fails.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { writeOutcome } from '../editor/report.ts';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { bundleClient, type Mutation } from './bundle.ts';
import { everyRun, failingClients, failsHere, mutants } from './mutants.ts';
import { listScenarios, runScenario, type Result } from './runScenario.ts';
import { readOffer, type Scenario } from './scenarios.ts';
import { SuiteProcess } from './suiteProcess.ts';

/** A scenario that is run with a client. */
interface Run {
  readonly scenario: Scenario;
  /** See `runScenario`. */
  readonly client: string;
}

endWithSignals();
const {
  values: { grep = '', failing: findsFailing, mutants: isMutating },
} = parseArgs({
  options: {
    grep: { type: 'string', short: 'g' },
    failing: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
  },
});
const folder = new TemporaryFolder('conformance-results');
let folders = 0;
const { scenarios, problems } = readOffer(await listScenarios());
const wanted = scenarios.filter(isWanted);
const latest = wanted.filter(
  ({ name, standing }, index) =>
    standing.kind === 'counted' && wanted.findLastIndex((one) => one.name === name) === index,
);
const mutated = latest.filter(({ name }) => name in mutants && (isMutating || everyRun.includes(name)));
const results = isMutating ? [] : await runPlain();
const unnoticed = await mutantsPassed();
const unproven = findsFailing ? await passedByFailing() : [];
folder.remove();

const failures = results.filter((result) => isCounted(result) && result.problems.length > 0);
failures.forEach(printFailure);
const others = [...problems, ...unnoticed, ...unproven];
others.forEach((problem) => console.log(`\n  ${problem}`));
const passed = results.filter(isCounted).length - failures.length + mutated.length - unnoticed.length;
const failed = failures.length + others.length;
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
writeOutcome({
  passed,
  failed,
  failures: [
    ...failures.map(({ scenario, problems: wrong, log }) => ({
      title: `${scenario.name} ${scenario.revision ?? ''}`.trim(),
      text: [...wrong, log.trimEnd()].join('\n'),
    })),
    ...others.map((problem) => ({ title: problem, text: problem })),
  ],
});

function isWanted({ name, revision = '' }: Scenario): boolean {
  return new RegExp(grep).test(`${name} ${revision}`);
}

/** As many at a time as this machine runs at once; the results are in the order of the runs. */
async function runAll(runs: readonly Run[]): Promise<readonly Result[]> {
  const done: Result[] = [];
  const waiting = runs.entries();
  const runLane = async (): Promise<void> => {
    const suite = new SuiteProcess();
    for (const [index, one] of waiting) {
      folders += 1;
      done[index] = await runScenario(suite, one.scenario, folder.join(String(folders)), one.client);
    }
    suite.close();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runLane));
  return done;
}

/** Runs the scenarios with the extension as it is. */
async function runPlain(): Promise<readonly Result[]> {
  const client = quoted(await bundleClient());
  const run = await runAll(wanted.map((scenario) => ({ scenario, client })));
  run.forEach(printRow);
  return run;
}

/** Runs scenarios with a change of the extension's code for which they must fail; gives a sentence for each that passes. */
async function mutantsPassed(): Promise<readonly string[]> {
  const runs = [];
  const bundles = new Map<Mutation, string>();
  for (const scenario of mutated) {
    const mutation = mutants[scenario.name];
    if (mutation) {
      const bundle = bundles.get(mutation) ?? (await bundleClient(`mutant-${bundles.size}`, mutation));
      bundles.set(mutation, bundle);
      runs.push({ scenario, client: quoted(bundle) });
    }
  }
  const run = await runAll(runs);
  run.forEach(({ scenario: { name }, isPassed }) =>
    console.log(`  ${name.padEnd(42)}${'mutated'.padEnd(12)}${isPassed ? 'not noticed' : 'noticed'}`),
  );
  return run
    .filter(({ isPassed }) => isPassed)
    .map(({ scenario: { name } }) => `'${name}' passes with the change of mutants.ts.`);
}

/** Gives a sentence for each scenario that a client passes which only fails, if no change of the code shows more. */
async function passedByFailing(): Promise<readonly string[]> {
  const found = new Map<string, string>();
  for (const [index, [what, failing]] of Object.entries(failingClients).entries()) {
    const command =
      typeof failing === 'string' ? failing : quoted(await bundleClient(`failing-${index}`, failing));
    for (const { scenario, isPassed, log } of await runAll(
      latest.map((scenario) => ({ scenario, client: command })),
    )) {
      // Where it doesn't come to that step, it is the client that should pass.
      if (isPassed && (typeof failing === 'string' || log.includes(failsHere))) {
        console.log(`  ${scenario.name.padEnd(42)}passed by a client that ${what}`);
        found.set(scenario.name, what);
      }
    }
  }
  return [...found]
    .filter(([name]) => !(name in mutants))
    .map(
      ([name, what]) => `'${name}' passes for a client that ${what}: mutants.ts needs a change of the code.`,
    );
}

function quoted(path: string): string {
  return `"${path}"`;
}

function isCounted({ scenario }: Result): boolean {
  return scenario.standing.kind === 'counted';
}

function printRow({ scenario, succeeded, problems: wrong }: Result): void {
  const { name, revision = 'extension', standing } = scenario;
  const became = wrong.length === 0 ? 'passed' : 'failed';
  const counts = standing.kind === 'counted' ? 'counted' : `not counted: ${standing.reason}`;
  const checks = `${succeeded} passed, ${wrong.length} failed`;
  console.log(`  ${name.padEnd(42)}${revision.padEnd(12)}${became.padEnd(8)}${checks.padEnd(22)}${counts}`);
}

function printFailure({ scenario, problems: wrong, log }: Result): void {
  console.log(`\n  ${scenario.name} ${scenario.revision ?? ''}`);
  wrong.forEach((problem) => console.log(`    ${problem}`));
  console.log(log.trimEnd().replaceAll(/^/gm, '      '));
}
