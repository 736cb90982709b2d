import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { canAttach, canSendText, isAttachable } from '../../src/editor/chat/chatCommands.ts';
import { api, configure, fixtureServer, server, setSetting, until } from './support.ts';

suite('Chat commands', () => {
  teardown(async () => {
    await setSetting('chat.disableAIFeatures', undefined);
  });

  test('are available if the editor has a chat', async () => {
    assert.ok(await canAttach());
    assert.ok(await canSendText());
  });

  test('are not available once you have switched the chat off', async () => {
    await setSetting('chat.disableAIFeatures', true);
    assert.equal(await canAttach(), false);
    assert.equal(await canSendText(), false);
  });

  test('copy a reference to a resource while the chat is off, and say so', async () => {
    const told: string[] = [];
    const window = vscode.window as unknown as Record<string, unknown>;
    const { showInformationMessage } = window;
    await setSetting('chat.disableAIFeatures', true);
    await configure(vscode.ConfigurationTarget.Workspace, {
      notes: { ...fixtureServer('legacyServer.ts'), autoStart: false },
    });
    const host = await api();
    await until('a server', () => host.servers.length === 1);
    const { id } = await server('notes');
    window['showInformationMessage'] = (message: string) => {
      told.push(message);
      return Promise.resolve();
    };
    try {
      const address = { serverId: id, uri: 'test:///note' };
      await vscode.commands.executeCommand('mcpHost.addResourceToChat', { address });
    } finally {
      window['showInformationMessage'] = showInformationMessage;
      await configure(vscode.ConfigurationTarget.Workspace, undefined);
      await until('no server', () => host.servers.length === 0);
    }
    assert.deepEqual(told, ['There is no chat in this editor, so a reference to the resource was copied.']);
    assert.equal(
      await vscode.env.clipboard.readText(),
      "test:///note (a resource of the MCP server 'notes')",
    );
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
