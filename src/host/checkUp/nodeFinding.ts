import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { baseName, fetchedProgram } from '../launch/warnings/packageRunners.ts';
import { findProgram } from '../processes/findProgram.ts';
import type { Finding } from './checkStep.ts';
import type { LaunchedCommand } from './commandFindings.ts';
import { askRegistry, packageOfScript, packageOnDisk, type PackageFacts } from './packageFacts.ts';

/** Milliseconds for `node --version`. */
const VERSION_MS = 5_000;

/**
 * The version of Node.js on the PATH of a launch, and what its package requires, by the disk or else by its registry.
 * Undefined for what doesn't run on Node.js, and without one.
 *
 * @throws what `execFile` throws when the signal aborts.
 */
export async function nodeFinding(
  launched: LaunchedCommand,
  args: readonly string[],
  home: string,
  signal: AbortSignal,
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
  const found = fetched
    ? await packageOnDisk(fetched.spec, cwd, cache)
    : await packageOfScript(path.resolve(cwd, script));
  if (found || !fetched || fetched.isLocal) {
    return rangeFinding(has, version, found);
  }
  const missing = `${has} ${fetched.spec} is not on this disk, so it is downloaded first.`;
  const answer = await askRegistry(fetched.spec, launched, signal);
  if (!answer) {
    return { outcome: 'noted', text: missing };
  }
  if ('name' in answer) {
    const { outcome, ...rest } = rangeFinding(missing, version, answer);
    return { ...rest, outcome: outcome === 'ok' ? 'noted' : outcome };
  }
  const isMissing = answer.failure === 'E404' || answer.failure === 'ETARGET';
  return isMissing
    ? {
        outcome: 'failed',
        text: `${has} The registry of npm has no ${fetched.spec} (${answer.failure}).`,
        advice: 'Check the name and the version of the package in its definition.',
        action: { kind: 'edit' },
      }
    : { outcome: 'noted', text: `${missing} npm could not look it up: ${answer.failure}.` };
}

function rangeFinding(has: string, version: string, found: PackageFacts | undefined): Finding {
  if (found?.requires === undefined) {
    return { outcome: 'ok', text: has };
  }
  const { name, requires } = found;
  const text = `${has} ${name} requires Node.js ${requires}.`;
  if (validRange(requires) === null) {
    return { outcome: 'noted', text };
  }
  return satisfies(version, requires, { includePrerelease: true })
    ? { outcome: 'ok', text }
    : {
        outcome: 'failed',
        text,
        advice: 'Put the folder of a Node.js that it can use first in the PATH of this server.',
        action: { kind: 'edit' },
      };
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
