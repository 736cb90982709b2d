import assert from 'node:assert/strict';
import path from 'node:path';
import { namedFiles } from '../../../../../src/host/launch/question/namedFiles.ts';
import type {
  DefinitionOrigin,
  StdioServerDefinition,
} from '../../../../../src/host/config/serverDefinition.ts';
import { httpServer, ofUser, stdioServer } from '../../../support/definitions.ts';
import { pathOnDisk, uriOnDisk } from '../../../support/onDisk.ts';

const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const places = { folders: [api], home: '/home/me' };
const ofFolder: DefinitionOrigin = { scope: 'folder', format: 'settings', place: 'file:///p', folder: api };

function named(
  [command = '', ...args]: readonly string[],
  workingDirectory = '/projects/api',
  more: Partial<StdioServerDefinition> = {},
): readonly string[] {
  return namedFiles(stdioServer(args, { command, ...more }), workingDirectory, places);
}

suite('The files that a launch names by their paths', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['node server.mjs', ['/projects/api/server.mjs']],
    ['node ./dist/../server.mjs', ['/projects/api/server.mjs']],
    [
      'node --import=file:///projects/api/hook.mjs -r /opt/x.cjs /opt/server.js',
      ['/projects/api/hook.mjs', '/opt/x.cjs', '/opt/server.js'],
    ],
    ['node ${workspaceFolder}/tools/x.mjs', ['/projects/api/tools/x.mjs']],
    ['node ${userHome}${/}x.mjs', ['/home/me/x.mjs']],
    ['node x.mjs x.mjs', ['/projects/api/x.mjs']],
    ['bash -c node;./inside.mjs;/opt/x.sh', ['/projects/api/inside.mjs', '/opt/x.sh']],
    ['timeout 10 bash ./start', ['/projects/api/start']],
    ['bash ./start', ['/projects/api/start']],
    ['python3.12 ./server', ['/projects/api/server']],
    ['./server', ['/projects/api/server']],
    ['/opt/start.sh', ['/opt/start.sh']],
    ['npx tsx src/index.ts', ['/projects/api/src/index.ts']],
    ['node --env-file=.env /opt/x.js', ['/projects/api/.env', '/opt/x.js']],
    ['node --env-file .env /opt/x.js', ['/projects/api/.env', '/opt/x.js']],
    ['/usr/bin/server --flag', []],
    ['server', []],
    ['npm run mcp', []],
    ['python -m server', []],
    ['docker run --env-file .env image:1', []],
    ['node ${env:TOOLS}/x.mjs', []],
    ['node ${input:file}.mjs', []],
    ['node //other/machine.mjs', ['/other/machine.mjs']],
  ];
  for (const [line, expected] of cases) {
    test(`are ${expected.join(', ') || 'none'}: ${line}`, function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      assert.deepEqual(named(line.split(' ')), expected);
    });
  }

  test('are taken from the working directory, and unknown where that is', () => {
    assert.deepEqual(named(['node', 'x.mjs'], '/opt'), [path.resolve('/opt/x.mjs')]);
    assert.deepEqual(named(['node', 'x.mjs'], '${env:WHERE}'), []);
  });

  test('are none of an address, and none of what comes with this extension', () => {
    assert.deepEqual(namedFiles(httpServer('https://example.org/x.mjs'), '/', places), []);
    assert.deepEqual(named(['node', 'x.mjs'], '/opt', { program: 'sample' }), []);
  });

  test('lie in the workspace where it defines them: nothing else is opened before it was allowed', () => {
    const words = ['node', '-r', '/net/evil/x.cjs', '../other/y.mjs', 'z.mjs'];
    const directory = pathOnDisk('/projects/api');
    assert.deepEqual(named(words, directory, { origin: ofFolder }), [pathOnDisk('/projects/api/z.mjs')]);
    assert.equal(named(words, directory, { origin: ofUser }).length, 3);
  });
});
