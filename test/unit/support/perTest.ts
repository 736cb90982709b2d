/** Makes something before each test of a suite, and closes it behind the test. */
export function perTest<T extends { close(): unknown }>(make: () => T | Promise<T>): void {
  let made: T;
  setup(async () => {
    made = await make();
  });
  teardown(() => made.close());
}
