import path from 'node:path';
import { HostError } from '../errors/hostError.ts';

/** What is handed to the system, of which nothing is taken for a command of a shell. */
export interface WindowsCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already, and are handed over as they are. */
  readonly isVerbatim: boolean;
}

export interface WindowsSurroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The path of Windows' command interpreter, which alone can run a batch file. */
  readonly interpreter: string;
  isFile(path: string): boolean;
}

/** What Windows takes for a program when there is no PATHEXT. */
const USUAL_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';

/**
 * How a command is started on Windows. Most runners of packages (`npx`) are batch files there, which only
 * `cmd.exe` can run; Node refuses to. A name is looked for in PATH and never in the working directory,
 * where a workspace could have put a program of that name.
 *
 * @throws HostError `spawnFailed` for what Windows cannot start, or a batch file cannot be given; undefined
 * when there is no such command.
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
  surroundings: WindowsSurroundings,
): WindowsCommand | undefined {
  const file = pathsOf(command, surroundings).find((one) => surroundings.isFile(one));
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
        `Windows cannot start '${file}' by itself: name the program that runs it as the command, and the file in "args"`,
      );
  }
}

/** Where the command may be, in the order in which it is looked for. */
function pathsOf(command: string, { env, cwd }: WindowsSurroundings): readonly string[] {
  const directories = /[\\/:]/.test(command)
    ? [cwd]
    : (valueOf(env, 'PATH') ?? '')
        .split(';')
        .map((directory) => directory.replaceAll('"', ''))
        .filter((directory) => path.win32.isAbsolute(directory));
  const extensions = (valueOf(env, 'PATHEXT') ?? USUAL_EXTENSIONS).split(';').filter(Boolean);
  const plain = directories.map((directory) => path.win32.resolve(directory, command));
  const extended = plain.flatMap((one) => extensions.map((extension) => one + extension.toLowerCase()));
  return path.win32.extname(command) === '' ? [...extended, ...plain] : [...plain, ...extended];
}

function valueOf(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([one]) => one.toUpperCase() === name)?.[1];
}

/**
 * A batch file with its arguments, for `cmd /c`. `cmd` reads the line twice, the second time where the
 * batch file hands its arguments on (`%*`), and then the program reads it in its way. Each argument is
 * therefore quoted such that no reader leaves the quotes: a quote is doubled, which keeps `cmd` inside and
 * is one quote for a program; the backslashes before it are doubled for the program; and before each
 * `%` stands what expands to nothing, so that no name of a variable comes about. It is the form in which the
 * standard library of Rust has done this since CVE-2024-24576.
 *
 * @throws HostError `spawnFailed` for a line break, which ends the command for `cmd` whatever stands around it.
 */
export function batchCommandLine(file: string, args: readonly string[]): string {
  if (args.some((arg) => /[\r\n\0]/.test(arg))) {
    throw new HostError(
      'spawnFailed',
      `an argument has a line break, which no batch file can be given: ${file}`,
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

/** `%cd:~,%` is the working directory from nowhere to nowhere. */
function withoutVariables(text: string): string {
  return text.replaceAll('%', '%%cd:~,%');
}
