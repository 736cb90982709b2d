import type Mocha from 'mocha';

/** Skips what is left of a suite whose tests go on from one another. */
export function skipRest({ tests }: Mocha.Suite): void {
  tests.filter(({ state }) => state === undefined).forEach((test) => (test.pending = true));
}
