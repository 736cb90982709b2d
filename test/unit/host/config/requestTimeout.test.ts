import assert from 'node:assert/strict';
import { requestTimeout } from '../../../../src/host/config/requestTimeout.ts';

suite('The timeout of requests', () => {
  test('is a minute where nothing usable is set', () => {
    for (const layers of [undefined, {}, { globalValue: '5' }, { globalValue: 0, workspaceValue: null }]) {
      assert.equal(requestTimeout(layers, 'user'), 60_000);
      assert.equal(requestTimeout(layers, 'folder'), 60_000);
    }
  });

  test('is that of your settings for your own servers, whatever a workspace sets', () => {
    const layers = { globalValue: 5_000, workspaceValue: 90_000, workspaceFolderValue: 1 };
    assert.equal(requestTimeout(layers, 'user'), 5_000);
    assert.equal(requestTimeout(layers, 'extension'), 5_000);
    assert.equal(requestTimeout({ workspaceValue: 90_000 }, 'user'), 60_000);
  });

  test('is that of a workspace for its servers, from a second to ten minutes', () => {
    for (const [workspaceValue, workspaceFolderValue, expected] of [
      [90_000, undefined, 90_000],
      [90_000, 30_000, 30_000],
      [1, undefined, 1_000],
      [undefined, Number.MAX_VALUE, 600_000],
    ]) {
      const layers = { globalValue: 5_000, workspaceValue, workspaceFolderValue };
      assert.equal(requestTimeout(layers, 'folder'), expected);
    }
    assert.equal(requestTimeout({ workspaceValue: 90_000 }, 'workspace'), 90_000);
    assert.equal(requestTimeout({ globalValue: 5_000 }, 'folder'), 5_000);
  });
});
