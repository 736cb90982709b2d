import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { api } from './support.ts';

suite('What the host itself shows', () => {
  suiteSetup(() => api());

  async function textAt(path: string): Promise<string> {
    const uri = vscode.Uri.from({ scheme: 'mcp-host-view', path });
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  }

  test('says so when it is gone, as after a reload of the window', async () => {
    assert.match(
      await textAt('/any.txt'),
      /^\/\/ .* is gone\. To see it again, run the same command again\./,
    );
    assert.equal(await textAt('/Last seen/report.md'), 'This was kept only in memory, and is gone.\n');
    await assert.rejects(textAt('/Last seen/picture.png'), /is gone/);
    await assert.rejects(textAt('/other/picture.png'), /is gone/);
  });

  test('offers nothing above a result that is gone', async () => {
    const uri = vscode.Uri.from({ scheme: 'mcp-host-view', path: '/everything/get-sum 10-00-00.txt' });
    await vscode.workspace.openTextDocument(uri);
    assert.deepEqual(await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri), []);
  });
});
