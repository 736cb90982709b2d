import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, expect } from '../editor/expectation.ts';
import { node24, root } from '../editor/paths.mjs';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { fixtureServer, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { openServers, untilNothingIsAsked, waitUntilRunning } from './support.ts';

suite('the menu of a server', () => {
  let demo: Workspace;
  let proof: string;
  let workbench: Workbench;
  let servers: TreeView;

  const mcpJson = (): string => readFileSync(demo.folder.join('notes', '.mcp.json'), 'utf8');
  const settings = (): string => readFileSync(demo.folder.join('notes', '.vscode', 'settings.json'), 'utf8');
  /** How often the server with a secret has been started with it. */
  const starts = (): number =>
    existsSync(proof) ? readFileSync(proof, 'utf8').trim().split('\n').length : 0;
  const says = (name: string, wanted: string | RegExp): Promise<unknown> =>
    servers.waitForRow([name], `say '${wanted}'`, ({ description }) =>
      typeof wanted === 'string' ? description === wanted : wanted.test(description),
    );

  const define = (): void => {
    proof = demo.folder.join('proof');
    const notes = demo.folder.join('notes');
    const store = {
      command: node24,
      args: [join(root, 'test/fixtures/servers/tokenServer.ts')],
      env: { TOKEN: '${input:token}', PROOF: proof },
    };
    const token = { type: 'promptString', id: 'token', description: 'The key of the store', password: true };
    writeFileSync(
      join(notes, '.mcp.json'),
      `// the team's servers\n${JSON.stringify({ mcpServers: { store }, inputs: [token] }, undefined, 2)}\n`,
    );
    mkdirSync(join(notes, '.vscode'), { recursive: true });
    const weather = fixtureServer('rewritingServer.ts');
    const inSettings = { lost: { command: 'no-such-server' }, weather, mistyped: { comand: 'node' } };
    writeFileSync(
      join(notes, '.vscode', 'settings.json'),
      `${JSON.stringify({ 'mcpHost.servers': inSettings }, undefined, 4)}\n`,
    );
  };

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared({ servers: {} }));
    define();
    servers = await openServers(workbench);
  });

  test('belongs to rows that say one word, with a status bar that says what waits and what failed', async () => {
    await workbench.statusBar.waitFor(/MCP: 3 waiting$/);
    await workbench.notifications.press('3 MCP servers are waiting for your decision.', 'Review');
    await workbench.review.waitFor(3);
    await workbench.review.answer('lost', 'Allow');
    await says('lost', 'failed: command not found');
    await says('store', 'needs approval');
    const { ariaLabel } = await workbench.statusBar.waitFor(/MCP: 2 waiting, 1 failed$/);
    assert.equal(
      ariaLabel,
      'MCP: 2 waiting, 1 failed. 2 servers are waiting for you. Failed: lost. Select to review what is waiting',
    );
    await workbench.screenshot('menu-waiting');
    await workbench.review.answer('weather', 'Allow');
    await workbench.review.answer('store', 'Allow');
    await workbench.quickInput.waitUntilOpen("'store' needs 'token'");
    await workbench.quickInput.enter('secret');
    await waitUntilRunning(servers, 'store');
    await says('weather', '2 tools · not in chat');
    await eventually.all(
      async () => (await servers.rows()).map(({ label }) => label),
      (labels) => {
        assert.deepEqual(labels, ['lost', 'weather', 'store', 'mistyped'], 'every row is closed');
      },
    );
  });

  test('has what applies to the server, in groups', async () => {
    await eventually.deepEqual(
      () => servers.menu('weather'),
      [
        'Open Server',
        '-',
        'Stop Server',
        'Restart Server',
        '-',
        'Edit Server…',
        'Remove Server',
        '-',
        'Use in Chat',
        '-',
        'Show Log',
        'More',
      ],
    );
    await eventually.deepEqual(
      () => servers.inlineActions('weather'),
      ['Open Server', 'Stop Server', 'Restart Server'],
    );
    await eventually.deepEqual(
      () => servers.inlineActions('lost'),
      ['Open Server', 'Show Log', 'Start Server'],
    );
    await eventually.deepEqual(() => servers.menu('mistyped'), ['Remove Server', '-', 'Open Definition']);
  });

  test('renames a server by F2 on the row with the focus, and nothing is asked again', async () => {
    const { quickInput } = workbench;
    await servers.expand('store', 'Folders');
    await servers.select('weather');
    await servers.pressKey('ArrowUp');
    await servers.pressKey('F2');
    await quickInput.waitUntilOpen("Rename 'lost'");
    await quickInput.type('weather');
    await expect(
      'why not',
      () => quickInput.validationMessage(),
      (text) => text.includes("There is already a server 'weather' in this place."),
    );
    await workbench.screenshot('menu-rename');
    await quickInput.cancel();
    await servers.runFromMenu(['store'], 'More', 'Rename Server…');
    await quickInput.waitUntilOpen("Rename 'store'");
    await quickInput.enter('shop');
    await waitUntilRunning(servers, 'shop');
    await servers.waitUntilGone('store');
    await untilNothingIsAsked(workbench);
    assert.equal(await quickInput.isOpen(), false, 'its input is asked for again');
    assert.equal(starts(), 2);
    assert.match(mcpJson(), /^\/\/ the team's servers\n\{\n {2}"mcpServers": \{\n {4}"shop": \{/);
    await eventually.all(
      () => servers.row('shop'),
      ({ isExpanded }) => {
        assert.equal(isExpanded, true, 'it was open');
      },
    );
    await workbench.screenshot('menu-renamed');
  });

  test('disables and enables a server in its file', async () => {
    await servers.runFromMenu(['weather'], 'More', 'Disable Server');
    await says('weather', 'disabled');
    assert.match(settings(), /"disabled": true/);
    await servers.runFromMenu(['weather'], 'More', 'Enable Server');
    await says('weather', '2 tools · not in chat');
    assert.doesNotMatch(settings(), /disabled/);
    await untilNothingIsAsked(workbench);
  });

  test('removes a server by Delete, naming its file, and restores all of it', async () => {
    const before = mcpJson();
    await servers.select('shop');
    await servers.pressKey('Delete');
    await servers.waitUntilGone('shop');
    assert.equal(await workbench.dialog.isOpen(), false);
    assert.deepEqual(JSON.parse(mcpJson().replace(/^\/\/.*\n/, '')), { mcpServers: {}, inputs: [] });
    await workbench.screenshot('menu-removed');
    await workbench.notifications.press("Removed 'shop' from notes/.mcp.json.", 'Undo');
    await waitUntilRunning(servers, 'shop');
    await untilNothingIsAsked(workbench);
    assert.equal(await workbench.quickInput.isOpen(), false, 'its input is asked for again');
    assert.equal(starts(), 3);
    assert.equal(mcpJson(), before);
  });

  test('says so when the file has changed before the undo', async () => {
    await servers.runFromMenu(['mistyped'], 'Remove Server');
    await servers.waitUntilGone('mistyped');
    await servers.runFromMenu(['weather'], 'More', 'Disable Server');
    await says('weather', 'disabled');
    const changed = settings();
    await workbench.notifications.press("Removed 'mistyped' from notes/.vscode/settings.json.", 'Undo');
    await workbench.notifications.press(
      /'mistyped' was not restored .* the file has changed since/,
      'Open File',
    );
    await workbench.editors.waitFor('settings.json');
    assert.equal(settings(), changed);
    await workbench.execute('workbench.action.closeAllEditors');
    await servers.runFromMenu(['weather'], 'More', 'Enable Server');
    await says('weather', '2 tools · not in chat');
  });

  test('has settings in categories by subject', async () => {
    await workbench.run('Preferences: Open Settings (UI)');
    await workbench.page.keyboard.type('@ext:mcphost.mcp-host');
    const titles = workbench.page.locator('.settings-toc-container .monaco-list-row');
    await expect(
      'the categories',
      async () => (await titles.allInnerTexts()).map((text) => text.replace(/\s*\(\d+\)\s*$/, '').trim()),
      (found) => ['MCP Host', 'Servers', 'Folders', 'Model Access'].every((title) => found.includes(title)),
    );
    await workbench.screenshot('settings');
  });
});
