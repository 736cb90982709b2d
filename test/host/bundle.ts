import { globSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../editor/paths.mjs';

/** The bundled suite, without its ending, as the editor wants it. */
export const hostSuite = join(root, 'out/host/index.cjs');

/** An extension that the tests have ask for something. */
export const callerExtension = join(root, 'test/editor/fixtures/caller');

/** An extension that brings language models, which follow a script. */
export const modelsExtension = join(root, 'test/editor/fixtures/helper');

/** Bundles `index.ts` with all host tests; `import('virtual:host-tests')` loads them. */
export async function bundleHostTests(): Promise<void> {
  await build({
    entryPoints: { index: join(root, 'test/host/index.ts') },
    outdir: join(root, 'out/host'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
    // No host test reads the list of public suffixes, which the extension's own bundle finds in another way.
    logOverride: { 'empty-import-meta': 'silent' },
    plugins: [
      {
        name: 'host-tests',
        setup(bundler) {
          bundler.onResolve({ filter: /^virtual:host-tests$/ }, ({ path }) => ({
            path,
            namespace: 'host-tests',
          }));
          bundler.onLoad({ filter: /.*/, namespace: 'host-tests' }, () => ({
            contents: testFiles()
              .map((file) => `import ${JSON.stringify(`./${file}`)};`)
              .join('\n'),
            resolveDir: join(root, 'test/host'),
          }));
        },
      },
    ],
  });
}

function testFiles(): readonly string[] {
  return globSync('**/*.test.ts', { cwd: join(root, 'test/host') }).sort();
}
