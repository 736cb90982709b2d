// Runs the protocol's conformance suite against the extension as a client. `-g <text>` runs the scenarios that match.
import { availableParallelism } from 'node:os';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { grepOption } from '../editor/grepOption.ts';
import { setUpConformance } from '../editor/setup.mjs';
import { writeOutcome } from '../editor/report.ts';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { bundleClient } from './bundle.ts';
import { listScenarios, runScenario, type Result } from './runScenario.ts';
import { readOffer, type Scenario } from './scenarios.ts';

endWithSignals();
await setUpConformance();
await bundleClient();
const folder = new TemporaryFolder('conformance-results');
const { scenarios, problems } = readOffer(await listScenarios());
const results = await runAll(scenarios.filter(isWanted()));
folder.remove();

results.forEach(printRow);
const failures = results.filter((result) => isCounted(result) && result.problems.length > 0);
failures.forEach(printFailure);
problems.forEach((problem) => console.log(`\n  ${problem}`));
const passed = results.filter(isCounted).length - failures.length;
const failed = failures.length + problems.length;
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
    ...problems.map((problem) => ({ title: problem, text: problem })),
  ],
});

function isWanted(): (scenario: Scenario) => boolean {
  const pattern = new RegExp(grepOption() ?? '');
  return ({ name, revision = '' }) => pattern.test(`${name} ${revision}`);
}

/** As many at a time as this machine runs at once; the results are in the order of the scenarios. */
async function runAll(wanted: readonly Scenario[]): Promise<readonly Result[]> {
  const done: Result[] = [];
  const waiting = wanted.entries();
  const runLane = async (): Promise<void> => {
    for (const [index, scenario] of waiting) {
      done[index] = await runScenario(scenario, folder.join(String(index)));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runLane));
  return done;
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
