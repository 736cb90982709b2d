import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ViewDocuments } from '../../src/editor/documents/viewDocuments.ts';
import { PromptPreviews } from '../../src/editor/prompts/promptPreviews.ts';
import { seen } from './chatSupport.ts';
import { answerLaunches, api, until } from './support.ts';

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

  test('offers nothing for a prompt that is gone, neither above it nor in the title of its editor', async () => {
    const keys = new Map<string, boolean>();
    const path = '/everything/args-prompt 10-00-00.txt';
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: 'mcp-host-view', path }),
    );
    await vscode.window.showTextDocument(document);
    const documents = { show: () => assert.fail('nothing is shown') } as unknown as ViewDocuments;
    const previews = new PromptPreviews(documents, { set: (key, value) => void keys.set(key, value) });
    try {
      await seen('whether there is a chat', () => keys.get('mcpHost.canSendPrompt') === true);
      assert.equal(keys.get('mcpHost.isPromptPreview'), false);
      assert.deepEqual(previews.provideCodeLenses(document), []);
    } finally {
      previews.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  test('is the program of the sample server as its definition', async () => {
    const host = await api();
    const answering = answerLaunches("Don't Allow");
    try {
      await vscode.commands.executeCommand('mcpHost.trySampleServer');
      const { id } = await until('a sample that is denied', () =>
        host.servers.find(({ label, state }) => label === 'sample' && state === 'denied'),
      );
      await vscode.commands.executeCommand('mcpHost.openConfiguration', id);
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /"list-folders"/);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand('mcpHost.removeServer', id);
      await until('no server', () => host.servers.length === 0);
    } finally {
      answering.dispose();
    }
  });
});
