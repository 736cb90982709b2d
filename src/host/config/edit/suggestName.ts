import type { DraftLaunch } from './serverDraft.ts';

/** Programs that run another program, which is named in their arguments. */
const runners =
  /^(npx|bunx|pnpx|uvx|pipx|uv|npm|pnpm|yarn|bun|deno|node|tsx|python\d?(\.\d+)?|py|docker|podman|go|cargo|dotnet|java|env|cmd)(\.cmd|\.exe)?$/;
const verbs = new Set(['run', 'exec', 'dlx', 'x', 'tool', '/c', '-m']);
/** Options of runners whose value is the next argument. */
const withValue = new Set([
  '-e',
  '--env',
  '-v',
  '--volume',
  '--mount',
  '-p',
  '--package',
  '--from',
  '--directory',
  '--name',
  '--network',
  '--with',
  '--python',
]);

/** A short name for a server, by its package, program or host; `server` where nothing gives one. */
export function suggestName(launch: DraftLaunch, taken: ReadonlySet<string>): string {
  const source = launch.type === 'stdio' ? programOf(launch.command, launch.args) : hostOf(launch.url);
  const name = shortened(source) || 'server';
  for (let count = 1; ; count += 1) {
    const wanted = count === 1 ? name : `${name}-${count}`;
    if (!taken.has(wanted)) {
      return wanted;
    }
  }
}

function programOf(command: string, args: readonly string[]): string {
  const program = baseName(command);
  if (!runners.test(program.toLowerCase())) {
    return program;
  }
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (withValue.has(arg)) {
      index += 1;
    } else if (arg !== '' && !arg.startsWith('-') && !verbs.has(arg) && !runners.test(arg)) {
      return arg;
    }
  }
  return program;
}

function hostOf(address: string): string {
  const host = URL.parse(address)?.hostname ?? '';
  if (/^[\d.:[\]]+$/.test(host)) {
    return host.replaceAll(/[^\d]+/g, '-');
  }
  const labels = host.split('.').filter((label) => !/^(www|mcp|api|app|remote)$/.test(label));
  return (labels.length > 1 ? labels.at(-2) : labels[0]) ?? '';
}

function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** `@scope/server-git@1.2` is `git`: no scope, no version, no ending, and not the words that all have. */
function shortened(source: string): string {
  const isPackage = source.startsWith('@');
  const [scope = ''] = source.slice(1).split('/');
  const short = baseName(source.replace(/(?<=.)[@:][^/\\]*$/, ''))
    .replace(/\.(m?[jt]s|cjs|py|exe|cmd|sh|jar)$/i, '')
    .replace(/^(mcp-)?(server-)?/i, '')
    .replace(/(-mcp)?(-server)?(-mcp)?$/i, '')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  // `@playwright/mcp` is told by its scope alone.
  return /^(mcp|server|index|main|)$/.test(short) && isPackage ? scope : short;
}
