// Packages the extension, as it is published.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, vsix } from '../paths.mjs';
import { npm } from './run.mjs';

const sources = ['src', 'media', 'docs', 'package.json', 'package.nls.json', 'package-lock.json'];
const moreSources = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'esbuild.js',
  'esbuildPages.js',
  'pack.js',
  'packedReadme.js',
  '.vscodeignore',
];

/** @type {import('./steps.mjs').Step} */
export const packagedExtension = {
  what: 'the package of the extension',
  weight: 5,
  isDone: isFresh,
  run: () => npm(['run', '--silent', 'package'], root),
};

/** Whether the package is newer than every source. */
function isFresh() {
  if (!existsSync(vsix)) {
    return false;
  }
  const packaged = statSync(vsix).mtimeMs;
  return [...sources, ...moreSources].every((source) => newest(join(root, source)) < packaged);
}

/**
 * When the file, or the newest file in the folder, was written.
 * @param {string} place
 */
function newest(place) {
  const inside = statSync(place).isDirectory() ? readdirSync(place, { recursive: true }).map(String) : [];
  return Math.max(...['', ...inside].map((name) => statSync(join(place, name)).mtimeMs));
}
