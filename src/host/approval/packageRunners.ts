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

/** What fetches a server before it runs it, where it does not have it yet. */
export interface Runner {
  /** As people call it: `npx`, `uvx`, `docker`. */
  readonly name: string;
  readonly fetches: 'package' | 'image';
}

/** The runner that a command is started with; undefined for any other program. */
export function runnerOf(words: readonly string[]): Runner | undefined {
  const start = words.findIndex((word) => isRunner(baseName(word)));
  if (start < 0 || !words.slice(0, start).every((word) => isHandingOn(word))) {
    return undefined;
  }
  const name = baseName(words[start] ?? '');
  const rest = words.slice(start + 1);
  if (containerRunners.has(name)) {
    const args = rest[0] === 'container' ? rest.slice(1) : rest;
    return afterVerb(args, ['run']) && { name, fetches: 'image' };
  }
  const args = afterVerb(rest, npmRunners[name] ?? pythonRunners[name] ?? [], name === 'uv' ? 2 : undefined);
  return args && { name, fetches: 'package' };
}

/** The package or image that a command fetches and runs without a fixed version. */
export function unpinnedPackage(words: readonly string[]): string | undefined {
  const start = words.findIndex((word) => isRunner(baseName(word)));
  // Only behind what hands on to it, such as `cmd /c` or `env NAME=value`.
  if (start < 0 || !words.slice(0, start).every((word) => isHandingOn(word))) {
    return undefined;
  }
  const name = baseName(words[start] ?? '');
  const rest = words.slice(start + 1);
  const npm = npmRunners[name];
  if (npm) {
    const args = afterVerb(rest, npm);
    const spec = args && specOf(args, /^(?:-p|--package)$/, npmValues);
    return spec === undefined || isPinnedNpm(spec) ? undefined : spec;
  }
  const python = pythonRunners[name];
  if (python) {
    const args = afterVerb(rest, python, name === 'uv' ? 2 : undefined);
    const spec = args && specOf(args, /^(?:--from|--spec)$/, pythonValues);
    return spec === undefined || isPinnedPython(spec) ? undefined : spec;
  }
  const args = afterVerb(rest[0] === 'container' ? rest.slice(1) : rest, ['run']);
  const image = args && specOf(args, undefined, containerValues);
  return image === undefined || isPinnedImage(image) ? undefined : image;
}

function isRunner(name: string): boolean {
  return Object.hasOwn(npmRunners, name) || Object.hasOwn(pythonRunners, name) || containerRunners.has(name);
}

function isHandingOn(word: string): boolean {
  return /^(?:cmd|env|sudo|nice|nohup)$/.test(baseName(word)) || /^[-/]\w+$/.test(word) || /^\w+=/.test(word);
}

/**
 * The arguments behind the runner's verb: behind any one of the verbs, or behind all when `count` says so.
 * Undefined when it is used for something else.
 */
function afterVerb(
  args: readonly string[],
  verbs: readonly string[],
  count = Math.min(verbs.length, 1),
): readonly string[] | undefined {
  const isVerb = args
    .slice(0, count)
    .every((arg, index) => (count > 1 ? arg === verbs[index] : verbs.includes(arg)));
  return isVerb && args.length >= count ? args.slice(count) : undefined;
}

/** What an option names, else the first word that is no option and no option's value. */
function specOf(args: readonly string[], option: RegExp | undefined, values: RegExp): string | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [name = '', value] = arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg];
    if (option?.test(name)) {
      return value ?? args[index + 1];
    }
    if (arg === '--') {
      return args[index + 1];
    }
    if (!arg.startsWith('-')) {
      return arg;
    }
    if (value === undefined && values.test(arg)) {
      index += 1;
    }
  }
  return undefined;
}

const commit = /[#@][0-9a-f]{40}$/i;

/** A path on this disk is fetched from nowhere. */
function isLocal(spec: string): boolean {
  return /^(?:\.{0,2}[/\\]|~|[a-z]:[/\\]|file:|\$\{)/i.test(spec) || spec === '.';
}

function isPinnedNpm(spec: string): boolean {
  return isLocal(spec) || commit.test(spec) || /.@v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(spec);
}

function isPinnedPython(spec: string): boolean {
  return isLocal(spec) || commit.test(spec) || /(?:={2,3}|@)v?\d+(?:\.\d+)+[\w.+!-]*$/.test(spec);
}

/** A tag can be moved, but one that names a version seldom is; a digest cannot. */
function isPinnedImage(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$/i.test(image) || /:v?\d[\w.-]*$/i.test(image.split('/').at(-1) ?? '');
}
