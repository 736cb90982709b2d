import { basename } from 'node:path';
import { build } from 'esbuild';
import { pageBundles } from '../../../esbuildPages.js';
import { root } from '../../editor/paths.mjs';

let files: Promise<ReadonlyMap<string, string>> | undefined;

/** What the pages load, by name, bundled from the sources as they are now. */
export function pageFiles(): Promise<ReadonlyMap<string, string>> {
  files ??= bundle();
  return files;
}

async function bundle(): Promise<ReadonlyMap<string, string>> {
  const results = await Promise.all(
    pageBundles.map((options) =>
      build({ ...options, absWorkingDir: root, outdir: 'dist', write: false, logLevel: 'silent' }),
    ),
  );
  return new Map(
    results.flatMap(({ outputFiles }) => outputFiles.map(({ path, text }) => [basename(path), text])),
  );
}
