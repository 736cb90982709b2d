// Runs test files in this process, which is Node for Windows, one after the other, and writes down what became of each
// test. Its parameter is a file with the `Job`. Nobody reads what it prints: pipes of the outside don't work under Wine.
import { appendFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import Mocha from 'mocha';
import '../unit/support/compileCache.mjs';
import type { Event, Job } from './job.ts';
import { reasonToLeaveOut, reasonToLeaveOutFile } from './leftOut.ts';

/** Milliseconds for a test: far more than any takes, and short enough that a table comes to its end. */
const timeout = 120_000;

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Job;
for (const file of job.files) {
  await runFile(file);
}
process.exit(); // whatever a test has left open

async function runFile(file: string): Promise<void> {
  const ofFile = reasonToLeaveOutFile(file, job.isWine);
  if (ofFile !== undefined) {
    // Loading it may fail already.
    write({ kind: 'file', file, tests: [{ title: 'the whole file', reason: ofFile }] });
    write({ kind: 'skipped', test: 0 });
    return;
  }
  const mocha = new Mocha({
    ui: 'tdd',
    timeout,
    reporter: 'min',
    ...(job.grep !== undefined && { fgrep: job.grep }),
  });
  mocha.addFile(resolve(file));
  try {
    await mocha.loadFilesAsync();
  } catch (error) {
    write({ kind: 'unreadable', file, error: errorText(error) });
    return;
  }
  const tests: Mocha.Test[] = [];
  mocha.suite.eachTest((test) => void tests.push(test));
  const found = tests.map((test) => {
    const title = test.fullTitle();
    const reason = reasonToLeaveOut({ file, title }, job.isWine);
    if (reason !== undefined) {
      test.pending = true;
      return { title, reason };
    }
    return { title };
  });
  write({ kind: 'file', file, tests: found });
  await new Promise<void>((done) => {
    const runner = mocha.run(() => done());
    const { EVENT_TEST_BEGIN, EVENT_TEST_PASS, EVENT_TEST_PENDING, EVENT_TEST_FAIL } = Mocha.Runner.constants;
    runner.on(EVENT_TEST_BEGIN, (test) => write({ kind: 'begin', test: tests.indexOf(test) }));
    runner.on(EVENT_TEST_PASS, (test) => write({ kind: 'passed', test: tests.indexOf(test) }));
    runner.on(EVENT_TEST_PENDING, (test) => write({ kind: 'skipped', test: tests.indexOf(test) }));
    runner.on(EVENT_TEST_FAIL, (test, error: unknown) => {
      const index = tests.indexOf(test);
      write(
        index === -1
          ? { kind: 'hookFailed', title: test.fullTitle(), error: errorText(error) }
          : { kind: 'failed', test: index, error: errorText(error) },
      );
    });
  });
}

/** The message, and where in this project it was thrown. */
function errorText(error: unknown): string {
  const lines = (error instanceof Error ? (error.stack ?? error.message) : inspect(error)).split('\n');
  return lines.filter((line) => !/^\s+at .*node(?:_modules|:internal)/.test(line)).join('\n');
}

function write(event: Event): void {
  appendFileSync(job.events, `${JSON.stringify(event)}\n`);
}
