import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { allowAll, api, configure, fixtureServer, running, server, setSetting, until } from './support.ts';

const legacy = fixtureServer('legacyServer.ts');
const setting = 'mcpHost.copilotServers';

suite('The servers of Copilot’s file', () => {
  let root: string;
  let home: string;
  let before: string | undefined;
  const file = (): string => join(home, 'mcp-config.json');
  const write = (mcpServers: Record<string, unknown>): void =>
    writeFileSync(file(), `${JSON.stringify({ mcpServers, own: [1] }, undefined, 2)}\n`);
  const labels = async (): Promise<readonly string[]> => (await api()).servers.map(({ label }) => label);

  /** Allows a server once it asks, and waits until it runs. */
  async function allowed(label: string): Promise<void> {
    const host = await api();
    await until(`a question about ${label}`, () =>
      host.servers.some((one) => one.label === label && one.state === 'awaitingApproval'),
    );
    await allowAll();
    await running(label);
  }

  suiteSetup(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-host-')));
    home = join(root, 'copilot');
    before = process.env['COPILOT_HOME'];
    process.env['COPILOT_HOME'] = home;
  });

  suiteTeardown(async () => {
    await setSetting(setting, undefined);
    await configure(vscode.ConfigurationTarget.Workspace, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
    if (before === undefined) {
      delete process.env['COPILOT_HOME'];
    } else {
      process.env['COPILOT_HOME'] = before;
    }
    rmSync(root, { recursive: true });
  });

  test('are there once you turn them on and Copilot writes them, and start once you allow it', async () => {
    await setSetting(setting, true);
    assert.deepEqual(await labels(), []);
    mkdirSync(home);
    mkdirSync(join(root, 'dotfiles'));
    const linked = join(root, 'dotfiles', 'mcp-config.json');
    writeFileSync(
      linked,
      JSON.stringify({ mcpServers: { git: { type: 'local', ...legacy, tools: ['*'] } } }),
    );
    symlinkSync(linked, file(), 'file');
    await allowed('git');
    assert.deepEqual((await server('git')).origin.scope, 'user');
  });

  test('follow the file', async () => {
    write({ git: { type: 'local', ...legacy, tools: ['*'] }, time: { type: 'stdio', ...legacy } });
    await allowed('time');
  });

  test('hide those of the workspace with the same name', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    await configure(Workspace, { git: fixtureServer('legacyServer.ts', '--noise'), other: legacy });
    await allowed('other');
    assert.deepEqual([...(await labels())].sort(), ['git', 'other', 'time']);
    assert.equal((await server('git')).origin.scope, 'user');
    await configure(Workspace, undefined);
  });

  test('are changed in their file, which keeps everything else', async () => {
    await vscode.commands.executeCommand('mcpHost.disableServer', (await server('time')).id);
    const host = await api();
    await until('time disabled', () =>
      host.servers.some(({ label, state }) => label === 'time' && state === 'disabled'),
    );
    const expected = { git: { type: 'local', ...legacy, tools: ['*'] }, time: { type: 'stdio', ...legacy } };
    assert.deepEqual(JSON.parse(readFileSync(file(), 'utf8')), {
      mcpServers: { ...expected, time: { ...expected.time, disabled: true } },
      own: [1],
    });
    assert.ok(lstatSync(file()).isSymbolicLink());
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ uri }) => uri.fsPath === file()),
      [],
    );
  });

  test('stop when you turn them off, and start again without a question', async () => {
    await setSetting(setting, undefined);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
    await setSetting(setting, true);
    await running('git');
  });

  test('stop, with the reason at the file, when a folder of the workspace has it', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const inside = vscode.Uri.joinPath(folder.uri, 'copilot');
    await vscode.workspace.fs.copy(vscode.Uri.file(home), inside);
    process.env['COPILOT_HOME'] = inside.fsPath;
    try {
      // The variable of a process doesn't change otherwise: something else makes the definitions be read again.
      await configure(vscode.ConfigurationTarget.Workspace, { other: legacy });
      const host = await api();
      await until('the other server alone', () => host.servers.map(({ label }) => label).join() === 'other');
      const file = vscode.Uri.joinPath(inside, 'mcp-config.json');
      const isShown = (): boolean =>
        vscode.languages
          .getDiagnostics(file)
          .some(({ message }) => message.startsWith("This file isn't read. It is inside the open folder"));
      while (!isShown()) {
        await new Promise((resolve) => vscode.languages.onDidChangeDiagnostics(resolve));
      }
    } finally {
      await vscode.workspace.fs.delete(inside, { recursive: true });
    }
  });
});
