import { writeFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';
import { loads } from './loads.ts';

/** What became of the tests of one run; skipped ones count as neither. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
  /** Windows that were loaded. */
  readonly loads?: number;
}

/** A test that failed. */
export interface Failure {
  /** The full title, by which it is run again. */
  readonly title: string;
  /** The error, as a terminal shows it. */
  readonly text: string;
}

/** Mocha's spec reporter that also writes the outcome into the file that `TEST_COUNTS` names. */
export class Report extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () =>
      writeOutcome({
        passed: this.stats.passes,
        failed: this.stats.failures,
        ...(loads.count > 0 && { loads: loads.count }),
        failures: this.failures.map((test) => ({ title: test.fullTitle(), text: errorText(test) })),
      }),
    );
  }
}

/** Hands an outcome to the parent of this process. */
export function writeOutcome(outcome: Outcome): void {
  const file = process.env['TEST_COUNTS'];
  if (file !== undefined) {
    writeFileSync(file, JSON.stringify(outcome));
  }
}

/** What mocha prints of a failed test: the message, the difference and the stack. */
function errorText(test: Mocha.Test): string {
  const { Base } = Mocha.reporters;
  const print = Base.consoleLog;
  const lines: string[] = [];
  Base.consoleLog = (pattern = '', ...parts: unknown[]) => lines.push(format(pattern, ...parts));
  try {
    Base.list([test]);
  } finally {
    Base.consoleLog = print;
  }
  return lines.join('\n').trim();
}

// oxlint-disable-next-line import/no-default-export -- mocha's command line takes a reporter that way
export { Report as default };
