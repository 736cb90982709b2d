import { setTimeout as delay } from 'node:timers/promises';
import { taskkill } from './taskkill.ts';

const isWindows = process.platform === 'win32';

/** Milliseconds in which a process may end after each step. */
const GRACE_MS = 1_000;
/** Milliseconds until a process on Windows is gone after it was terminated. */
const TERMINATION_MS = 400;
const POLL_MS = 20;

/**
 * Ends a process and everything it started: on POSIX its process group, on Windows its tree. The process must have been
 * spawned as the leader of a group (`detached`). Resolves within four seconds in any case: the editor gives `deactivate`
 * five.
 *
 * Follows the stdio shutdown of basic/lifecycle (2025-03-26 and later): the caller closes the input; processes that still
 * run get SIGTERM, and then SIGKILL. On Windows the first of these is `taskkill /F`: without `/F` it asks only windows.
 */
export async function endProcessTree(pid: number): Promise<void> {
  if (await hasEnded(pid, GRACE_MS)) {
    return;
  }
  if (isWindows) {
    await taskkill(pid);
    if (!(await hasEnded(pid, GRACE_MS))) {
      // `taskkill` is missing or forbidden here: what the process has started may end with its input.
      terminate(pid);
      await hasEnded(pid, TERMINATION_MS);
    }
    return;
  }
  signalGroup(pid, 'SIGTERM');
  if (await hasEnded(pid, GRACE_MS)) {
    return;
  }
  signalGroup(pid, 'SIGKILL');
  await hasEnded(pid, GRACE_MS);
}

/** Signals all processes of a group, if there are any. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(isWindows ? pid : -pid, 0);
    return true;
  } catch (error) {
    // EPERM: a member runs as someone else now; it is alive.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the group (on Windows the process) ends within so many milliseconds. */
export async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (isAlive(pid)) {
    if (performance.now() >= until) {
      return false;
    }
    await delay(POLL_MS);
  }
  return true;
}
