import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { TemporaryFolder } from './temporaryFolder.ts';

const copied = ['package.json', 'package.nls.json', 'README.md', 'CHANGELOG.md'];
const linked = ['dist', 'media'];

/**
 * The extension as it stands in this project, for a server that takes unpacked extensions. What is built is
 * linked, so that a window that is loaded again has the newest; the manifest is copied, because the editor
 * writes into it.
 */
export function developmentCopy(): TemporaryFolder {
  const folder = new TemporaryFolder('extension');
  for (const name of copied) {
    copyFileSync(join(root, name), folder.join(name));
  }
  for (const name of linked) {
    symlinkSync(join(root, name), folder.join(name), 'junction');
  }
  return folder;
}
