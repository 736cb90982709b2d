import { spawnSync } from 'node:child_process';
import { root } from './paths.mjs';

/** Builds the extension into `dist/`. */
export function buildExtension(): void {
  const { status, stderr } = spawnSync(process.execPath, ['esbuild.js'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`The extension could not be built.\n${stderr}`);
  }
}
