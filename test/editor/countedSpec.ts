import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** How many tests passed and failed; skipped ones count as neither. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Mocha's spec reporter that also writes the counts into the file that `TEST_COUNTS` names. */
export class CountedSpec extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env['TEST_COUNTS'];
    if (file !== undefined) {
      runner.once(Mocha.Runner.constants.EVENT_RUN_END, () =>
        writeFileSync(file, JSON.stringify(this.#counts())),
      );
    }
  }

  #counts(): Counts {
    return { passed: this.stats.passes, failed: this.stats.failures };
  }
}

// oxlint-disable-next-line import/no-default-export -- mocha's command line takes a reporter that way
export { CountedSpec as default };
