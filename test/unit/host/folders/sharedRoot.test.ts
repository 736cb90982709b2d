import assert from 'node:assert/strict';
import type { DefinitionOrigin } from '../../../../src/host/config/serverDefinition.ts';
import { isSameRoots, pathOf, visibleFolders } from '../../../../src/host/folders/sharedRoot.ts';
import { ofUser } from '../../support/definitions.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const web = { uri: uriOnDisk('/projects/web'), name: 'web' };
const remote = { uri: 'vscode-vfs://github/owner/name', name: 'remote' };

suite('The folders that a server could see', () => {
  test('are all, in their order, for a server of the user or of the workspace', () => {
    const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };
    for (const origin of [ofUser, ofWorkspace]) {
      assert.deepEqual(visibleFolders(origin, [web, api]), { onDisk: [web, api], refused: [], leftOut: [] });
    }
  });

  test('are the folder itself for a server that a folder defines', () => {
    const ofFolder: DefinitionOrigin = {
      scope: 'folder',
      format: 'mcpJson',
      place: 'file:///x',
      folder: web,
    };
    assert.deepEqual(visibleFolders(ofFolder, [api, web, remote]), {
      onDisk: [web],
      refused: [],
      leftOut: [],
    });
    assert.deepEqual(visibleFolders(ofFolder, [api]), { onDisk: [], refused: [], leftOut: [] });
  });

  test('leave out every folder that is on no disk', () => {
    const untitled = { uri: 'untitled:one', name: 'one' };
    const { onDisk, leftOut } = visibleFolders(ofUser, [remote, api, untitled]);
    assert.deepEqual(onDisk, [api]);
    assert.deepEqual(leftOut, [remote, untitled]);
  });

  for (const [uri, path] of [
    [uriOnDisk('/projects/my%20project'), pathOnDisk('/projects/my project')],
    [uriOnDisk('/projects/%C3%A9t%C3%A9'), pathOnDisk('/projects/été')],
    [uriOnDisk('/projects/100%25'), pathOnDisk('/projects/100%')],
  ] as const) {
    test(`keep the encoding of ${uri}`, () => {
      const [root] = visibleFolders(ofUser, [{ uri, name: 'it' }]).onDisk;
      assert.ok(root);
      assert.equal(root.uri, uri);
      assert.equal(pathOf(root), path);
    });
  }

  test('are the same only with the same order and names', () => {
    assert.ok(isSameRoots([api, web], [{ ...api }, { ...web }]));
    assert.ok(!isSameRoots([api, web], [web, api]));
    assert.ok(!isSameRoots([api], [api, web]));
    assert.ok(!isSameRoots([api], [{ ...api, name: 'backend' }]));
  });
});
