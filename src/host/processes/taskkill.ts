import { spawn } from 'node:child_process';
import path from 'node:path';

/** Milliseconds that Windows' own program may take. */
const BOUND_MS = 1_500;

/** Windows' own program, by its full path: Windows would look for a name in the working directory first. */
export const taskkillProgram = path.win32.join(
  process.env['SystemRoot'] ?? 'C:\\Windows',
  'System32',
  'taskkill.exe',
);

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
