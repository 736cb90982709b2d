import assert from 'node:assert/strict';
import { mayDependOnWorkspace } from '../../../../src/host/approval/workspaceDependence.ts';
import type { DefinitionOrigin, ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';

const folder = { uri: 'file:///projects/api', name: 'api' };
const ofFolder: DefinitionOrigin = { scope: 'folder', format: 'settings', place: 'file:///x', folder };
const ofMcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///x', folder };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };

suite('Whether a launch may be another one in another workspace', () => {
  const same: [string, ServerDefinition][] = [
    ['without variables', stdioServer(['-y', 'server'], { command: 'npx' })],
    ['in the home directory', stdioServer(['${userHome}${pathSeparator}x'])],
    ['with an input', stdioServer(['--key', '${input:key}'])],
    ['with a value of the environment', stdioServer([], { env: { TOKEN: '${env:TOKEN}' } })],
    ['of a folder', stdioServer([], { origin: ofFolder })],
    ['at an address', httpServer('https://example.org/mcp', { headers: { A: '${env:TOKEN}' } })],
  ];
  for (const [what, definition] of same) {
    test(`it may not: a launch ${what}`, () => assert.equal(mayDependOnWorkspace(definition), false));
  }

  const other: [string, ServerDefinition][] = [
    ['that names the folder in its command', stdioServer([], { command: '${workspaceFolder}/server' })],
    ['that names the folder in an argument', stdioServer(['--root=${workspaceFolder}'])],
    ['that names another folder', stdioServer(['${workspaceFolder:web}'])],
    ['that names the folder in a variable', stdioServer([], { env: { ROOT: '${workspaceFolder}' } })],
    ['that starts in the folder', stdioServer([], { cwd: '${workspaceFolder}' })],
    ['whose envFile is in the folder', stdioServer([], { envFile: '${workspaceFolder}/.env' })],
    ['that names the folder in its address', httpServer('https://example.org/${workspaceFolder}')],
    [
      'that names it in a header',
      httpServer('https://example.org', { headers: { A: '${workspaceFolder}' } }),
    ],
    ['with the environment in its command', stdioServer([], { command: '${env:TOOLS}/server' })],
    ['with the environment in an argument', stdioServer(['${env:SCRIPT}'])],
    ['with the environment in its address', httpServer('https://${env:HOST}/mcp')],
    ['with the environment in what loads code', stdioServer([], { env: { NODE_OPTIONS: '${env:X}' } })],
    ['with the environment of .mcp.json', stdioServer(['${SCRIPT:-x}'], { origin: ofMcpJson })],
    ['with a variable that nobody knows', stdioServer(['${fileWorkspaceFolder}'])],
    ["of the workspace's own file", stdioServer([], { origin: ofWorkspace })],
  ];
  for (const [what, definition] of other) {
    test(`it may: a launch ${what}`, () => assert.equal(mayDependOnWorkspace(definition), true));
  }
});
