import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { allowAll, api, call, configure, confirmCalls, fixtureServer, running, until } from './support.ts';

const { Workspace } = vscode.ConfigurationTarget;
const perSecond = 1_000;
const seconds = 7;
/** The list drops its oldest lines when it has more. */
const mostLines = 5_000;
/** Milliseconds that only a defect takes. */
const longestMs = 3_000;

suite('The traffic of a server', () => {
  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  test('of 1,000 messages a second grows in its document, where cursor and selection stay', async () => {
    await confirmCalls('never');
    await configure(Workspace, { stream: fixtureServer('streamServer.ts') });
    const host = await api();
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    await allowAll();
    const { id } = await running('stream');
    await vscode.commands.executeCommand('mcpHost.showTraffic', id);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.scheme, 'mcp-traffic');
    const { document } = editor;
    const other = vscode.commands.registerCommand('mcpHostTest.answer', () => {});
    const waits: number[] = [];
    const sizes: number[] = [];
    const growing = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) {
        sizes.push(event.contentChanges.length);
      }
    });
    const streaming = call('stream', 'stream', { perSecond, seconds });
    let selected: { readonly text: string; readonly selection: vscode.Selection } | undefined;
    const over = new AbortController();
    void streaming.finally(() => over.abort()).catch(() => {});
    while (!over.signal.aborted) {
      const began = performance.now();
      await vscode.commands.executeCommand('mcpHostTest.answer');
      waits.push(performance.now() - began);
      if (!selected && document.lineCount > (mostLines * 3) / 5) {
        const line = document.lineCount - 2;
        editor.selection = new vscode.Selection(line, 2, line, 10);
        await delay(300);
        selected = { text: document.lineAt(editor.selection.start.line).text, selection: editor.selection };
      }
      await delay(50);
    }
    assert.equal(await streaming, String(perSecond * seconds));
    await delay(1_000);
    growing.dispose();
    other.dispose();
    waits.sort((a, b) => a - b);
    const longest = waits.at(-1) ?? 0;
    assert.ok(selected, 'nothing was selected');
    const { start, end } = editor.selection;
    assert.equal(document.lineAt(start.line).text, selected.text, 'the selection is elsewhere');
    assert.deepEqual([start.character, end.character], [2, 10]);
    assert.ok(start.line < selected.selection.start.line, 'no line was dropped');
    assert.ok(
      document.lineCount <= mostLines + 3 && document.lineCount > mostLines - 1_100,
      `${document.lineCount}`,
    );
    assert.ok(
      sizes.every((count) => count === 1),
      'a change is more than one edit',
    );
    assert.ok(longest < longestMs, `a command took ${longest} ms`);
    assert.match(
      document.lineAt(document.lineCount - 2).text,
      /← result of tools\/call stream \(for \d+, \d+ ms/,
    );
  });

  test('is not kept when no tab shows it', async () => {
    const [uri] = vscode.workspace.textDocuments
      .map((one) => one.uri)
      .filter(({ scheme }) => scheme === 'mcp-traffic');
    assert.ok(uri);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const read = async (): Promise<string> =>
      new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const deadline = performance.now() + 10_000;
    while (!(await read()).includes('no longer kept') && performance.now() < deadline) {
      await delay(50);
    }
    assert.match(await read(), /no longer kept/);
  });
});
