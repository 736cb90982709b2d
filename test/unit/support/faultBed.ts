import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { ServerDefinition, StdioServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { BackoffPolicy } from '../../../src/host/connection/failures/backoff.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import type { Era } from '../../fixtures/servers/faultyScript.ts';
import { ConnectionBed } from './connectionBed.ts';
import { stdioServer } from './definitions.ts';
import type { HostBed } from './hostBed.ts';
import { Leftovers } from './leftovers.ts';
import { ReceivedRecord } from './receivedRecord.ts';
import { isAlive, until, untilSeen } from './until.ts';

/** Comes back at once, as often as it takes. */
export const soon: BackoffPolicy = { firstMs: 1, maxMs: 100, tries: 1_000, stableMs: 60_000 };

const script = fileURLToPath(new URL('../../fixtures/servers/faultyServer.ts', import.meta.url));

/** A server that does what it should not, over stdio: see `faultyServer.ts`. */
export function faultyServer(
  era: Era,
  switches: readonly string[] = [],
  more: Partial<StdioServerDefinition> = {},
): StdioServerDefinition {
  return stdioServer([script, ...(era === 'modern' ? ['--modern'] : []), ...switches], more);
}

/**
 * Where faults are tried: it knows over all restarts what its servers were asked, and proves at the end that
 * nothing is left of them, neither there nor here.
 */
export class FaultBed extends ConnectionBed {
  readonly received = new ReceivedRecord(this.directory);
  readonly #leftovers: Leftovers;

  private constructor(leftovers: Leftovers) {
    super();
    this.#leftovers = leftovers;
  }

  /** Call it in a hook: see `Leftovers.begin`. */
  static async open(): Promise<FaultBed> {
    return new FaultBed(await Leftovers.begin());
  }

  override recorded(definition: ServerDefinition): ServerDefinition {
    const recorded = super.recorded(definition);
    return recorded.type === 'stdio'
      ? { ...recorded, env: { ...recorded.env, ...this.received.environment } }
      : recorded;
  }

  /** What the log has that somebody might worry about. */
  get complaints(): readonly string[] {
    return this.logger.lines.filter((line) => /^(warn|error)/.test(line));
  }

  async started(definition: ServerDefinition, backoff?: BackoffPolicy): Promise<ServerConnection> {
    const connection = this.connection(definition, { ...(backoff && { backoff }) });
    await connection.start();
    return connection;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#leftovers.check();
  }
}

export function pidOf({ state }: ServerConnection): number {
  return (state.kind === 'running' ? state.pid : undefined) ?? 0;
}

/** Allows and starts servers all at once, however long a busy machine takes. */
export async function startAll(
  hostBed: HostBed,
  definitions: readonly ServerDefinition[],
): Promise<readonly ServerConnection[]> {
  hostBed.configure(definitions);
  hostBed.answerAll('allow');
  const connections = definitions.map((one) => hostBed.of(one));
  await until(
    () => connections.every(({ state }) => state.kind !== 'awaitingApproval'),
    'what was allowed starts',
    hostBed.host.onDidChangeServer,
  );
  await Promise.all(connections.map((one) => one.start()));
  return connections;
}

/** Resolves when a server runs in another process than that one. */
export function untilRunsAgain(connection: ServerConnection, pid: number): Promise<void> {
  const runsAgain = (): boolean => connection.state.kind === 'running' && pidOf(connection) !== pid;
  return until(runsAgain, 'the server runs again', connection.onDidChangeState);
}

/** Ends a process as the system does that has no memory left. */
export async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await untilSeen(() => !isAlive(pid), `process ${pid} is gone`);
}

/** What the editor grants an extension to end, in milliseconds. */
const SHUTDOWN_MS = 5_000;
const BEAT_MS = 50;

/**
 * Expects an end within the time that the editor grants, in beats of this process: on a machine under load, they are as
 * late as the timers of what ends.
 */
export async function endsInTime(end: () => Promise<unknown>): Promise<void> {
  let beats = 0;
  const beating = setInterval(() => (beats += 1), BEAT_MS);
  try {
    await end();
  } finally {
    clearInterval(beating);
  }
  assert.ok(beats < SHUTDOWN_MS / BEAT_MS, `${beats} beats of ${BEAT_MS} ms`);
}
