import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isRecord } from '../../base/values/record.ts';
import { baseName, fetchedProgram } from '../launch/warnings/packageRunners.ts';
import { findProgram } from '../processes/findProgram.ts';
import type { Finding } from './checkStep.ts';
import type { LaunchedCommand } from './commandFindings.ts';

/** Milliseconds for `node --version`. */
const VERSION_MS = 5_000;

/**
 * The version of Node.js on the PATH of a launch, and what its package requires, if that is on the disk. Undefined for what
 * doesn't run on Node.js, and without one.
 */
export async function nodeFinding(
  launched: LaunchedCommand,
  args: readonly string[],
  home: string,
): Promise<Finding | undefined> {
  const { command, cwd, env } = launched;
  const isNode = baseName(command) === 'node';
  const fetched = isNode ? undefined : fetchedProgram([command, ...args]);
  if (!isNode && fetched?.kind !== 'npm') {
    return undefined;
  }
  const node = await findProgram(isNode ? command : 'node', launched);
  const version = node?.isExecutable === true ? await versionOf(node.file, env) : undefined;
  if (version === undefined) {
    return undefined;
  }
  const has = `The launch uses Node.js ${version}.`;
  const script = args.find((arg) => !arg.startsWith('-')) ?? '';
  const cache = env['npm_config_cache'] ?? path.join(home, '.npm');
  const found = await firstPackage(
    fetched ? runFolders(fetched.spec, cwd, cache) : await foldersAbove(path.resolve(cwd, script)),
  );
  if (!found && fetched && !fetched.isLocal) {
    return {
      outcome: 'noted',
      text: `${has} ${fetched.spec} is not on this disk, so it is downloaded first.`,
    };
  }
  if (found?.requires === undefined) {
    return { outcome: 'ok', text: has };
  }
  const { name, requires } = found;
  const isEnough = isAtLeast(version, requires);
  return {
    outcome: isEnough === undefined ? 'noted' : isEnough ? 'ok' : 'failed',
    text: `${has} ${name} requires ${requires}.`,
    ...(isEnough === false && {
      advice: 'Put the folder of a Node.js that it can use first in the PATH of this server.',
      action: { kind: 'edit' },
    }),
  };
}

/** Whether a version is enough for a range such as `>=18.2`; undefined for any other range. */
function isAtLeast(version: string, range: string): boolean | undefined {
  const least = /^>= ?(v?\d+(?:\.\d+){0,2})$/.exec(range.trim())?.[1];
  if (least === undefined) {
    return undefined;
  }
  const [has = [], wants = []] = [version, least].map((one) => one.replace('v', '').split('.').map(Number));
  const at = wants.findIndex((part, index) => part !== has[index]);
  return at < 0 || (has[at] ?? 0) > (wants[at] ?? 0);
}

/** Without other variables of the launch, such as NODE_OPTIONS, which have Node.js run something else. */
async function versionOf(
  node: string,
  { PATH, HOME }: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  try {
    const options = { env: { PATH, HOME }, timeout: VERSION_MS };
    const { stdout } = await promisify(execFile)(node, ['--version'], options);
    return /^v\d+\.\d+\.\d+/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/** Where `npx` looks for a package: below its working directory, and in its cache (npm, libnpmexec). */
function runFolders(spec: string, cwd: string, cache: string): readonly string[] {
  const name = /^((?:@[\w.-]+\/)?[\w.-]+)(?:@[^:/]*)?$/.exec(spec)?.[1];
  const run = createHash('sha512').update(spec).digest('hex').slice(0, 16);
  return name === undefined
    ? []
    : [cwd, path.join(cache, '_npx', run)].map((folder) => path.join(folder, 'node_modules', name));
}

/** The folders above a script, the nearest first. */
async function foldersAbove(script: string): Promise<readonly string[]> {
  const folders = [path.dirname(await realpath(script).catch(() => script))];
  for (let up = path.dirname(folders[0] ?? ''); up !== folders.at(-1); up = path.dirname(up)) {
    folders.push(up);
  }
  return folders;
}

async function firstPackage(
  folders: readonly string[],
): Promise<{ readonly name: string; readonly requires?: string } | undefined> {
  for (const folder of folders) {
    const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '');
    const found = readPackage(text);
    if (found) {
      return found;
    }
  }
  return undefined;
}

function readPackage(text: string): { readonly name: string; readonly requires?: string } | undefined {
  try {
    const read: unknown = JSON.parse(text);
    const { name, version, engines } = isRecord(read) ? read : {};
    const requires = isRecord(engines) ? engines['node'] : undefined;
    return typeof name === 'string' && typeof version === 'string'
      ? { name: `${name} ${version}`, ...(typeof requires === 'string' && { requires }) }
      : undefined;
  } catch {
    return undefined;
  }
}
