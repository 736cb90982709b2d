import assert from 'node:assert/strict';
import { callerOf, type InstalledExtension } from '../../../../src/editor/api/callerOf.ts';

const own = 'mcphost.mcp-host';

interface Case {
  readonly name: string;
  readonly platform?: NodeJS.Platform;
  readonly folders: Readonly<Record<string, string>>;
  readonly frames: readonly string[];
  readonly caller: string | undefined;
}

const posix = {
  [own]: '/projects/.vscode/extensions/mcphost.mcp-host-1.0.0',
  'a.writer': '/projects/.vscode/extensions/a.writer-2.0.0',
  'a.writer-tools': '/projects/.vscode/extensions/a.writer-2.0.0-tools',
  'vscode.git': '/usr/share/code/resources/app/extensions/git',
};
const ours = 'callTool (/projects/.vscode/extensions/mcphost.mcp-host-1.0.0/dist/extension.js:10:2345)';
const editors = 'node:internal/modules/cjs/loader:1:2';
const hostProcess =
  'Ip.$executeContributedCommand (file:///usr/share/code/resources/app/out/vs/workbench/api/node/extensionHostProcess.js:2:3)';

const windows = {
  [own]: 'c:\\Users\\Me\\.vscode\\extensions\\mcphost.mcp-host-1.0.0',
  'a.writer': 'c:\\Users\\Me\\.vscode\\extensions\\a.writer-2.0.0',
  'vscode.git': 'c:\\Program Files (x86)\\Code\\resources\\app\\extensions\\git',
};
const oursThere =
  'callTool (C:\\Users\\Me\\.vscode\\extensions\\mcphost.mcp-host-1.0.0\\dist\\extension.js:1:2)';

const cases: readonly Case[] = [
  {
    name: 'a function of another extension',
    folders: posix,
    frames: [ours, 'async run (/projects/.vscode/extensions/a.writer-2.0.0/out/main.js:3:4)', hostProcess],
    caller: 'a.writer',
  },
  {
    name: 'a frame without a function',
    folders: posix,
    frames: [ours, '/projects/.vscode/extensions/a.writer-2.0.0/out/main.js:3:4'],
    caller: 'a.writer',
  },
  {
    name: 'the whole bundle in one line',
    folders: posix,
    frames: [
      ours,
      'Object.e [as run] (/projects/.vscode/extensions/a.writer-2.0.0/dist/extension.js:1:1234567)',
    ],
    caller: 'a.writer',
  },
  {
    name: 'an extension that came with the editor',
    folders: posix,
    frames: [ours, 'new Model (/usr/share/code/resources/app/extensions/git/dist/main.js:1:9)', hostProcess],
    caller: 'vscode.git',
  },
  {
    name: 'the nearest of several',
    folders: posix,
    frames: [
      ours,
      'run (/projects/.vscode/extensions/a.writer-2.0.0/main.js:1:1)',
      'commit (/usr/share/code/resources/app/extensions/git/dist/main.js:1:9)',
    ],
    caller: 'a.writer',
  },
  {
    name: 'a folder whose name begins like another one',
    folders: posix,
    frames: [ours, 'run (/projects/.vscode/extensions/a.writer-2.0.0-tools/main.js:1:1)'],
    caller: 'a.writer-tools',
  },
  {
    name: 'an extension inside the folder of another one',
    folders: { outer: '/projects/outer', inner: '/projects/outer/extensions/inner/' },
    frames: ['run (/projects/outer/extensions/inner/main.js:1:1)'],
    caller: 'inner',
  },
  {
    name: 'a module by its URL',
    folders: { spaced: '/projects/my extensions/spaced' },
    frames: ['file:///projects/my%20extensions/spaced/main.mjs:1:1'],
    caller: 'spaced',
  },
  {
    name: 'evaluated code',
    folders: posix,
    frames: [
      ours,
      'eval (eval at run (/projects/.vscode/extensions/a.writer-2.0.0/main.js:7:3), <anonymous>:1:1)',
    ],
    caller: 'a.writer',
  },
  {
    name: 'another case of letters, where that is another file',
    folders: posix,
    frames: ['run (/projects/.vscode/extensions/A.Writer-2.0.0/main.js:1:1)'],
    caller: undefined,
  },
  {
    name: 'another case of letters, where that is the same file',
    platform: 'darwin',
    folders: posix,
    frames: ['run (/Projects/.vscode/extensions/A.Writer-2.0.0/main.js:1:1)'],
    caller: 'a.writer',
  },
  {
    name: 'a path of Windows',
    platform: 'win32',
    folders: windows,
    frames: [oursThere, 'run (C:\\Users\\Me\\.vscode\\extensions\\a.writer-2.0.0\\out\\main.js:3:4)'],
    caller: 'a.writer',
  },
  {
    name: 'a path of Windows with brackets',
    platform: 'win32',
    folders: windows,
    frames: [
      oursThere,
      'run (c:\\Program Files (x86)\\Code\\resources\\app\\extensions\\git\\dist\\main.js:1:2)',
    ],
    caller: 'vscode.git',
  },
  {
    name: 'a URL of Windows',
    platform: 'win32',
    folders: windows,
    frames: [oursThere, 'file:///c:/Users/Me/.vscode/extensions/a.writer-2.0.0/out/main.mjs:3:4'],
    caller: 'a.writer',
  },
  {
    name: 'a share of Windows',
    platform: 'win32',
    folders: { shared: '\\\\server\\share\\extension' },
    frames: ['run (\\\\server\\share\\extension\\main.js:1:1)'],
    caller: 'shared',
  },
  { name: 'nobody but ourselves', folders: posix, frames: [ours, editors, hostProcess], caller: undefined },
  {
    name: 'no files at all',
    folders: posix,
    frames: [
      '<anonymous>',
      'Array.map (<anonymous>)',
      'process.processTicksAndRejections (node:internal/a:1:1)',
    ],
    caller: undefined,
  },
  {
    name: 'an address that is no path',
    folders: posix,
    frames: ['run (file://%2f%/projects:1:1)', 'run (https://example.com/projects/main.js:1:1)'],
    caller: undefined,
  },
];

suite('The calling extension', () => {
  for (const { name, platform = 'linux', folders, frames, caller } of cases) {
    test(`is identified from ${name}`, () => {
      const extensions = Object.entries(folders).map(([id, folder]): InstalledExtension => ({
        id,
        label: id,
        folders: [folder],
      }));
      const stack = ['Error', ...frames.map((frame) => `    at ${frame}`)].join('\n');
      assert.equal(callerOf(stack, extensions, own, platform)?.id, caller);
      assert.equal(callerOf(stack, extensions.toReversed(), own, platform)?.id, caller);
    });
  }

  test('is found in the stack of this process', () => {
    const here: InstalledExtension = { id: 'here', label: 'Here', folders: [import.meta.dirname] };
    assert.equal(callerOf(new Error('any').stack ?? '', [here], own)?.id, 'here');
    assert.equal(callerOf(new Error('any').stack ?? '', [here], 'here'), undefined);
  });

  test('is undefined for an empty stack', () => {
    assert.equal(callerOf('', [{ id: 'a', label: 'A', folders: ['/'] }], own), undefined);
  });
});
