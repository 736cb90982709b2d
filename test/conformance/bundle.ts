import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { conformance, root } from '../editor/paths.mjs';

/** The bundled client. */
export const client = join(root, 'out/conformance/client.mjs');

/** The list of public suffixes is in the same file; the extension's own bundle has it apart. */
const suffixesWithin: Plugin = {
  name: 'suffixes-within',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]loadPublicSuffixes\.ts$/ }, () => ({
      contents: "import * as list from './publicSuffixes.ts'; export const loadPublicSuffixes = () => list;",
      resolveDir: join(root, 'src/host/launch'),
    }));
  },
};

/** Bundles the client from the extension's own sources, with the SDK. */
export async function bundleClient(): Promise<void> {
  await build({
    entryPoints: [join(conformance, 'client/client.ts')],
    outfile: client,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // jsonc-parser's `main` is UMD, whose `require` no bundler can follow.
    mainFields: ['module', 'main'],
    // What is CommonJS in it asks for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [suffixesWithin],
    logLevel: 'warning',
  });
}
