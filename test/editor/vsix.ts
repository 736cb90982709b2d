import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

const sources = [
  '{src,media}/**/*',
  'package*.json',
  'package-lock.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'esbuild.js',
  '.vscodeignore',
];

/** The packaged extension. */
export const vsix = join(root, 'mcp-host.vsix');

/** Packages the extension, unless the package is newer than every source. */
export function packageWhenStale(): void {
  if (isFresh()) {
    return;
  }
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'package'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    throw new Error(`The extension could not be packaged.\n${stdout}${stderr}`);
  }
}

function isFresh(): boolean {
  if (!existsSync(vsix)) {
    return false;
  }
  const packaged = statSync(vsix).mtimeMs;
  return globSync(sources, { cwd: root }).every((file) => statSync(join(root, file)).mtimeMs < packaged);
}
