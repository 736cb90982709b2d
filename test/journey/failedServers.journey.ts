import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { eventually, expect, plain } from '../editor/expectation.ts';
import type { TreeRow, TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers } from './support.ts';

suite('servers that cannot start', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared({ servers: {} }));
    servers = await openServers(workbench);
  });

  test('show in their rows why they failed, after a view that says what to do', async () => {
    await eventually.match(() => servers.welcome(), /You have no MCP servers yet/);
    assert.equal(await workbench.offers('MCP Host: Stop Server'), false);
    assert.equal(await workbench.offers('MCP Host: Run Tool…'), false);
    await workbench.screenshot('welcome');

    const runner = demo.folder.join('npx');
    writeFileSync(runner, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    const end = "console.error('Starting.\\nError: API_KEY is not set'); process.exit(1)";
    const ask = 'To log in, open https://issuer.example/device and enter the code ABCD-1234';
    const definitions = {
      lost: { command: 'no-such-server' },
      fetched: { command: 'uvx', args: ['a-server'], env: { PATH: '/nowhere' } },
      locked: { command: process.execPath, args: ['-e', end], env: { API_KEY: '' } },
      remote: {
        command: process.execPath,
        args: ['-e', `console.error('${ask}'); setInterval(() => {}, 1000)`],
      },
      slow: { command: runner, args: ['-y', 'a-package'] },
      mistyped: { comand: 'node' },
    };
    mkdirSync(demo.folder.join('notes', '.vscode'), { recursive: true });
    writeFileSync(
      demo.folder.join('notes', '.vscode', 'settings.json'),
      JSON.stringify({ 'mcpHost.servers': definitions }),
    );
    await allowServers(workbench, 5);
    await servers.waitForRow(['slow'], 'say for how long it has been starting', ({ description }) =>
      /^starting for \d+ s · npx may be downloading$/.test(description),
    );
    for (const [name, failure, remedy] of [
      ['lost', "'no-such-server' was not found", 'Edit…'],
      ['fetched', "'uvx' was not found", 'Install uv…'],
    ] as const) {
      await hasFailed(name, failure, remedy);
    }
    await eventually.match(
      () => servers.tooltip('fetched', "'uvx' was not found"),
      /The command 'uvx' was not found.*Searched PATH: \/nowhere/s,
    );
    await servers.expand('mistyped');
    await eventually.all(
      () => servers.rows(),
      (rows) => {
        assert.ok(rows.some(({ label }) => label.startsWith('"comand" is')));
      },
    );
    await workbench.screenshot('failed');
  });

  test('what you start yourself says why it failed, with what helps', async () => {
    await servers.runInline(['fetched'], 'Start Server');
    const message = "Server 'fetched' could not start: the command 'uvx' was not found.";
    const { buttons, severity } = await workbench.notifications.waitFor(message);
    assert.deepEqual([severity, ...buttons], ['error', 'Install…', 'Show Log']);
    await workbench.screenshot('failed-start');
    await workbench.notifications.press(message, 'Install…');
    await eventually.match(
      () => workbench.dialog.text(),
      /docs\.astral\.sh\/uv\/getting-started\/installation/,
    );
    await workbench.dialog.answer('Cancel');

    await hasFailed('locked', 'Error: API_KEY is not set', 'Set Token…');
    await workbench.statusBar.waitFor(/MCP: 1 waiting, 3 failed/);
    await servers.select('locked', 'Set Token…');
    await workbench.editors.waitFor('Edit locked');
    await workbench.execute('workbench.action.closeActiveEditor');
    await servers.select('locked', 'Show Log');
    const lines = workbench.page.locator('.part.panel .view-line');
    const shown = await expect(
      'the end of the server in its log',
      async () => plain((await lines.allInnerTexts()).join('\n')),
      (text) => text.includes('three times') || text.includes('Failed: it exited'),
    );
    assert.match(shown, /\[error\] \[stderr\] Error: API_KEY is not set/);
    assert.match(shown, /\[info\] Waiting \d s before the next try\./);
    await workbench.screenshot('failed-log');
    await workbench.execute('workbench.action.closePanel');
  });

  test('a check-up names the missing command and what helps, with the keyboard alone', async () => {
    const { editors, quickInput } = workbench;
    await workbench.runToInput('MCP Host: Check Up…');
    await quickInput.enter('fetched');
    const text = await editors.waitForText(/^Check-up of fetched/);
    assert.match(text, /\nFailed: Command, Start and handshake\.\n/);
    assert.match(text, /OK: Permission to start/);
    assert.match(text, /The command 'uvx' was not found\n {2}Searched PATH: \/nowhere\n/);
    assert.match(text, /Note: Command in the login shell.*\n {2}The login shell \(\/\S+\) doesn't find it/);
    assert.match(text, /What to do: Install uv\./);
    await expect(
      'the actions at their steps',
      () => editors.codeLenses(),
      (found) =>
        ['Check Again', 'Show Log', 'Open Definition', 'Edit…'].every((title) => found.includes(title)),
    );
    for (const theme of ['dark', 'light'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`check-up-${theme}`);
    }
    await workbench.runToInput('Show CodeLens Commands for Current Line');
    await quickInput.enter('Check Again');
    await editors.waitForText(/^Check-up of fetched/);
    assert.equal((await editors.tabs()).filter(({ title }) => title.startsWith('Check-up')).length, 1);
    await workbench.execute('workbench.action.closeActiveEditor');
  });

  test('what a server asks for before it starts is in its row, to open, to copy and to cancel', async () => {
    const ask = 'To log in, open https://issuer.example/device and enter the code ABCD-1234';
    await servers.waitForRow(['remote'], 'wait for you', (row) => row.description === 'waiting for you');
    await servers.row('remote', ask);
    for (const theme of ['light', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`asks-before-start-${theme}`);
    }
    await servers.select('remote', 'Copy the Code');
    await workbench.statusBar.waitFor(/Copied the code/);
    await servers.press('remote', 'Open…');
    await eventually.match(
      () => workbench.dialog.text(),
      /'remote' asks you to open an address at issuer\.example\.\s*https:\/\/issuer\.example\/device/,
    );
    await workbench.screenshot('asks-before-start-open');
    await workbench.dialog.answer('Cancel');
    await servers.press('remote', 'Cancel');
    await servers.waitForRow(['remote'], 'have stopped', ({ description }) => description === 'stopped');
  });

  test('a start that takes long shows its progress, and can be cancelled', async () => {
    await servers.runInline(['slow'], 'Stop Server');
    await servers.waitForRow(['slow'], 'have stopped', ({ description }) => description === 'stopped');
    await servers.runInline(['slow'], 'Start Server');
    const progress = /^Starting 'slow': \d+ s\. npx may still be downloading it\.$/;
    await workbench.notifications.waitFor(progress);
    await workbench.screenshot('starting');
    await workbench.notifications.press(progress, 'Cancel');
    await servers.waitForRow(['slow'], 'have stopped', ({ description }) => description === 'stopped');
    await workbench.notifications.waitUntilGone(progress);
  });

  /** Waits until a server has failed for good, with the reason and what helps below it. */
  async function hasFailed(name: string, failure: string, remedy: string): Promise<void> {
    const isFinal = ({ description }: TreeRow): boolean => /^failed\b(?!, try)/.test(description);
    await servers.waitForRow([name], 'have failed', isFinal);
    await servers.row(name, failure);
    await servers.row(name, remedy);
    await servers.row(name, 'Show Log');
  }
});
