import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../editor/paths.mjs';

/** Where the bundles of the benchmarks are, beside the files of the extension that they load. */
export const benchFolder = join(root, 'out/bench');

const common = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'] as string[],
  minify: true,
  outdir: benchFolder,
  outExtension: { '.js': '.cjs' },
  logLevel: 'warning',
} as const;

/** Bundles the measures that run in plain Node as the extension is bundled, to load the same files as it does. */
export async function bundleWorker(): Promise<string> {
  rmSync(benchFolder, { recursive: true, force: true });
  cpSync(join(root, 'dist'), benchFolder, { recursive: true });
  await build({ ...common, entryPoints: [join(root, 'test/bench/node/bareSdk.ts')] });
  await build({
    ...common,
    entryPoints: [join(root, 'test/bench/node/worker.ts')],
    plugins: [apart],
  });
  return join(benchFolder, 'worker.cjs');
}

/** What a file of its own has is loaded when it is needed, as in the extension. */
const apart: Plugin = {
  name: 'apart',
  setup(bundler) {
    for (const name of ['sdk', 'serverSdk', 'bareSdk']) {
      const path = `./${name}.cjs`;
      bundler.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, () => ({ path, external: true }));
    }
    bundler.onResolve({ filter: /^\.\/publicSuffixes\.cjs$/ }, ({ path }) => ({ path, external: true }));
    bundler.onLoad({ filter: /[\\/]loadPublicSuffixes\.ts$/ }, () => ({
      contents: "export const loadPublicSuffixes = () => require('./publicSuffixes.cjs');",
      loader: 'js',
    }));
  },
};

/** Builds and packages the extension as it is published. */
export function packageExtension(): void {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'package'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`The extension could not be packaged.\n${stdout}${stderr}`);
  }
}

/** The extension that measures in the workbench. */
export const benchExtension = join(benchFolder, 'extension');

/** Puts it together with the bundle of its suite. */
export async function bundleSuite(): Promise<void> {
  cpSync(join(root, 'test/bench/workbench/extension'), benchExtension, { recursive: true });
  await build({
    ...common,
    minify: false,
    entryPoints: [join(root, 'test/bench/workbench/suite.ts')],
    outdir: benchExtension,
    external: ['vscode'],
    // The measures read no list of public suffixes.
    logOverride: { 'empty-import-meta': 'silent' },
  });
}
