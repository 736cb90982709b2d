// Goes on under Node 24, which runs TypeScript, whatever Node npm was started with.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { node24, root } from './paths.mjs';

/**
 * Runs `node`, or the program of a package of that name, passes signals on, and gives its exit code.
 * @param {string} program
 * @param {readonly string[]} parameters
 * @returns {Promise<number>}
 */
export function handOver(program, parameters) {
  const script = program === 'node' ? [] : [scriptOf(program)];
  const path = [dirname(node24), join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
  const child = spawn(node24, [...script, ...parameters], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
}

/** @param {string} name */
function scriptOf(name) {
  const folder = join(root, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, bin[name]);
}
