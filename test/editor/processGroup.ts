import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const politeFor = 4000;
const stepMs = 50;

/** A program and everything it starts, in a process group of its own, so that all of it can be ended. */
export class ProcessGroup {
  readonly #process: ChildProcess;
  /** For an end of this process before `end`. */
  readonly #kill = (): void => {
    if (this.#process.pid !== undefined) {
      signalGroup(this.#process.pid, 'SIGKILL');
    }
  };

  /** Starts `program`, whose output goes to the file `log`. */
  constructor(program: string, parameters: readonly string[], env: NodeJS.ProcessEnv, log: string) {
    const output = openSync(log, 'a');
    try {
      this.#process = spawn(program, parameters, {
        env,
        detached: process.platform !== 'win32',
        stdio: ['ignore', output, output],
      });
    } finally {
      closeSync(output);
    }
    this.#process.on('error', () => {}); // `hasEnded` tells, and the log
    process.once('exit', this.#kill);
  }

  /** Whether the program itself has ended, or could not be started. */
  get hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.#process;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  /** Ends the program and its descendants; who does not listen within four seconds is killed. */
  async end(): Promise<void> {
    const { pid } = this.#process;
    process.off('exit', this.#kill);
    if (pid === undefined) {
      return;
    }
    if (process.platform === 'win32') {
      spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
      return;
    }
    const started = Date.now();
    let signal: NodeJS.Signals = 'SIGTERM';
    while (signalGroup(pid, signal)) {
      await delay(stepMs);
      signal = Date.now() - started > politeFor ? 'SIGKILL' : 'SIGTERM';
    }
  }
}

/** Sends the signal to a group; false when nobody is left in it. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
