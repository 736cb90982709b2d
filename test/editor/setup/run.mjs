// Runs the programs of the set-up: silently, and with what they printed when they fail.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { root } from '../paths.mjs';

const isWindows = process.platform === 'win32';
const linesOfFailure = 30;

/**
 * Runs a program of this machine to its end; a failure throws with the end of what it printed.
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean }} options
 */
export async function run(program, parameters, options) {
  const env = withoutProject(options.env ?? process.env);
  const child = spawn(program, parameters, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const end = () => void child.kill();
  process.once('exit', end);
  /** @type {string | undefined} */
  const failure = await new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `exit code ${code ?? signal}`));
  });
  process.off('exit', end);
  if (failure !== undefined) {
    const last = (await printed).join('').trim().split('\n').slice(-linesOfFailure).join('\n');
    throw new Error(`'${[program, ...parameters].join(' ')}' failed (${failure}).\n${last}`);
  }
}

/**
 * Runs npm in a folder; what is in its cache is taken from there.
 * @param {readonly string[]} parameters
 * @param {string} cwd
 */
export async function npm(parameters, cwd) {
  const quiet = ['--prefer-offline', '--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  await run('npm', [...parameters, ...quiet], { cwd, shell: isWindows });
}

/** @param {string} program */
export function isOnPath(program) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

/**
 * An environment without what `npm run` adds for this project: it would misplace another folder's installation, and the Node
 * on its PATH goes when the dependencies are installed again.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function withoutProject(env) {
  const added = /^npm_(package|lifecycle)_|^npm_config_(local_prefix|prefix)$/i;
  const own = join(root, 'node_modules');
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => !added.test(name))
      .map(([name, value = '']) => [
        name,
        name.toUpperCase() === 'PATH'
          ? value
              .split(delimiter)
              .filter((folder) => !folder.startsWith(own))
              .join(delimiter)
          : value,
      ]),
  );
}
