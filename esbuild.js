// Bundles the extension to CommonJS. The MCP SDK gets files of its own, `dist/sdk.cjs`, which is loaded by
// the first connection and not by `activate`, and `dist/serverSdk.cjs`, which the gateway loads: they are by
// far the largest part. What they share is in `dist/sdk/`, also with `dist/schemaWorker.cjs`, which checks values against
// schemas in a thread. `dist/publicSuffixes.cjs` is loaded when two sites are compared. `dist/guard.cjs`,
// `dist/sampleServer.cjs` and `dist/recordedServer.cjs` are programs of their own. `dist/webview/` has the pages of the
// panels, in one script.
import * as esbuild from 'esbuild';
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pageBundles } from './esbuildPages.js';

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

/** One object of the editor's API for all files: esbuild would copy it for each file that imports it as a namespace. */
const oneEditorApi = {
  name: 'one-editor-api',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => {
      const contents = await readFile(path, 'utf8');
      return {
        contents: contents.replace("import * as vscode from 'vscode';", "import vscode = require('vscode');"),
        loader: 'ts',
      };
    });
  },
};

/** The client and the server of the SDK each contain the same ajv: one of them is enough. */
const oneAjv = {
  name: 'one-ajv',
  setup(build) {
    const [ofClient] = globSync('node_modules/@modelcontextprotocol/client/dist/ajvProvider-*.mjs');
    build.onResolve({ filter: /\/ajvProvider-[^/]+\.mjs$/ }, async ({ path, resolveDir }) => {
      const file = join(resolveDir, path);
      return (await ownCode(file)) === (await ownCode(ofClient))
        ? { path: join(process.cwd(), ofClient) }
        : {};
    });
  },
};

/** Of jose, only what a file of the SDK calls: esbuild keeps all of what is imported with `import()`. */
const usedOfJose = {
  name: 'used-of-jose',
  setup(build) {
    build.onResolve({ filter: /^jose$/ }, ({ kind, importer }) =>
      kind === 'dynamic-import' ? { path: importer, namespace: 'jose' } : {},
    );
    build.onLoad({ filter: /.*/, namespace: 'jose' }, async ({ path }) => {
      const used = new Set((await readFile(path, 'utf8')).match(/(?<=\bjose\.)\w+/g));
      return { contents: `export { ${[...used].join(', ')} } from 'jose';`, resolveDir: dirname(path) };
    });
  },
};

/** A file without the names of other files, which contain hashes. */
async function ownCode(file) {
  return (await readFile(file, 'utf8')).replaceAll(/from "[^"]+"|sourceMappingURL=.*/g, '');
}

/** Writes each ES module as CommonJS, for which esbuild itself can't put shared code into files of its own. */
const writtenAsCommonJs = {
  name: 'written-as-commonjs',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      await Promise.all(
        outputFiles.map(async ({ path, text }) => {
          const { code } = await esbuild.transform(text, {
            format: 'cjs',
            platform: 'node',
            target: common.target,
            supported: { 'dynamic-import': false },
            minify: production,
            sourcemap: production ? false : 'inline',
          });
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, code);
        }),
      );
    });
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
  {
    ...common,
    entryPoints: { extension: 'src/extension.ts' },
    plugins: [sdkApart, suffixesApart, oneEditorApi],
  },
  { ...common, entryPoints: { publicSuffixes: 'src/host/launch/publicSuffixes.ts' } },
  { ...common, entryPoints: { guard: 'src/host/processes/guard.ts' } },
  // Whoever is asked about it can read it.
  { ...common, entryPoints: { sampleServer: 'src/sample/main.ts' }, minify: false },
  { ...common, entryPoints: { recordedServer: 'src/recorded/main.ts' } },
  {
    ...common,
    entryPoints: {
      sdk: 'src/host/sdk/sdk.ts',
      serverSdk: 'src/host/sdk/serverSdk.ts',
      schemaWorker: 'src/host/schemas/schemaWorker.ts',
    },
    format: 'esm',
    splitting: true,
    chunkNames: 'sdk/[name]-[hash]',
    sourcemap: production ? false : 'inline',
    write: false,
    plugins: [oneAjv, usedOfJose, writtenAsCommonJs],
  },
  ...pageBundles.map((bundle) => ({ ...common, outExtension: {}, ...bundle })),
];

await rm('dist', { recursive: true, force: true });
if (watch) {
  const contexts = await Promise.all(bundles.map((bundle) => esbuild.context(bundle)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(bundles.map((bundle) => esbuild.build(bundle)));
}
