import assert from 'node:assert/strict';
import {
  editorServers,
  editorTwin,
  serversInText,
  type EditorConfiguration,
} from '../../../../../src/host/config/import/editorServers.ts';
import type { DefinitionOrigin, ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { httpServer, ofUser, stdioServer } from '../../../support/definitions.ts';
import { pathOnDisk, uriOnDisk } from '../../../support/onDisk.ts';

const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const web = { uri: uriOnDisk('/projects/web'), name: 'web' };
const places = { folders: [api, web], home: '/home/me' };
const mcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///m', folder: api };

function run(command: string, args: readonly string[], origin = ofUser): ServerDefinition {
  return stdioServer(args, { command, origin });
}

function inApi(servers: unknown): EditorConfiguration {
  return { place: 'api/.vscode/mcp.json', scope: 'folder', folder: api, servers };
}

suite("The editor's own servers", () => {
  const same: readonly (readonly [string, ServerDefinition, unknown])[] = [
    ['a command and its arguments', run('uvx', ['git']), { command: 'uvx', args: ['git'] }],
    ['a command without arguments', run('git-mcp', []), { type: 'stdio', command: 'git-mcp' }],
    ['another environment', run('uvx', ['git']), { command: 'uvx', args: ['git'], env: { A: 'b' } }],
    [
      'a folder by its path',
      run('serve', [`${pathOnDisk('/projects/api')}/notes`]),
      { command: 'serve', args: ['${workspaceFolder}/notes'] },
    ],
    [
      'a folder by its name',
      run('serve', ['${workspaceFolder:web}']),
      { command: 'serve', args: [pathOnDisk('/projects/web')] },
    ],
    ['the home directory', run('serve', ['${userHome}/x']), { command: 'serve', args: ['/home/me/x'] }],
    [
      'an environment variable in either way of writing',
      run('serve', ['${TOKEN:-none}'], mcpJson),
      { command: 'serve', args: ['${env:TOKEN}'] },
    ],
    [
      'a .mcp.json that the editor reads, too',
      run('serve', ['${ROOT:-/tmp}', '${OTHER}'], mcpJson),
      { command: 'serve', args: ['${ROOT:-/tmp}', '${OTHER}'] },
    ],
    ['an input', run('serve', ['${input:key}']), { command: 'serve', args: ['${input:key}'] }],
    ['an address', httpServer('https://mcp.example/mcp'), { url: 'https://mcp.example/mcp' }],
    [
      'an address written otherwise',
      httpServer('https://mcp.example'),
      { type: 'http', url: 'https://MCP.example:443/' },
    ],
  ];
  for (const [what, definition, server] of same) {
    test(`are recognized by ${what}`, () => {
      const servers = editorServers([inApi({ theirs: server })], places);
      const twin = editorTwin(definition, servers, places);
      assert.deepEqual(twin && [twin.name, twin.place], ['theirs', 'api/.vscode/mcp.json']);
    });
  }

  const different: readonly (readonly [string, ServerDefinition, unknown])[] = [
    ['another argument', run('uvx', ['git']), { command: 'uvx', args: ['time'] }],
    ['arguments in another order', run('serve', ['a', 'b']), { command: 'serve', args: ['b', 'a'] }],
    ['arguments cut elsewhere', run('serve', ['a b']), { command: 'serve', args: ['a', 'b'] }],
    ['another path', httpServer('https://mcp.example/a'), { url: 'https://mcp.example/b' }],
    ['another variable', run('serve', ['${env:A}']), { command: 'serve', args: ['${env:B}'] }],
    [
      'the same variable of another folder',
      run('serve', ['${workspaceFolder:web}']),
      { command: 'serve', args: ['${workspaceFolder}'] },
    ],
    ['what is no launch', run('serve', []), { gallery: true }],
    ['what is no object', run('serve', []), 'serve'],
    ['arguments that are no list', run('serve', ['a']), { command: 'serve', args: 'a' }],
  ];
  for (const [what, definition, server] of different) {
    test(`are different with ${what}`, () => {
      const servers = editorServers([inApi({ theirs: server })], places);
      assert.equal(editorTwin(definition, servers, places), undefined);
    });
  }

  const git = { git: { command: 'uvx' } };
  const texts: readonly (readonly [string, string, { readonly own?: unknown; readonly shared?: unknown }])[] =
    [
      [
        'servers',
        '{ // mine\n "servers": { "git": { "command": "uvx", }, }, }',
        { own: git, shared: { servers: git } },
      ],
      [
        'mcpServers',
        '{ "mcpServers": { "git": { "command": "uvx" } }, "servers": {} }',
        { own: {}, shared: git },
      ],
      ['a bare map', '{ "git": { "command": "uvx" } }', { shared: git }],
      ['an error in the JSON', '{ "mcpServers": { "git": { "command": "uvx" } ', {}],
    ];
  for (const [what, text, { own, shared }] of texts) {
    test(`are read from a text with ${what} as the editor reads its own file, and one that it shares`, () => {
      assert.deepEqual(serversInText(text, false), own);
      assert.deepEqual(serversInText(text, true), shared);
    });
  }

  test('are none if the text has no servers', () => {
    for (const text of ['', '[]', 'null', '{', '['.repeat(200_000)]) {
      assert.equal(serversInText(text, false), undefined);
      assert.equal(serversInText(text, true), undefined);
    }
    assert.deepEqual(editorServers([inApi(undefined), inApi([1]), inApi('x')], places), []);
  });
});
