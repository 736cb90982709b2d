import type { Numbers } from '../node/worker.ts';

/** What the suite in the extension host is told. */
export interface WorkbenchTask {
  readonly measure: string;
  readonly isQuick: boolean;
  readonly node: string;
  readonly benchServer: string;
  readonly sdkServer: readonly string[];
  /** A folder that comes and goes in the workspace. */
  readonly folder: string;
}

/** The trials of each thing that was measured, by its name. */
export type Measurements = Readonly<
  Record<string, { readonly own: readonly Numbers[]; readonly other: readonly Numbers[] }>
>;
