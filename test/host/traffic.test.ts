import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { seen } from './chatSupport.ts';
import {
  allowAll,
  api,
  withSaveDialog,
  call,
  configure,
  confirmCalls,
  fixtureServer,
  running,
  until,
} from './support.ts';

const { Workspace } = vscode.ConfigurationTarget;
const perSecond = 1_000;
/** The list drops its oldest lines when it has more. */
const mostLines = 5_000;
/** Milliseconds that only a defect takes. */
const longestMs = 20_000;

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
    const edits: number[] = [];
    const growing = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) {
        edits.push(event.contentChanges.length);
      }
    });
    const first = await longestWait(call('stream', 'stream', { perSecond, seconds: 4.5 }));
    await seen('the first response', () => isResponse(lastLine(document)));
    const before = document.lineCount - 2;
    const selectedText = lastLine(document);
    editor.selection = new vscode.Selection(before, 2, before, 10);
    await seen('the selection', () => editor.selection.start.line === before);
    const second = await longestWait(call('stream', 'stream', { perSecond, seconds: 3 }));
    await seen(
      'the second response',
      () => isResponse(lastLine(document)) && lastLine(document) !== selectedText,
    );
    await seen('the selection where it was', () => {
      const { start, end } = editor.selection;
      return (
        document.lineAt(start.line).text === selectedText && start.character === 2 && end.character === 10
      );
    });
    growing.dispose();
    assert.ok(editor.selection.start.line <= before - 1_000, 'no line was dropped');
    assert.ok(document.lineCount <= mostLines + 3, `${document.lineCount} lines`);
    assert.deepEqual([...new Set(edits)], [1], 'a change is more than one edit');
    assert.ok(Math.max(first, second) < longestMs, `a command took ${first} or ${second} ms`);
  });

  test('has what the server breaks of the specification in Problems, at its line', async () => {
    const host = await api();
    const [document] = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'mcp-traffic');
    assert.ok(document);
    const problems = (): vscode.Diagnostic[] => vscode.languages.getDiagnostics(document.uri);
    assert.deepEqual(problems(), []);
    await vscode.commands.executeCommand('mcpHost.restartServer', host.servers[0]?.id);
    await seen('what the tools lack', () => problems().length === 2);
    await call('stream', 'odd');
    await seen('what is wrong with the result', () => problems().length === 3);
    for (const { range, message } of problems()) {
      assert.ok(message.startsWith(`${document.getText(range)}: `), message);
    }
    const [first, , last] = problems().toSorted((a, b) => a.range.start.line - b.range.start.line);
    assert.equal(first?.message, "result of tools/list: tools[0] 'stream': it has no description.");
    assert.equal(first.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(
      last?.message,
      'result of tools/call odd: content[0]: `text` must be a string, not a number.',
    );
    assert.equal(last.severity, vscode.DiagnosticSeverity.Error);
    assert.deepEqual(JSON.parse(JSON.stringify(last.code)), {
      value: 'server/tools',
      target: vscode.Uri.parse(
        'https://modelcontextprotocol.io/specification/2025-11-25/server/tools',
      ).toJSON(),
    });
    const { line } = last.range.start;
    await call('stream', 'stream', { perSecond: 1_000, seconds: 1.5 });
    await seen('the problem where its line is', () =>
      problems().some(({ range, message }) => message === last.message && range.start.line < line),
    );
    for (const { range, message } of problems()) {
      assert.ok(message.startsWith(`${document.getText(range)}: `), message);
    }
  });

  test('is exported, and compared with another recording, by two files that you select', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mcp-recordings-'));
    const file = (name: string): vscode.Uri => vscode.Uri.file(path.join(folder, name));
    const [list] = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'mcp-traffic');
    try {
      for (const name of ['a.mcp.jsonl', 'b.mcp.jsonl']) {
        await withSaveDialog(file(name), 'mcpHost.exportRecording', list?.uri);
      }
      const [first, second] = [file('a.mcp.jsonl'), file('b.mcp.jsonl')];
      await vscode.commands.executeCommand('mcpHost.compareRecordings', second, [first, second]);
      const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.equal(label, 'a.mcp.jsonl ↔ b.mcp.jsonl');
      assert.ok(input instanceof vscode.TabInputTextDiff);
      const [left, right] = await Promise.all(
        [input.original, input.modified].map(async (uri) =>
          (await vscode.workspace.openTextDocument(uri)).getText(),
        ),
      );
      assert.equal(left, right);
      assert.match(left ?? '', /^→ tools\/list\n/m);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('is not kept when no tab shows it', async () => {
    const uri = vscode.workspace.textDocuments.find((one) => one.uri.scheme === 'mcp-traffic')?.uri;
    assert.ok(uri);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await seen('nothing', async () =>
      new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)).includes('no longer kept'),
    );
    assert.deepEqual(vscode.languages.getDiagnostics(uri), []);
  });
});

/** Runs a command of an extension again and again; resolves with the milliseconds that it took at most. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  const other = vscode.commands.registerCommand('mcpHostTest.answer', () => {});
  const over = new AbortController();
  void work.finally(() => over.abort()).catch(() => {});
  let longest = 0;
  while (!over.signal.aborted) {
    const began = performance.now();
    await vscode.commands.executeCommand('mcpHostTest.answer');
    longest = Math.max(longest, performance.now() - began);
    await delay(20);
  }
  other.dispose();
  await work;
  return longest;
}

function lastLine(document: vscode.TextDocument): string {
  return document.lineAt(Math.max(0, document.lineCount - 2)).text;
}

function isResponse(line: string): boolean {
  return / ← result of tools\/call stream \(for \d+, \d+ ms/.test(line);
}
