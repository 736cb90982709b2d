// Goes on under Node 24, which runs TypeScript, whatever Node npm was started with.
import { spawn } from 'node:child_process';
import { node24, root } from './paths.mjs';

/**
 * Runs a script of this project, passes signals on, and gives its exit code.
 * @param {string} script
 * @param {readonly string[]} parameters
 * @returns {Promise<number>}
 */
export function handOver(script, parameters) {
  const child = spawn(node24, [script, ...parameters], { cwd: root, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
}
