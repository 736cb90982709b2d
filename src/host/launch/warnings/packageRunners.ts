const npmRunners: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  bunx: [],
  pnpx: [],
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
};
const pythonRunners: Readonly<Record<string, readonly string[]>> = {
  uvx: [],
  uv: ['tool', 'run'],
  pipx: ['run'],
};
const containerRunners = new Set(['docker', 'podman', 'nerdctl']);

/** Options that take the word after them as their value. */
const npmValues =
  /^(?:-p|--package|-c|--call|-w|--workspace|--registry|--cache|--prefix|--userconfig|--script-shell|--node-options)$/;
const pythonValues =
  /^(?:--from|--spec|--with|--with-editable|--with-requirements|-p|--python|-i|--index|--index-url|--default-index|--extra-index-url|-f|--find-links|--directory|--project|--cache-dir|--config-file|--env-file|--pip-args|-c|--constraints?)$/;
const containerValues =
  /^(?:-[aehlmpuvwc]|--(?:add-host|annotation|attach|cap-add|cap-drop|cgroup\S*|cidfile|cpu\S*|device\S*|dns\S*|entrypoint|env|env-file|expose|gpus|group-add|health-\S*|hostname|ip6?|ipc|label|label-file|link|log-driver|log-opt|mac-address|memory\S*|mount|name|network|net|network-alias|pid|pids-limit|platform|publish|pull|restart|runtime|security-opt|shm-size|stop-signal|stop-timeout|storage-opt|sysctl|tmpfs|ulimit|user|userns|uts|volume|volume-driver|volumes-from|workdir))$/;

/** A program's name without its folder and Windows' endings. */
export function baseName(command: string): string {
  const name = command.split(/[/\\]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
}

/** A package or an image that a command fetches, where it is not there yet, and runs. */
export interface FetchedProgram {
  /** The program that fetches it, such as `npx`. */
  readonly runner: string;
  readonly kind: 'npm' | 'python' | 'container';
  /** As it is written, such as `server@1.2.3`. */
  readonly spec: string;
  readonly isPinned: boolean;
  /** A path on this disk is fetched from nowhere. */
  readonly isLocal: boolean;
  /** Where the runner's own arguments begin and end, among the words of the command. */
  readonly options: readonly [start: number, end: number];
}

/** What a command fetches and runs, when it is a runner of packages or containers. */
export function fetchedProgram(words: readonly string[]): FetchedProgram | undefined {
  const at = words.findIndex((word) => isRunner(baseName(word)));
  // Only behind what hands on to it, such as `cmd /c` or `env NAME=value`.
  if (at < 0 || !words.slice(0, at).every((word) => isHandingOn(word))) {
    return undefined;
  }
  const runner = baseName(words[at] ?? '');
  const rest = words.slice(at + 1);
  const npm = npmRunners[runner];
  const python = pythonRunners[runner];
  const found = npm
    ? specIn(afterVerb(rest, npm), /^(?:-p|--package)$/, npmValues)
    : python
      ? specIn(afterVerb(rest, python, runner === 'uv' ? 2 : undefined), /^(?:--from|--spec)$/, pythonValues)
      : specIn(
          afterVerb(rest[0] === 'container' ? rest.slice(1) : rest, ['run']),
          undefined,
          containerValues,
        );
  if (!found) {
    return undefined;
  }
  const { spec, left } = found;
  const isPinned = npm ? isPinnedNpm : python ? isPinnedPython : isPinnedImage;
  const kind = npm ? 'npm' : python ? 'python' : 'container';
  return {
    runner,
    kind,
    spec,
    isPinned: isPinned(spec),
    isLocal: kind !== 'container' && isLocal(spec),
    options: [at + 1, words.length - left],
  };
}

/** Whether a program fetches packages or images, and runs them. */
export function isPackageRunner(name: string): boolean {
  return Object.hasOwn(npmRunners, name) || Object.hasOwn(pythonRunners, name);
}

/** Whether a program runs images: what it is given, it hands into the container. */
export function isContainerRunner(name: string): boolean {
  return containerRunners.has(name);
}

function isRunner(name: string): boolean {
  return isPackageRunner(name) || isContainerRunner(name);
}

function isHandingOn(word: string): boolean {
  return /^(?:cmd|env|sudo|nice|nohup)$/.test(baseName(word)) || /^[-/]\w+$/.test(word) || /^\w+=/.test(word);
}

/**
 * The arguments behind the runner's verb: behind any one of the verbs, or behind all when `count` says so.
 * None when it is used for something else.
 */
function afterVerb(
  args: readonly string[],
  verbs: readonly string[],
  count = Math.min(verbs.length, 1),
): readonly string[] {
  const isVerb = args
    .slice(0, count)
    .every((arg, index) => (count > 1 ? arg === verbs[index] : verbs.includes(arg)));
  return isVerb && args.length >= count ? args.slice(count) : [];
}

/**
 * What an option names, else the first word that is no option and no option's value; `left` counts the words from the
 * program on, which are no longer the runner's own.
 */
function specIn(
  args: readonly string[],
  option: RegExp | undefined,
  values: RegExp,
): { readonly spec: string; readonly left: number } | undefined {
  let named: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [name = '', value] = arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg];
    const isOption = arg.startsWith('-') && arg !== '--';
    if (!isOption) {
      const first = arg === '--' ? args[index + 1] : arg;
      const spec = named ?? first;
      return spec === undefined ? undefined : { spec, left: args.length - index };
    }
    if (option?.test(name)) {
      named ??= value ?? args[index + 1];
    }
    if (value === undefined && values.test(arg)) {
      index += 1;
    }
  }
  return named === undefined ? undefined : { spec: named, left: 0 };
}

const commit = /[#@][0-9a-f]{40}$/i;

function isLocal(spec: string): boolean {
  return /^(?:\.{0,2}[/\\]|~|[a-z]:[/\\]|file:|\$\{)/i.test(spec) || spec === '.';
}

function isPinnedNpm(spec: string): boolean {
  return isLocal(spec) || commit.test(spec) || /.@v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(spec);
}

function isPinnedPython(spec: string): boolean {
  return isLocal(spec) || commit.test(spec) || /(?:={2,3}|@)v?\d+\.\d[\w.+!-]*$/.test(spec);
}

/** A tag can be moved, but one that names a version seldom is; a digest cannot. */
function isPinnedImage(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$/i.test(image) || /:v?\d[\w.-]*$/i.test(image.split('/').at(-1) ?? '');
}
