// Bundles the extension to CommonJS. The MCP SDK gets files of its own, `dist/sdk.cjs`, which is loaded by
// the first connection and not by `activate`, and `dist/serverSdk.cjs`, which the gateway loads: they are by
// far the largest part. `dist/publicSuffixes.cjs` is loaded when two sites are compared. `dist/guard.cjs` and
// `dist/sampleServer.cjs` are programs of their own. `dist/webview/` has the pages of the panels.
import * as esbuild from 'esbuild';
import { rm } from 'node:fs/promises';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Leaves `import('…/sdk.ts')` as a `require('./sdk.cjs')` at run time, and `serverSdk.ts` likewise. */
const sdkApart = {
  name: 'sdk-apart',
  setup(build) {
    build.onResolve({ filter: /\/sdk\.ts$/ }, () => ({ path: './sdk.cjs', external: true }));
    build.onResolve({ filter: /\/serverSdk\.ts$/ }, () => ({ path: './serverSdk.cjs', external: true }));
  },
};

/** The list of public suffixes is required where it is used: `loadPublicSuffixes.ts` does that only outside a bundle. */
const suffixesApart = {
  name: 'suffixes-apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/publicSuffixes\.cjs$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /[\\/]loadPublicSuffixes\.ts$/ }, () => ({
      contents: "export const loadPublicSuffixes = () => require('./publicSuffixes.cjs');",
      loader: 'js',
    }));
  },
};

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  outExtension: { '.js': '.cjs' },
  outdir: 'dist',
  external: ['vscode'],
  // jsonc-parser's `main` is UMD, whose `require` no bundler can follow.
  mainFields: ['module', 'main'],
  minify: production,
  sourcemap: !production,
  logLevel: 'info',
};

/** @type {esbuild.BuildOptions[]} */
const bundles = [
  { ...common, entryPoints: { extension: 'src/extension.ts' }, plugins: [sdkApart, suffixesApart] },
  { ...common, entryPoints: { publicSuffixes: 'src/host/launch/publicSuffixes.ts' } },
  { ...common, entryPoints: { guard: 'src/host/processes/guard.ts' } },
  // Whoever is asked about it can read it.
  { ...common, entryPoints: { sampleServer: 'src/sample/main.ts' }, minify: false },
  { ...common, entryPoints: { sdk: 'src/host/sdk/sdk.ts', serverSdk: 'src/host/sdk/serverSdk.ts' } },
  {
    ...common,
    entryPoints: { 'webview/review': 'src/webview/review.ts', 'webview/server': 'src/webview/server.ts' },
    format: 'iife',
    platform: 'browser',
    target: 'es2024',
    outExtension: {},
  },
  {
    ...common,
    entryPoints: { 'webview/review': 'src/webview/review.css', 'webview/server': 'src/webview/server.css' },
  },
];

await rm('dist', { recursive: true, force: true });
if (watch) {
  const contexts = await Promise.all(bundles.map((bundle) => esbuild.context(bundle)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(bundles.map((bundle) => esbuild.build(bundle)));
}
