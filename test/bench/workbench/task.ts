import type { Numbers } from '../node/worker.ts';

/** What the suite in the extension host gets. */
export interface WorkbenchTask {
  readonly measure: string;
  readonly isQuick: boolean;
  readonly node: string;
  readonly benchServer: string;
  /** The sets of servers that are started. */
  readonly sets: readonly ServerSet[];
  /** A folder that comes and goes in the workspace. */
  readonly folder: string;
}

/** Servers that are started together, so often. */
export interface ServerSet {
  readonly what: string;
  /** The same for sets that share servers, which are then allowed once. */
  readonly name: string;
  /** The arguments of each server, for Node. */
  readonly servers: readonly (readonly string[])[];
  /** How many tools each of them has, at least. */
  readonly tools: number;
  readonly trials: number;
}

/** The trials of each thing that was measured, by its name. */
export type Measurements = Readonly<
  Record<string, { readonly own: readonly Numbers[]; readonly other: readonly Numbers[] }>
>;
