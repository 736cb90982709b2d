/** How long a process may be silent while it starts, in milliseconds. */
export interface StartPolicy {
  /** To `initialize`, where it has been silent to the probe: then it is started again, with `initialize` first. */
  readonly silentMs: number;
  /** The same for what a package runner has started, which may be a script that sets it up. */
  readonly runnerSilentMs: number;
  /** In all, for a server that a package runner has to fetch first. */
  readonly fetchMs: number;
  /** Between two looks at whether the runner is still fetching. */
  readonly lookMs: number;
  /** After so long the log says that it is still starting; the last is repeated. */
  readonly sayAfterMs: readonly [number, ...number[]];
}

export const defaultStart: StartPolicy = {
  silentMs: 8_000,
  runnerSilentMs: 30_000,
  fetchMs: 10 * 60_000,
  lookMs: 3_000,
  sayAfterMs: [5_000, 10_000, 15_000, 30_000],
};
