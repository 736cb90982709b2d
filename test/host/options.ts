import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root } from '../editor/paths.mjs';

/** The text after `-g`. */
export function grepOption(): string | undefined {
  return parseArgs({ options: { grep: { type: 'string', short: 'g' } } }).values.grep;
}

/** Builds the extension into `dist/`. */
export function buildExtension(): void {
  const { status, stderr } = spawnSync(process.execPath, ['esbuild.js'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`The extension could not be built.\n${stderr}`);
  }
}
