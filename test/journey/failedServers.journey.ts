import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { eventually, expect, plain } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import {
  allowedDirectories,
  allowServers,
  openServers,
  processesOf,
  processOf,
  rootsAre,
  waitUntilRunning,
  rowSays,
} from './support.ts';

const filesystem = 'server-filesystem/dist/index.js';

suite('the demo workspace', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared());
    mkdirSync(demo.folder.join('garden'));
    servers = await openServers(workbench);
  });

  test('shows two servers that wait, and starts neither', async () => {
    for (const name of ['filesystem', 'everything']) {
      await eventually.all(
        () => servers.row(name),
        ({ description }) => {
          assert.equal(description, 'needs approval');
        },
      );
    }
    assert.deepEqual(await processesOf(workbench, filesystem), []);
    await workbench.statusBar.waitFor(/MCP: 2 waiting/);
    await workbench.notifications.waitFor('2 MCP servers are waiting for your decision.');
    await workbench.screenshot('launch-waiting');
  });

  test('asks about each with its whole launch, and starts what is allowed', async () => {
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    const questions = await workbench.review.openAll(2);
    for (const { title, text } of questions) {
      assert.match(title, /^Start the MCP server '(filesystem|everything)'\?$/);
      assert.match(text, /Command\s+\S+node/);
      assert.match(text, /Working directory\s+\S/);
      assert.match(text, /Defined in \S*demo\.code-workspace/);
    }
    await workbench.review.answer('everything', 'Allow');
    await workbench.review.answer('filesystem', 'Allow');
    await workbench.review.waitUntilClosed();
    await waitUntilRunning(servers, 'filesystem');
    await waitUntilRunning(servers, 'everything');
  });

  test('shows their tools, folders and counts, and their revision in the tooltip', async () => {
    await servers.waitForRow(['filesystem'], 'count its tools', ({ description }) =>
      /^\d+ tools · not in chat$/.test(description),
    );
    await eventually.match(() => servers.tooltip('filesystem'), /Protocol revision 2025-11-25/);
    await rootsAre(servers, 'notes, shop');
    await servers.expand('filesystem', 'Folders');
    await servers.row('filesystem', 'Folders', 'notes');
    await servers.row('filesystem', 'Folders', 'shop');
    await servers.expand('filesystem', 'Tools');
    await servers.row('filesystem', 'Tools', 'List Allowed Directories');
    await rowSays(servers, ['everything', 'Prompts'], '4');
    await rowSays(servers, ['everything', 'Resources'], '9');
    await workbench.screenshot('servers');
  });

  test('names both folders, then three, then two, with the same process', async () => {
    const pid = await processOf(workbench, filesystem);
    assert.deepEqual(await allowedDirectories(workbench), paths('notes', 'shop'));
    await workbench.addFolder(demo.folder.join('garden'));
    await openServers(workbench);
    await servers.row('filesystem', 'Folders', 'garden');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes', 'shop', 'garden'));
    await workbench.removeFolder('garden');
    await openServers(workbench);
    await servers.waitUntilGone('filesystem', 'Folders', 'garden');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes', 'shop'));
    assert.equal(await processOf(workbench, filesystem), pid);
  });

  test('looks right in every theme', async () => {
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`servers-${theme}`);
    }
  });

  const paths = (...folders: string[]): string[] => folders.map((name) => join(demo.folder.path, name));
});

suite('a window without servers', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared({ servers: {} }));
    servers = await openServers(workbench);
  });

  test('says what to do, and a server that fails why', async () => {
    await eventually.match(() => servers.welcome(), /You have no MCP servers yet/);
    assert.equal(await workbench.offers('MCP Host: Stop Server'), false);
    assert.equal(await workbench.offers('MCP Host: Run Tool…'), false);
    await workbench.screenshot('welcome');

    const runner = demo.folder.join('npx');
    writeFileSync(runner, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    const end = "console.error('Starting.\\nError: API_KEY is not set'); process.exit(1)";
    const definitions = {
      lost: { command: 'no-such-server' },
      fetched: { command: 'uvx', args: ['a-server'], env: { PATH: '/nowhere' } },
      locked: { command: process.execPath, args: ['-e', end], env: { API_KEY: '' } },
      slow: { command: runner, args: ['-y', 'a-package'] },
      mistyped: { comand: 'node' },
    };
    mkdirSync(demo.folder.join('notes', '.vscode'), { recursive: true });
    writeFileSync(
      demo.folder.join('notes', '.vscode', 'settings.json'),
      JSON.stringify({ 'mcpHost.servers': definitions }),
    );
    await allowServers(workbench, 4);
    for (const name of ['lost', 'fetched', 'locked']) {
      await servers.waitForRow([name], 'have failed', ({ description }) =>
        /^failed\b(?!, try)/.test(description),
      );
    }
    await workbench.statusBar.waitFor(/MCP: 3 failed/);
    await servers.waitForRow(['slow'], 'say for how long it has been starting', ({ description }) =>
      /^starting for \d+ s · npx may be downloading$/.test(description),
    );
    for (const [name, failure, remedy] of [
      ['lost', "'no-such-server' was not found", 'Edit…'],
      ['fetched', "'uvx' was not found", 'Install uv…'],
      ['locked', 'Error: API_KEY is not set', 'Set Key…'],
    ] as const) {
      await servers.row(name, failure);
      await servers.row(name, remedy);
      await servers.row(name, 'Show Log');
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

    await servers.select('locked', 'Set Key…');
    await workbench.editors.waitFor('Edit locked');
    await workbench.run('View: Close Editor');
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
    await workbench.run('View: Hide Panel');
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
});
