import assert from 'node:assert/strict';
import * as vscode from 'vscode';

suite('activation', () => {
  test('the extension is there and activates', async () => {
    const extension = vscode.extensions.getExtension('mcphost.mcp-host');
    assert.ok(extension, 'mcphost.mcp-host is not installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
