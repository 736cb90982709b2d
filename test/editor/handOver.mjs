// Goes on under Node 24, which runs TypeScript, whatever Node npm was started with.
import { spawn } from 'node:child_process';
import { node24, root } from './paths.mjs';

/**
 * Runs a script of this project with the parameters of this process, passes signals on, and gives its exit code.
 * @param {string} script
 * @returns {Promise<number>}
 */
export function handOver(script) {
  const child = spawn(node24, [script, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
}
