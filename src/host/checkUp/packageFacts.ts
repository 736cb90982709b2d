import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import { isRecord } from '../../base/values/record.ts';
import { findProgram } from '../processes/findProgram.ts';
import type { LaunchedCommand } from './commandFindings.ts';

/** Milliseconds that `npm` may take to ask its registry. */
const NPM_MS = 10_000;
/** Bytes of its answer: a range of versions has one each. */
const MAX_ANSWER = 2 ** 20;

/** What a package says about itself. */
export interface PackageFacts {
  /** With its version. */
  readonly name: string;
  /** The range of versions of Node.js, if it names one. */
  readonly requires?: string;
}

/** What `npm` says about a package that is not on this disk: its facts, or the code of its failure, such as `E404`. */
export type RegistryAnswer = PackageFacts | { readonly failure: string };

/** The package of a script: that of the nearest folder above it. */
export async function packageOfScript(script: string): Promise<PackageFacts | undefined> {
  const folders = [path.dirname(await realpath(script).catch(() => script))];
  for (let up = path.dirname(folders[0] ?? ''); up !== folders.at(-1); up = path.dirname(up)) {
    folders.push(up);
  }
  return firstPackage(folders);
}

/** A package where `npx` looks for it: below its working directory, and in its cache (npm, libnpmexec). */
export async function packageOnDisk(
  spec: string,
  cwd: string,
  cache: string,
): Promise<PackageFacts | undefined> {
  const name = nameIn(spec);
  const run = createHash('sha512').update(spec).digest('hex').slice(0, 16);
  return name === undefined
    ? undefined
    : firstPackage(
        [cwd, path.join(cache, '_npx', run)].map((folder) => path.join(folder, 'node_modules', name)),
      );
}

/**
 * Asks the registry by the `npm` of the launch, with your own `.npmrc`. Undefined for what is no name of a package, and
 * where it has no `npm`.
 *
 * @throws what `execFile` throws when the signal aborts.
 */
export async function askRegistry(
  spec: string,
  launched: LaunchedCommand,
  signal: AbortSignal,
): Promise<RegistryAnswer | undefined> {
  const npm = nameIn(spec) === undefined ? undefined : await findProgram('npm', launched);
  // On Windows it is a script, which needs a shell.
  if (npm?.isExecutable !== true || process.platform === 'win32') {
    return undefined;
  }
  const { cwd, env } = launched;
  const args = ['view', '--json', '--fetch-retries=0', '--', spec, 'name', 'version', 'engines'];
  try {
    const options = { cwd, env, signal, timeout: NPM_MS, maxBuffer: MAX_ANSWER };
    const { stdout } = await promisify(execFile)(npm.file, args, options);
    return newestIn(jsonIn(stdout)) ?? { failure: 'no answer' };
  } catch (error) {
    signal.throwIfAborted();
    const { stdout = '', killed = false } = error as { readonly stdout?: string; readonly killed?: boolean };
    const read = jsonIn(stdout);
    const said = isRecord(read) && isRecord(read['error']) ? read['error']['code'] : undefined;
    return { failure: killed ? 'no answer' : typeof said === 'string' ? said : 'an error' };
  }
}

/** The name in what `npx` gets; undefined for an address, a folder and the like. */
function nameIn(spec: string): string | undefined {
  return /^((?:@[\w.-]+\/)?\w[\w.-]*)(?:@[^:/]*)?$/.exec(spec)?.[1];
}

async function firstPackage(folders: readonly string[]): Promise<PackageFacts | undefined> {
  for (const folder of folders) {
    const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '');
    const found = factsIn(jsonIn(text));
    if (found) {
      return found;
    }
  }
  return undefined;
}

/** `npm` gives all versions in a range, ordered as texts. */
function newestIn(read: unknown): PackageFacts | undefined {
  const all = (Array.isArray(read) ? read : [read]).filter(isRecord);
  const versions = all.map(({ version }) => version).filter((one) => typeof one === 'string');
  const newest = maxSatisfying(versions, '*', { includePrerelease: true });
  return factsIn(all.find(({ version }) => version === newest));
}

function factsIn(read: unknown): PackageFacts | undefined {
  const { name, version, engines } = isRecord(read) ? read : {};
  const requires = isRecord(engines) ? engines['node'] : undefined;
  return typeof name === 'string' && typeof version === 'string'
    ? { name: `${name} ${version}`, ...(typeof requires === 'string' && { requires }) }
    : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
