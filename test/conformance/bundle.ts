import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { conformance, root } from '../editor/paths.mjs';

/** A change of the extension's code, in the bundle alone. */
export interface Mutation {
  /** Below `src/`. */
  readonly file: string;
  /** It is in the file once. */
  readonly from: string;
  readonly to: string;
}

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

/**
 * Bundles the client from the extension's own sources, with the SDK, and gives the bundle's path.
 *
 * @throws if what a mutation changes is not in its file.
 */
export async function bundleClient(name = 'client', mutation?: Mutation): Promise<string> {
  const outfile = join(root, `out/conformance/${name}.mjs`);
  await build({
    entryPoints: [join(conformance, 'client/client.ts')],
    outfile,
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
    plugins: [suffixesWithin, ...(mutation ? [mutating(mutation)] : [])],
    logLevel: 'warning',
  });
  return outfile;
}

function mutating({ file, from, to }: Mutation): Plugin {
  const path = join(root, 'src', file);
  return {
    name: 'mutating',
    setup(bundler) {
      bundler.onLoad({ filter: /\.ts$/ }, (loaded) => {
        if (loaded.path !== path) {
          return undefined;
        }
        const [before, after, ...more] = readFileSync(path, 'utf8').split(from);
        if (before === undefined || after === undefined || more.length > 0) {
          throw new Error(`'${from}' is not in ${file} once`);
        }
        return { contents: `${before}${to}${after}`, loader: 'ts' };
      });
    },
  };
}
