import { spawn } from 'node:child_process';
import { windowsProgram } from './windowsProgram.ts';

/** Milliseconds that Windows' own program may take. */
const BOUND_MS = 1_500;

export const taskkillProgram = windowsProgram('taskkill.exe');

/**
 * Ends a process on Windows, and everything that it and its children started (2026-07-28, basic/transports, stdio:
 * TerminateProcess). Resolves when that is done, or `boundMs` have passed.
 */
export function taskkill(
  pid: number,
  command: string = taskkillProgram,
  boundMs: number = BOUND_MS,
): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(command, ['/T', '/F', '/PID', String(pid)], { windowsHide: true, stdio: 'ignore' });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve();
    }, boundMs);
    const settle = (): void => {
      clearTimeout(timer);
      resolve();
    };
    child.once('error', settle).once('exit', settle);
  });
}
