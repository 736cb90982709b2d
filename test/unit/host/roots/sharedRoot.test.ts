import assert from 'node:assert/strict';
import type { DefinitionOrigin } from '../../../../src/host/config/serverDefinition.ts';
import { isSameRoots, pathOf, rootsFor } from '../../../../src/host/roots/sharedRoot.ts';
import { ofUser } from '../../support/definitions.ts';

const api = { uri: 'file:///projects/api', name: 'api' };
const web = { uri: 'file:///projects/web', name: 'web' };
const remote = { uri: 'vscode-vfs://github/owner/name', name: 'remote' };

suite('The roots that a server may see', () => {
  test('are all folders, in their order, for a server of the user or of the workspace', () => {
    const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };
    for (const origin of [ofUser, ofWorkspace]) {
      assert.deepEqual(rootsFor(origin, [web, api], 'all'), {
        shared: [web, api],
        withheld: [],
        leftOut: [],
      });
    }
  });

  test('are the folder itself for a server that a folder defines', () => {
    const ofFolder: DefinitionOrigin = {
      scope: 'folder',
      format: 'mcpJson',
      place: 'file:///x',
      folder: web,
    };
    assert.deepEqual(rootsFor(ofFolder, [api, web, remote], 'all'), {
      shared: [web],
      withheld: [],
      leftOut: [],
    });
    assert.deepEqual(rootsFor(ofFolder, [api], 'all'), { shared: [], withheld: [], leftOut: [] });
  });

  test('leave out every folder that is on no disk', () => {
    const untitled = { uri: 'untitled:one', name: 'one' };
    const { shared, leftOut } = rootsFor(ofUser, [remote, api, untitled], 'all');
    assert.deepEqual(shared, [api]);
    assert.deepEqual(leftOut, [remote, untitled]);
  });

  test('are only what was allowed, by the URI', () => {
    const renamed = { ...web, name: 'site' };
    assert.deepEqual(rootsFor(ofUser, [api, renamed], [web.uri, 'file:///gone']), {
      shared: [renamed],
      withheld: [api],
      leftOut: [],
    });
    assert.deepEqual(rootsFor(ofUser, [api], []).shared, []);
  });

  for (const [uri, path] of [
    ['file:///projects/my%20project', '/projects/my project'],
    ['file:///projects/%C3%A9t%C3%A9', '/projects/été'],
    ['file:///projects/100%25', '/projects/100%'],
  ] as const) {
    test(`keep the encoding of ${uri}`, () => {
      const [root] = rootsFor(ofUser, [{ uri, name: 'it' }], 'all').shared;
      assert.ok(root);
      assert.equal(root.uri, uri);
      if (process.platform !== 'win32') {
        assert.equal(pathOf(root), path);
      }
    });
  }

  test('are the same only with the same order and names', () => {
    assert.ok(isSameRoots([api, web], [{ ...api }, { ...web }]));
    assert.ok(!isSameRoots([api, web], [web, api]));
    assert.ok(!isSameRoots([api], [api, web]));
    assert.ok(!isSameRoots([api], [{ ...api, name: 'backend' }]));
  });
});
