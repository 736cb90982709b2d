import { socketAddress } from '../../addresses/serverAddress.ts';
import { withoutEnd } from '../../../base/text/withoutEnd.ts';
import { wordsOf, type AnyLaunch, type WrittenLaunch } from '../serverDefinition.ts';

/** Programs that run another program, which is named in their arguments. */
export const runners =
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

/** Names of files and folders that say nothing about a server. */
const generic =
  /^(mcp|server|mcp[-_]server|index|main|app|cli|start|run|__main__|dist|build|out|lib|src|bin|release|debug|target|node_modules|packages?|servers?|latest|v?\d+(\.\d+)*)?$/i;
/** Hosts that give each customer a subdomain. */
const hosting =
  /\.(github\.io|vercel\.app|netlify\.app|workers\.dev|pages\.dev|herokuapp\.com|run\.app|fly\.dev|onrender\.com|railway\.app|azurewebsites\.net|hf\.space)$/;

/** A short name for a server, by its package, program, folder or host; otherwise `my-server`. */
export function suggestName(launch: WrittenLaunch, taken: ReadonlySet<string>): string {
  const { url }: AnyLaunch = launch;
  const sources = url === undefined ? programsOf(wordsOf(launch)) : [hostOf(url)];
  const name = sources.map(shortened).find((one) => !generic.test(one)) ?? 'my-server';
  return firstFree(name, taken);
}

/**
 * The name itself, or with the first number that makes it one that is not taken. `counts` has the number from which to
 * look on, where many names are wanted and none becomes free again.
 */
export function firstFree(
  name: string,
  taken: ReadonlySet<string>,
  counts = new Map<string, number>(),
): string {
  let free = name;
  for (let count = counts.get(name) ?? 2; taken.has(free); count += 1) {
    free = `${name}-${count}`;
    counts.set(name, count);
  }
  return free;
}

/** Sources for a name, best first. */
function programsOf([command = '', ...args]: readonly string[]): readonly string[] {
  if (!runners.test(baseName(command).toLowerCase())) {
    return pathParts(command);
  }
  const places: string[] = [];
  let program: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (withValue.has(arg)) {
      index += 1;
      if (arg === '--directory') {
        places.push(...pathParts(args[index] ?? ''));
      }
    } else if (arg !== '' && !arg.startsWith('-') && !verbs.has(arg) && !runners.test(arg)) {
      program ??= arg;
    }
  }
  return [...(program === undefined ? [] : pathParts(program)), ...places, baseName(command)];
}

/** A path's last part first, then the folders around it; a package's scope goes with its name. */
function pathParts(path: string): readonly string[] {
  if (/^@[^/\\]+\/[^/\\]+$/.test(path)) {
    return [path];
  }
  // Home directories say nothing about a server.
  const inner = path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\\Users\\[^\\]+|~|\$\{\w+\})[/\\]/, '');
  return inner
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '..')
    .toReversed();
}

function hostOf(address: string): string {
  const { socketPath } = socketAddress(address) ?? {};
  if (socketPath !== undefined) {
    return (socketPath.split(/[\\/]/).at(-1) ?? '').replace(/\.sock(?:et)?$/, '');
  }
  const host = URL.parse(address)?.hostname ?? '';
  if (/^[\d.:[\]]+$/.test(host)) {
    return host.replaceAll(/[^\d]+/g, '-');
  }
  const labels = host
    .replace(hosting, '')
    .split('.')
    .filter((label) => !/^(www|mcp|api|app|remote)$/.test(label));
  const isShort = labels.length > 2 && /^(co|com|org|net|ac|gov|edu)$/.test(labels.at(-2) ?? '');
  return hosting.test(host) ? (labels.at(-1) ?? '') : (labels.at(isShort ? -3 : -2) ?? labels[0] ?? '');
}

function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** `@scope/server-git@1.2` is `git`: without scope, version, ending, and the words that all servers have. */
function shortened(source: string): string {
  const isPackage = source.startsWith('@');
  const [scope = ''] = source.slice(1).split('/');
  const short = baseName(source)
    .replace(/^(.+?)(?:@|:|==).*$/s, '$1')
    .replace(/\[[^[\]]*\]$/, '')
    .replace(/\.(m?[jt]s|cjs|py|exe|cmd|sh|jar)$/i, '')
    .replace(/^(mcp[-_])?(server[-_])?/i, '')
    .replace(/([-_]mcp)?(-server)?([-_]mcp)?$/i, '')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+/, '');
  const plain = withoutEnd(short, '-.');
  // Only the scope of `@playwright/mcp` says which server it is.
  return isPackage && generic.test(plain) ? scope : plain;
}
