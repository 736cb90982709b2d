import { join } from 'node:path';
import { build } from 'esbuild';
import { conformance, root } from '../editor/paths.mjs';

/** The bundled client. */
export const client = join(root, 'out/conformance/client.mjs');

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
    logLevel: 'warning',
  });
}
