// Required by mocha, in its main process and in each worker: keeps compiled code, and TypeScript without its types, for
// the next program that loads the same file. A server for a test starts in a third of the time.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { root } from '../../editor/paths.mjs';

const folder = join(root, 'out/compiled');
enableCompileCache(folder);
process.env['NODE_COMPILE_CACHE'] = folder; // for programs that inherit the environment; servers get it with their definition
