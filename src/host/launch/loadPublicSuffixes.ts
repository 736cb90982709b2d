import { createRequire } from 'node:module';

/**
 * Loads the list when two sites are compared, so that `activate` doesn't. Not by `import()`, because the question about a
 * launch is made at once. The bundle has its own version of this file, which requires `publicSuffixes.cjs`.
 */
export function loadPublicSuffixes(): typeof import('./publicSuffixes.ts') {
  return createRequire(import.meta.filename)('./publicSuffixes.ts') as typeof import('./publicSuffixes.ts');
}
