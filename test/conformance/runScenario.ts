import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { conformanceProgram, root } from '../editor/paths.mjs';
import type { Scenario } from './scenarios.ts';
import type { SuiteProcess } from './suiteProcess.ts';

/** Milliseconds that the client may take; it gives up earlier. */
const clientMs = 30_000;
const scenarioMs = 60_000;

/** What became of a scenario. */
export interface Result {
  readonly scenario: Scenario;
  /** How many of its checks succeeded. */
  readonly succeeded: number;
  /** Whether the suite itself is content with what it has seen, however the client ended. */
  readonly isPassed: boolean;
  /** What is wrong, a sentence each; empty when the suite is content. */
  readonly problems: readonly string[];
  /** What the client wrote. */
  readonly log: string;
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'INFO' | 'SKIPPED' | 'WARNING' | 'FAILURE';
  readonly description: string;
  readonly errorMessage?: string;
}

/** Lists the suite's scenarios for clients. */
export async function listScenarios(): Promise<string> {
  const list = [conformanceProgram, 'list', '--client'];
  const { stdout } = await promisify(execFile)(process.execPath, list, { cwd: root, timeout: scenarioMs });
  return stdout;
}

/**
 * Has the suite run a client in one scenario; what it keeps of that goes into `folder`, which is there for it alone.
 *
 * @param client What follows `node` on the command line: a file, or options.
 */
export async function runScenario(
  suite: SuiteProcess,
  scenario: Scenario,
  folder: string,
  client: string,
): Promise<Result> {
  const { name, revision } = scenario;
  const which = ['--scenario', name, ...(revision === undefined ? [] : ['--spec-version', revision])];
  const command = `"${process.execPath}" ${client}`;
  const how = ['--command', command, '--timeout', String(clientMs), '-o', folder];
  const problem = await suite
    .run(['client', ...which, ...how], scenarioMs)
    .then((code) => (code === 0 ? undefined : 'The client failed, or came to no end.'), String);
  const checks = checksIn(folder);
  const succeeded = checks.filter(({ status }) => status === 'SUCCESS').length;
  return {
    scenario,
    succeeded,
    isPassed: checks.length > 0 && failedOf(checks).length === 0,
    problems: problemsOf(scenario, checks, problem),
    log: logIn(folder),
  };
}

function problemsOf(
  { standing }: Scenario,
  checks: readonly Check[],
  problem: string | undefined,
): readonly string[] {
  const failed = failedOf(checks).map(
    ({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`,
  );
  if (failed.length > 0) {
    return failed;
  }
  if (problem !== undefined) {
    return [problem];
  }
  const succeeded = checks.filter(({ status }) => status === 'SUCCESS').length;
  const wanted = standing.kind === 'counted' ? standing.checks : 1;
  return succeeded < wanted
    ? [`Only ${succeeded} checks succeeded, of ${wanted}: the others were not made.`]
    : [];
}

function failedOf(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
}

function checksIn(folder: string): readonly Check[] {
  const text = textOf(folder, 'checks.json');
  return text === undefined ? [] : (JSON.parse(text) as readonly Check[]);
}

function logIn(folder: string): string {
  return ['stdout.txt', 'stderr.txt'].map((name) => textOf(folder, name) ?? '').join('');
}

/** The suite puts its files into a folder with the time in its name, some levels below. */
function textOf(folder: string, name: string): string | undefined {
  const [file] = globSync(`**/${name}`, { cwd: folder });
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8');
}
