import { withoutEnd } from '../../../base/text/withoutEnd.ts';
import { baseName, fetchedProgram, isContainerRunner, isPackageRunner } from './packageRunners.ts';

/** A program that a command starts: the command itself, and what stands behind programs that hand on to another. */
export interface CalledProgram {
  /** Without folder, version and Windows' endings. */
  readonly name: string;
  /** Of the program among the words. */
  readonly at: number;
  /** Where its own options end: behind it are a script, a package or an image, and what that is given. */
  readonly end: number;
}

interface HandingOn {
  readonly skips: number;
  readonly values: ReadonlySet<string>;
  readonly verbs?: ReadonlySet<string>;
}

/** Programs that run the one behind them: how many words they take first, and which options take the next word. */
const handsOn = new Map<string, HandingOn>();
for (const [names, values, skips = 0] of [
  ['env', '-u --unset -C --chdir -a --argv0'],
  ['sudo doas gsudo', '-u --user -g --group -h --host -p --prompt -C -R -D -T -r -t -U'],
  ['nice', '-n --adjustment'],
  ['ionice', '-c --class -n --classdata'],
  ['nohup setsid busybox cmd command exec winpty dbus-run-session cross-env cross-env-shell', ''],
  ['dotenv', '-e -f'],
  ['xvfb-run', '-e -f -n -p -s'],
  ['time', '-f --format -o --output'],
  ['stdbuf', '-i --input -o --output -e --error'],
  ['timeout', '-k --kill-after -s --signal', 1],
  ['taskset chrt', '-p', 1],
  ['chroot', '--groups --userspec', 1],
  ['flock', '-E -w', 1],
  ['unshare', '--map-user --map-group'],
  ['nsenter', '-t --target'],
  ['strace ltrace', '-o -e -p -s -u -E'],
  ['caffeinate', '-t -w'],
  ['xargs', '-I -n -P -d -L -s -E -a'],
  ['watch', '-n --interval'],
  ['wsl', '-d --distribution -u --user --cd'],
] as const) {
  names.split(' ').forEach((name) => handsOn.set(name, { skips, values: new Set(values.split(' ')) }));
}

const interpreters = new Set(
  (
    'node nodejs deno bun tsx ts-node python py pypy ruby perl php lua luajit java julia r rscript elixir groovy ' +
    'scala guile tclsh dotnet sh bash zsh dash ksh ash fish csh tcsh pwsh powershell'
  ).split(' '),
);
/** Options of interpreters that take the word after them. */
const interpreterValues = new Set(
  (
    '-r -C -I -W -X --require --import --loader --experimental-loader --conditions --env-file --title ' +
    '--env-file-if-exists -cp -classpath --class-path -p --module-path --add-modules --preload'
  ).split(' '),
);
/** Of package runners that run something else than a package. */
const runnerOptions = {
  skips: 0,
  values: new Set(
    (
      '-p --python --with --with-editable --with-requirements --directory --project --extra --group --env-file -i ' +
      '--index --index-url --default-index --extra-index-url -f --find-links --prefix -C --dir --cwd -w --workspace ' +
      '--filter --registry --userconfig --script-shell'
    ).split(' '),
  ),
  verbs: new Set('run run-script exec x dlx tool'.split(' ')),
};
/** More of them say nothing new. */
const MAX_PROGRAMS = 16;

/** Each program that the words of a command start, from the first to the last. */
export function calledPrograms(words: readonly string[]): readonly CalledProgram[] {
  const called: CalledProgram[] = [];
  let at = 0;
  while (at < words.length && called.length < MAX_PROGRAMS) {
    const name = programName(words[at] ?? '');
    const wrapper = handsOn.get(name);
    const fetched = wrapper ? undefined : fetchedAt(words, at, name);
    const end = wrapper ? handedOnAt(words, at, wrapper) : (fetched ?? optionsEnd(words, at, name));
    called.push({ name, at, end });
    if (!wrapper && (fetched === undefined || isContainerRunner(name))) {
      break;
    }
    at = end;
  }
  return called;
}

/** Whether a program runs scripts, with or without its version, such as `python3.12`. */
export function isInterpreter(program: string): boolean {
  return interpreters.has(programName(program));
}

/** A program's name without its folder, its version and Windows' endings. */
export function programName(word: string): string {
  const name = baseName(word);
  // `tsx@4`, but not `@scope/server`.
  const version = name.indexOf('@', 1);
  const plain = version < 0 ? name : name.slice(0, version);
  const unversioned = withoutEnd(plain, '0123456789.');
  return interpreters.has(unversioned) ? unversioned : plain;
}

/** Where a package or an image stands; undefined where none is fetched. */
function fetchedAt(words: readonly string[], at: number, name: string): number | undefined {
  const isRunner = isPackageRunner(name) || isContainerRunner(name);
  const end = isRunner ? fetchedProgram(words.slice(at))?.options[1] : undefined;
  if (end !== undefined) {
    return at + end;
  }
  // Such as `uv run python`: nothing is fetched as a package.
  return isPackageRunner(name) && !isInterpreter(name) ? handedOnAt(words, at, runnerOptions) : undefined;
}

/** Where the options of an interpreter end: at its script or module. All words are those of any other program. */
function optionsEnd(words: readonly string[], at: number, name: string): number {
  if (!isInterpreter(name)) {
    return words.length;
  }
  for (let index = at + 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-m' || !word.startsWith('-')) {
      return index;
    }
    if (interpreterValues.has(word)) {
      index += 1;
    }
  }
  return words.length;
}

/** Where the program begins that a word hands on to. */
function handedOnAt(words: readonly string[], at: number, { skips, values, verbs }: HandingOn): number {
  let left = skips;
  for (let index = at + 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (values.has(word)) {
      index += 1;
    } else if (word.startsWith('-') || /^\/[a-z]$/i.test(word) || isAssignment(word) || verbs?.has(word)) {
      continue;
    } else if (left > 0) {
      left -= 1;
    } else {
      return index;
    }
  }
  return words.length;
}

/** Such as `NAME=value` before a program. */
export function isAssignment(word: string): boolean {
  const equals = word.indexOf('=');
  return equals > 0 && !/[/\\\s]/.test(word.slice(0, equals));
}
