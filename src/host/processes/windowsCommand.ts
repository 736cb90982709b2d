import { lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { HostError } from '../errors/hostError.ts';

/** What the system gets; no shell interprets any of it. */
export interface WindowsCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already, and must not be quoted again. */
  readonly isVerbatim: boolean;
}

export interface WindowsSurroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The path of Windows' command interpreter, which alone can run a batch file. */
  readonly interpreter: string;
  isFile(path: string): boolean;
}

/** The extensions of programs, if there is no PATHEXT. */
const USUAL_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';

/**
 * How to start a command on Windows; undefined if there is no such command. Most package runners (`npx`) are batch files
 * there, which only `cmd.exe` can run; Node refuses to. A name is searched in PATH and never in the working directory,
 * where a workspace could have a program of that name.
 *
 * @throws HostError `spawnFailed` for a file that Windows cannot start, or an argument that a batch file cannot get.
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
  surroundings: WindowsSurroundings,
): WindowsCommand | undefined {
  const file = windowsFile(command, surroundings);
  if (file === undefined) {
    return undefined;
  }
  switch (path.win32.extname(file).toLowerCase()) {
    case '.exe':
    case '.com':
      return { file, args, isVerbatim: false };
    case '.cmd':
    case '.bat':
      // `/d`: without what the registry adds; `/v:off`: `!NAME!` is no variable; `/s`: the outer quotes go.
      return {
        file: surroundings.interpreter,
        args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${batchCommandLine(file, args)}"`],
        isVerbatim: true,
      };
    default:
      throw new HostError(
        'spawnFailed',
        `Windows cannot run '${file}' directly: set "command" to the program that runs it, and add the file to "args"`,
      );
  }
}

/** The file that a command starts; undefined if there is none. */
export function windowsFile(
  command: string,
  surroundings: Omit<WindowsSurroundings, 'interpreter'>,
): string | undefined {
  return pathsOf(command, surroundings).find((one) => surroundings.isFile(one));
}

/** The paths that the command may have, in the order of the search. */
function pathsOf(command: string, { env, cwd }: Pick<WindowsSurroundings, 'env' | 'cwd'>): readonly string[] {
  const directories = /[\\/:]/.test(command)
    ? [cwd]
    : (variableOf(env, 'PATH') ?? '')
        .split(';')
        .map((directory) => directory.replaceAll('"', ''))
        .filter((directory) => path.win32.isAbsolute(directory));
  const extensions = (variableOf(env, 'PATHEXT') ?? USUAL_EXTENSIONS).split(';').filter(Boolean);
  const plain = directories.map((directory) => path.win32.resolve(directory, command));
  const extended = plain.flatMap((one) => extensions.map((extension) => one + extension.toLowerCase()));
  return path.win32.extname(command) === '' ? [...extended, ...plain] : [...plain, ...extended];
}

/**
 * Whether a file is there that can be started. Python from the Microsoft Store is a link that Windows follows only to
 * start it: its target can't be looked at. Never throws: a folder of PATH may be one that can't be read.
 */
export function isProgramFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return isUnreadableLink(file);
  }
}

function isUnreadableLink(file: string): boolean {
  try {
    return path.win32.extname(file).toLowerCase() === '.exe' && lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The value of a variable of Windows, whose names have no case. */
export function variableOf(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([one]) => one.toUpperCase() === name)?.[1];
}

/**
 * A batch file with its arguments, for `cmd /c`. `cmd` parses the line twice, the second time when the batch file passes
 * its arguments on (`%*`), and then the program parses it in its own way. Each argument is therefore quoted so that no
 * parser leaves the quotes: a quote is doubled, which keeps `cmd` inside and is one quote for a program; the backslashes
 * before it are doubled for the program; and something that expands to nothing is put before each `%`, so that there is
 * never a variable. Rust's standard library does the same since CVE-2024-24576.
 *
 * @throws HostError `spawnFailed` for a line break, which ends the command for `cmd` even in quotes.
 */
function batchCommandLine(file: string, args: readonly string[]): string {
  if (args.some((arg) => /[\r\n\0]/.test(arg))) {
    throw new HostError(
      'spawnFailed',
      `an argument has a line break, which cannot be passed to a batch file: ${file}`,
    );
  }
  return [`"${withoutVariables(file)}"`, ...args.map(batchArgument)].join(' ');
}

function batchArgument(arg: string): string {
  const escaped = arg.replaceAll(
    /(?<!\\)(\\*)("|$)/g,
    (_match, backslashes: string, quote: string) => backslashes + backslashes + quote + quote,
  );
  return `"${withoutVariables(escaped)}"`;
}

/** `%cd:~,%` expands to an empty part of the working directory. */
function withoutVariables(text: string): string {
  return text.replaceAll('%', '%%cd:~,%');
}
