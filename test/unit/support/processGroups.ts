import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { LaunchedGroup, ProcessTable } from '../../../src/host/processes/processTable.ts';
import { systemProcesses } from '../../../src/host/processes/systemProcesses.ts';
import { isAlive, untilSeen } from './until.ts';

/** The guard's program, which Node runs as it is. */
export const guardScript = fileURLToPath(new URL('../../../src/host/processes/guard.ts', import.meta.url));

const heedsNothing = `for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {});
  setInterval(() => {}, 1e6);`;

/** A leader and its child, which is ready. */
export interface StartedGroup {
  readonly leader: LaunchedGroup;
  readonly child: number;
}

/** Process groups of a test, and their end with it. */
export class ProcessGroups {
  readonly #table: ProcessTable;
  readonly #leaders = new Set<number>();

  constructor(table = systemProcesses()) {
    this.#table = table;
  }

  /** A process and its child, both of which ignore signals and the end of its input. */
  stubborn(): Promise<StartedGroup> {
    return this.#start(`child.stdout.once('data', () => console.log(child.pid)); ${heedsNothing}`);
  }

  /** As `stubborn`, after the leader has ended. */
  async orphaned(): Promise<StartedGroup> {
    const group = await this.#start(`child.stdout.once('data', () => console.log(child.pid)); child.unref();
      child.stdout.once('data', () => child.stdout.destroy());`);
    await untilSeen(() => !isAlive(group.leader.pid), 'the leader has ended');
    return group;
  }

  /** A process that has ended. */
  async ended(): Promise<LaunchedGroup> {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    const known = knownAs(child.pid ?? 0, this.#table);
    await once(child, 'exit');
    return known;
  }

  /** A process that leads a group and runs a script. */
  run(script: string): ChildProcessByStdio<Writable, Readable, null> {
    const child = spawn(process.execPath, ['-e', script], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (child.pid !== undefined) {
      this.#leaders.add(child.pid);
    }
    return child;
  }

  end(): void {
    for (const leader of this.#leaders) {
      try {
        process.kill(-leader, 'SIGKILL');
      } catch {
        // It is gone, as it should be.
      }
    }
    this.#leaders.clear();
  }

  async #start(script: string): Promise<StartedGroup> {
    const ready = JSON.stringify(`${heedsNothing} console.log('ready')`);
    const child = this.run(`const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${ready}], { stdio: ['ignore', 'pipe', 'ignore'] });
      ${script}`);
    const leader = knownAs(child.pid ?? 0, this.#table);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { leader, child: Number(line) };
  }
}

/** What the system knows a process by that runs now. */
export function knownAs(pid: number, table = systemProcesses()): LaunchedGroup {
  const start = table.startOf(pid);
  if (start === undefined) {
    throw new Error(`The system knows nothing of process ${pid}`);
  }
  return { pid, start, mark: randomUUID() };
}

/** The guards of a host that run. */
export function guardsOf(host: number): readonly number[] {
  return execFileSync('ps', ['-eo', 'ppid=,pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, , ...args]) => Number(parent) === host && args.includes(guardScript))
    .map(([, pid]) => Number(pid))
    .filter(isAlive);
}
