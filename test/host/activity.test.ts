import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  allowAll,
  api,
  call,
  configure,
  fixtureServer,
  running,
  setSetting,
  until,
  withSaveDialog,
} from './support.ts';

suite('Activity', () => {
  const { Workspace } = vscode.ConfigurationTarget;
  let folder: string;

  suiteSetup(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mcp-host-'));
    await configure(Workspace, { watched: fixtureServer('legacyServer.ts') });
    const host = await api();
    await until('a question', () => host.servers.some(({ state }) => state === 'awaitingApproval'));
    await allowAll();
    await running('watched');
  });

  suiteTeardown(async () => {
    await configure(Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
    await setSetting('mcpHost.activity.storeContent', undefined);
    await rm(folder, { recursive: true, force: true });
  });

  async function exported(name: string): Promise<readonly Record<string, unknown>[]> {
    const file = vscode.Uri.file(path.join(folder, name));
    await withSaveDialog(file, 'mcpHost.exportActivity');
    return new TextDecoder()
      .decode(await vscode.workspace.fs.readFile(file))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ server }) => server === 'watched');
  }

  test('is exported as lines of JSON, with contents only if they are kept', async () => {
    await call('watched', 'received');
    const [bare] = await exported('bare.jsonl');
    assert.equal(bare?.['target'], 'received');
    assert.equal(bare['decision'], 'unasked');
    assert.equal(bare['outcome'], 'done');
    assert.ok(!('args' in bare) && !('result' in bare));
    await setSetting('mcpHost.activity.storeContent', true);
    await call('watched', 'received');
    const whole = (await exported('whole.jsonl')).at(-1);
    assert.match(JSON.stringify(whole?.['result']), /tools\/call/);
  });

  test('is opened as a document', async () => {
    const id = (await exported('opened.jsonl')).at(-1)?.['id'];
    await vscode.commands.executeCommand('mcpHost.openActivity', id);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'mcp-host-view');
    assert.match(document.getText(), /^Server: watched\nTool: received\nAsked by: /);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
