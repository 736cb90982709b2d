import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { editorNode } from './editorNode.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { messageOf } from '../errors/hostError.ts';
import type { GroupKeeper } from './processRegistry.ts';
import { guardLineOf, type GuardMessage } from './guardMessage.ts';
import type { LaunchedGroup } from './processTable.ts';

/** How often a guard that exited is started again within `DEATHS_MS`. */
const MAX_DEATHS = 3;
const DEATHS_MS = 60_000;
/** Milliseconds in which a guard without a group may exit. */
const LEAVE_MS = 1_000;

/** The variables that the guard gets: what the system needs to start programs. */
const PASSED_ON = ['PATH', 'SYSTEMROOT'];

/** Runs the guard while there is a group to guard; see `guard.ts`. */
export class GuardProcess implements GroupKeeper {
  readonly #script: string;
  readonly #logger: Logger;
  readonly #groups = new Map<number, LaunchedGroup>();
  /** The current guard, and those that are exiting. */
  readonly #running = new Set<ChildProcess>();
  #guard: ChildProcess | undefined;
  /** When guards exited unexpectedly, in milliseconds since the epoch. */
  #deaths: readonly number[] = [];
  #hasWarned = false;

  /** @param script the path of `guard.ts`, or of its bundle. */
  constructor(script: string, logger: Logger) {
    this.#script = script;
    this.#logger = logger;
  }

  /** The process id of the guard; undefined while there is nothing to guard. */
  get pid(): number | undefined {
    return this.#guard?.pid;
  }

  begun(group: LaunchedGroup): void {
    this.#groups.set(group.pid, group);
    if (this.#guard) {
      this.#tell({ kind: 'begun', group });
    } else {
      this.#start();
    }
  }

  gone({ pid }: LaunchedGroup): void {
    this.#groups.delete(pid);
    this.#tell({ kind: 'gone', pid });
    if (this.#groups.size === 0) {
      this.#leave();
    }
  }

  /** Ends the input of the guard, which ends what is left. Waits only for a guard without a group. */
  async close(): Promise<void> {
    this.#leave();
    const ends = [...this.#running].map((guard) => once(guard, 'exit'));
    await Promise.race([Promise.allSettled(ends), delay(LEAVE_MS)]);
  }

  #start(): void {
    const since = Date.now() - DEATHS_MS;
    this.#deaths = this.#deaths.filter((time) => time > since);
    if (this.#deaths.length > MAX_DEATHS) {
      this.#warn('it ended again and again');
      return;
    }
    const guard = this.#spawn();
    // Without an id there is no process; 'error' says why.
    if (guard?.pid === undefined) {
      return;
    }
    this.#guard = guard;
    this.#running.add(guard);
    guard.once('exit', () => this.#ended(guard));
    this.#groups.forEach((group) => this.#tell({ kind: 'begun', group }));
  }

  #spawn(): ChildProcess | undefined {
    try {
      const { command, env } = editorNode();
      const guard = spawn(command, [this.#script, String(process.ppid)], {
        // So that it doesn't keep a folder in use.
        cwd: path.parse(command).root,
        env: { ...passedOn(process.env), ...env },
        // In its own session, so that it outlives the host's group and terminal.
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
        windowsHide: true,
      });
      guard.on('error', (error) => this.#warn(messageOf(error)));
      guard.stdin.on('error', () => {
        // It has exited: see 'exit'.
      });
      // Neither keeps this process alive.
      guard.unref();
      (guard.stdin as Socket).unref();
      return guard;
    } catch (error) {
      this.#warn(messageOf(error));
      return undefined;
    }
  }

  #ended(guard: ChildProcess): void {
    this.#running.delete(guard);
    if (this.#guard === guard) {
      this.#guard = undefined;
      this.#deaths = [...this.#deaths, Date.now()];
      this.#start();
    }
  }

  #tell(message: GuardMessage): void {
    this.#guard?.stdin?.write(guardLineOf(message));
  }

  #leave(): void {
    this.#guard?.stdin?.end();
    this.#guard = undefined;
  }

  #warn(reason: string): void {
    if (!this.#hasWarned) {
      this.#hasWarned = true;
      this.#logger.log(
        'warn',
        `The guard does not run: ${reason}. Servers run nevertheless; if the extension host is killed, they may keep running.`,
      );
    }
  }
}

function passedOn(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(own).filter(([name]) => PASSED_ON.includes(name.toUpperCase())));
}
