/** Lets a signal end this process in order, so that what it started and made goes with it. */
export function endWithSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(1));
  }
}
