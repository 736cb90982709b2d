// Where the parts of the test editor are. Plain JavaScript, because the set-up reads it before Node 24 is there.
import { join, resolve } from 'node:path';

const isWindows = process.platform === 'win32';

/** The project's folder. */
export const root = resolve(import.meta.dirname, '../..');

/** Servers as they were published for earlier revisions, installed apart from the extension's dependencies. */
export const publishedServers = join(root, 'test/installs');

/** Node and npm for Windows, installed apart from the extension's dependencies. */
export const windowsPackages = join(root, 'test/windows');

/** The tests with the protocol's conformance suite, which is installed there, apart from the extension's dependencies. */
export const conformance = join(root, 'test/conformance');

/** The program of the conformance suite; it needs Node 22 or newer. */
export const conformanceProgram = join(
  conformance,
  'node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

/** The Node 24 that the dev dependency `node` brings. */
export const node24 = join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node');

/** The code-server whose VS Code the tests run in. */
export const codeServerVersion = '4.139.1';

/** Goes up when the set-up installs that version in another way: working copies of both ways may share a folder. */
const codeServerInstallation = 2;

/** Where that code-server is installed; `CODE_SERVER_DIR` keeps it elsewhere, for several working copies. */
export const codeServerFolder = join(
  process.env['CODE_SERVER_DIR'] ?? join(root, '.code-server'),
  `${codeServerVersion}-${codeServerInstallation}`,
);

/** The file that starts code-server. */
export const codeServerEntry = join(codeServerFolder, 'node_modules/code-server/out/node/entry.js');

/** The extensions that VS Code brings. */
export const builtInExtensions = join(codeServerFolder, 'node_modules/code-server/lib/vscode/extensions');

/** The packaged extension. */
export const vsix = join(root, 'mcp-host.vsix');

/** Where screenshots go, and the pictures of failed journeys. */
export const screenshots = join(root, 'out/screenshots');
