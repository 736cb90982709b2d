import { cpSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, vsix } from './paths.mjs';

/** Copies what was built since the extension was packaged over the installed one, for a window that loads. */
export function takeLatestBuild(installed: string, built = join(root, 'dist'), packaged = vsix): void {
  const main = join(built, 'extension.cjs'); // missing while a build runs
  if (existsSync(main) && statSync(main).mtimeMs > statSync(packaged).mtimeMs) {
    cpSync(built, join(installed, 'dist'), { recursive: true });
  }
}
