import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { canAttach, canSendText, isAttachable } from '../../src/editor/chat/chatCommands.ts';

suite('Chat commands', () => {
  teardown(async () => {
    await vscode.workspace
      .getConfiguration('chat')
      .update('disableAIFeatures', undefined, vscode.ConfigurationTarget.Global);
  });

  test('are available if the editor has a chat', async () => {
    assert.ok(await canAttach());
    assert.ok(await canSendText());
  });

  test('are not available once you have switched the chat off', async () => {
    await vscode.workspace
      .getConfiguration('chat')
      .update('disableAIFeatures', true, vscode.ConfigurationTarget.Global);
    assert.equal(await canAttach(), false);
    assert.equal(await canSendText(), false);
  });

  test('take every document except images', () => {
    const takes = (path: string): boolean =>
      isAttachable(vscode.Uri.from({ scheme: 'mcp-host', authority: 'notes', path }));
    assert.deepEqual(
      ['/=AA/todo.md', '/=AA/resource', '/=AA/logo.PNG', '/=AA/logo.png.txt', '/=AA/photo.jpeg'].map(takes),
      [true, true, false, true, false],
    );
  });
});
