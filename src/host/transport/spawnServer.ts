import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { HostError, messageOf } from '../errors/hostError.ts';
import {
  isProgramFile,
  variableOf,
  windowsCommand,
  type WindowsCommand,
} from '../processes/windowsCommand.ts';
import { windowsProgram } from '../processes/windowsProgram.ts';

const isWindows = process.platform === 'win32';

/** How a process is started: everything as the system gets it, without a shell. */
export interface StdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
}

/**
 * Launches a server as a subprocess (basic/transports, stdio), on POSIX as the leader of its own process group. A failure
 * that the system reports only afterwards is the `error` event of the process; see `spawnFailure`.
 *
 * @throws HostError `commandNotFound` or `spawnFailed`.
 */
export function spawnServer(launch: StdioLaunch): ChildProcessWithoutNullStreams {
  const { cwd, env } = launch;
  const { file, args, isVerbatim } = programOf(launch);
  try {
    return spawn(file, args, {
      cwd,
      env: { ...env },
      detached: !isWindows,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    });
  } catch (error) {
    // Node throws for some of the system's failures, E2BIG among them.
    throw spawnFailure(launch, error);
  }
}

/**
 * Checks the working directory. Call before the spawn, whose error would blame the command.
 *
 * @throws HostError `workingDirectoryMissing`.
 */
export async function checkDirectory(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (!found?.isDirectory()) {
    const what = found ? 'is not a directory' : 'does not exist';
    throw new HostError('workingDirectoryMissing', `its working directory ${what}: ${cwd}`);
  }
  try {
    await access(cwd, constants.X_OK);
  } catch (cause) {
    const message = `its working directory cannot be entered: ${cwd}`;
    throw new HostError('workingDirectoryMissing', message, { cause });
  }
}

function programOf(launch: StdioLaunch): WindowsCommand {
  const { command, args, env, cwd } = launch;
  if (!isWindows) {
    return { file: command, args, isVerbatim: false };
  }
  const interpreter = process.env['ComSpec'] ?? windowsProgram('cmd.exe');
  const found = windowsCommand(command, args, { env, cwd, interpreter, isFile: isProgramFile });
  if (!found) {
    throw notFound(launch);
  }
  return found;
}

/** Why the system could not start a process. */
export function spawnFailure(launch: StdioLaunch, cause: unknown): HostError {
  const { command } = launch;
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return notFound(launch, cause);
    case 'EACCES':
      return noPermission(command, cause);
    case 'E2BIG':
      return new HostError('spawnFailed', 'its arguments and variables are longer than the system allows', {
        cause,
      });
    default:
      return new HostError('spawnFailed', `the command '${command}' failed: ${messageOf(cause)}`, { cause });
  }
}

export function noPermission(command: string, cause?: unknown): HostError {
  return new HostError('spawnFailed', `you have no permission to run the command '${command}'`, { cause });
}

/** The failure of a command without a file. */
export function notFound({ command, env, cwd }: Omit<StdioLaunch, 'args'>, cause?: unknown): HostError {
  const detail = /[\\/]/.test(command)
    ? `Relative to ${cwd}`
    : `Searched PATH: ${variableOf(env, 'PATH') ?? '(empty)'}`;
  return new HostError('commandNotFound', `the command '${command}' was not found`, { cause, detail });
}
