import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { launchPaths, launchPathText } from '../../../../../src/host/launch/question/launchPaths.ts';
import { pathOf, visibleFolders } from '../../../../../src/host/folders/sharedRoot.ts';
import { httpServer, ofUser, stdioServer } from '../../../support/definitions.ts';
import { launchOf } from '../../../support/launches.ts';

const api = { uri: 'file:///projects/api', name: 'api' };
const web = { uri: 'file:///projects/web', name: 'web' };
const places = { folders: [api, web], home: '/home/me' };

const told = (definition: ServerDefinition, at = places): readonly string[] =>
  launchPaths(launchOf(definition, at), visibleFolders({}, at.folders).onDisk.map(pathOf)).map(
    launchPathText,
  );

suite('What a launch reveals of the workspace to its server', () => {
  const table: [string, ServerDefinition, string[]][] = [
    ['nothing', stdioServer(['--fast', '/opt/data']), []],
    ['a variable', stdioServer(['-y', '${workspaceFolder}']), ['/projects/api (in argument 2)']],
    ['a part', stdioServer(['--root=${workspaceFolder:web}/src']), ['/projects/web (in argument 1)']],
    ['a path', stdioServer(['/projects/web/index.html']), ['/projects/web (in argument 1)']],
    ['an address', stdioServer(['file:///projects/web']), ['/projects/web (in argument 1)']],
    ['a twin of a path', stdioServer(['/projects/web-secret', '/projects/webs', '/srv/projects/web']), []],
    [
      'one path in two places',
      stdioServer(['${workspaceFolder}'], { env: { ROOT: '${workspaceFolder}' } }),
      ['/projects/api (in argument 1, in the environment variable ROOT)'],
    ],
    [
      'a program',
      stdioServer([], { command: '${workspaceFolder}/server' }),
      ['/projects/api (in the command)'],
    ],
    [
      'a working directory',
      stdioServer([], { cwd: '${workspaceFolder}/src' }),
      ['/projects/api/src (as its working directory)'],
    ],
    ['a file that this host reads', stdioServer([], { envFile: '${workspaceFolder}/.env' }), []],
    [
      'beside what is not known yet',
      stdioServer(['${env:HERE}:${workspaceFolder}:${input:key}']),
      ['/projects/api (in argument 1)'],
    ],
    [
      'an address and a header',
      httpServer('https://example.org/?at=${workspaceFolder}', { headers: { 'X-Root': '/projects/web' } }),
      ['/projects/api (in the address)', '/projects/web (in the header X-Root)'],
    ],
  ];
  for (const [name, definition, expected] of table) {
    test(name, () => assert.deepEqual(told(definition), expected));
  }

  test('where it starts, when a folder defines it', () => {
    const definition = stdioServer([], { origin: { ...ofUser, scope: 'folder', folder: web } });
    assert.deepEqual(told(definition), ['/projects/web (as its working directory)']);
  });

  test('the inner one of two folders', () => {
    const inner = { uri: 'file:///projects/api/inner', name: 'inner' };
    const at = { ...places, folders: [api, inner] };
    assert.deepEqual(told(stdioServer(['/projects/api/inner']), at), ['/projects/api/inner (in argument 1)']);
  });

  test('nothing where no folder is open', () => {
    assert.deepEqual(told(stdioServer(['${workspaceFolder}']), { ...places, folders: [] }), []);
  });

  test('writes out invisible characters in a name', () => {
    const definition = stdioServer([], { env: { 'A\u200B': '/projects/api' } });
    assert.deepEqual(told(definition), [String.raw`/projects/api (in the environment variable A\u{200B})`]);
  });
});

suite('What a launch reveals of the workspace to its server on Windows', () => {
  const folders = [String.raw`c:\Projects\Api`];
  const toldOnWindows = (arg: string, workingDirectory = String.raw`C:\Users\me`): readonly string[] => {
    const launch = { ...launchOf(stdioServer([arg]), { folders: [], home: '/home/me' }), workingDirectory };
    return launchPaths(launch, folders, 'windows').map(launchPathText);
  };

  for (const named of [
    String.raw`c:\Projects\Api`,
    String.raw`C:\projects\api\index.html`,
    'C:/Projects/Api/src',
    'file:///C:/Projects/Api',
    'file:///c%3A/projects/api/src',
    String.raw`--root=C:\PROJECTS\API`,
  ]) {
    test(`a path, however it is written: ${named}`, () =>
      assert.deepEqual(toldOnWindows(named), [String.raw`c:\Projects\Api (in argument 1)`]));
  }

  for (const other of [String.raw`C:\Projects\Api-secret`, String.raw`D:\Projects\Api`, 'Projects/Api']) {
    test(`nothing of another path: ${other}`, () => assert.deepEqual(toldOnWindows(other), []));
  }

  for (const directory of [String.raw`C:\projects\api`, String.raw`C:\projects\api\src`]) {
    test(`where it starts: ${directory}`, () =>
      assert.deepEqual(toldOnWindows('', directory), [`${directory} (as its working directory)`]));
  }
});
