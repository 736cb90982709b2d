import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, vsix } from './paths.mjs';

/** Copies what was built since the extension was packaged over the installed one, for a window that loads. */
export function takeLatestBuild(installed: string, built = join(root, 'dist'), packaged = vsix): void {
  try {
    if (statSync(join(built, 'extension.cjs')).mtimeMs > statSync(packaged).mtimeMs) {
      cpSync(built, join(installed, 'dist'), { recursive: true });
    }
  } catch {
    // A build runs right now: the next page has it.
  }
}
