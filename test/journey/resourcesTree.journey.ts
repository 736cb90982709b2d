import assert from 'node:assert/strict';
import { join } from 'node:path';
import { expect } from '../editor/expectation.ts';
import { node24, root } from '../editor/paths.mjs';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, demoWorkspace, type Workspace } from '../editor/workspaces.ts';
import { allowServers, begin, openServers, waitUntilRunning, type Journey } from './support.ts';

const documents = 'demo://resource/static/document';

const fixture = (file: string, ...parameters: readonly string[]) => ({
  command: node24,
  args: [join(root, 'test/fixtures/servers', file), ...parameters],
});

suite('the tree of resources', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;
  let servers: TreeView;
  let resources: TreeView;

  suiteSetup(async () => {
    demo = demoWorkspace();
    const { everything } = demoServers;
    journey = await begin(
      { folder: demo.folder.join('notes') },
      { settings: { 'mcpHost.servers': { everything: { ...everything, autoStart: false } } } },
    );
    ({ workbench } = journey);
    servers = await openServers(workbench);
    resources = await workbench.openView('MCP Host', 'Resources');
  });

  suiteTeardown(async () => {
    await journey?.end();
    demo?.folder.remove();
  });

  const waitForMessage = (text: string): Promise<string> =>
    expect(
      `the message '${text}'`,
      () => resources.message(),
      (message) => message === text,
    );

  test('says why it is empty while nothing runs', async () => {
    assert.match(await resources.welcome(), /^No server is running\./);
    await workbench.screenshot('resources-none-running');
    await servers.runInline(['everything'], 'Start Server');
    await workbench.review.waitFor(1);
    await workbench.review.answer('everything', 'Allow');
    await workbench.review.waitUntilClosed();
    await waitUntilRunning(servers, 'everything');
  });

  test('shows what a server lists, with folders folded', async () => {
    assert.equal((await resources.row('everything')).description, '7 resources · 2 templates');
    assert.equal((await resources.row('everything', documents)).description, '7');
    await resources.expand('everything', documents);
    const guide = await resources.row('everything', documents, 'architecture.md');
    assert.equal(guide.ariaLabel, 'architecture.md');
    const tooltip = await resources.tooltip('everything', documents, 'architecture.md');
    assert.match(tooltip, /^architecture\.md\nURI: demo:\S+\nType: text\/markdown\n\nStatic document file/);
    await workbench.screenshot('resources-tooltip');
    await resources.expand('everything', 'Templates');
    const template = await resources.row('everything', 'Templates', 'Dynamic Text Resource');
    assert.equal(template.description, 'demo://resource/dynamic/text/{resourceId}');
    await workbench.screenshot('resources');
  });

  test('opens a resource, and copies its URI', async () => {
    await resources.select('everything', documents, 'architecture.md');
    await workbench.editors.waitFor('architecture.md');
    await workbench.statusBar.waitFor('Live');
    await workbench.screenshot('readme-resources');
    await workbench.editors.waitForText(/Everything Server/);
    await resources.runFromMenu(['everything', documents, 'architecture.md'], 'Copy Resource URI');
    await expect(
      'the URI on the clipboard',
      () => workbench.page.evaluate(() => navigator.clipboard.readText()),
      (text) => text === `${documents}/architecture.md`,
    );
  });

  test('reveals what a document shows, also what a filter hides', async () => {
    await resources.collapse('everything', documents);
    await workbench.run('MCP Host: Reveal in Resources View');
    const path = ['everything', documents, 'architecture.md'] as const;
    await resources.waitForRow(path, 'be selected', ({ isSelected }) => isSelected);
    await workbench.run('MCP Host: Filter Resources…');
    await workbench.quickInput.enter('structure');
    await resources.waitUntilGone(...path);
    await workbench.run('MCP Host: Reveal in Resources View');
    await resources.waitForRow(path, 'be selected', ({ isSelected }) => isSelected);
    await waitForMessage('');
    await workbench.run('View: Close All Editors');
  });

  test('keeps open what is open when the server lists another resource', async () => {
    await workbench.run('MCP Host: Run Tool…');
    await workbench.quickInput.waitUntilOpen('Run Tool');
    await workbench.quickInput.pick('GZip File as Resource Tool');
    const { quickInput } = workbench;
    await quickInput.waitUntilOpen(/\(1\/3\)/);
    await quickInput.enter('todo.md.gz');
    await quickInput.waitUntilOpen(/\(2\/3\)/);
    await quickInput.enter('data:text/plain,remember');
    await quickInput.waitUntilOpen(/\(3\/3\)/);
    await quickInput.pick('resourceLink');
    await workbench.editors.waitForText(/todo\.md\.gz/);
    await workbench.run('View: Close All Editors');
    assert.equal((await resources.row('everything', 'demo://resource')).description, '8');
    await resources.row('everything', 'demo://resource', 'static/document', 'architecture.md');
    assert.equal((await resources.row('everything', 'demo://resource', 'session')).isExpanded, false);
    await workbench.screenshot('resources-changed');
  });

  test('filters by words, and says so', async () => {
    await resources.runFromTitle('Filter Resources…');
    await workbench.quickInput.waitUntilOpen('Filter Resources');
    await workbench.screenshot('resources-filter-input');
    await workbench.quickInput.enter('STRUCTURE static');
    const found = await resources.row('everything', documents, 'structure.md');
    assert.equal(found.isExpanded, undefined);
    assert.equal((await resources.rows()).length, 3);
    await waitForMessage("Filter: 'STRUCTURE static' · 1 of 10");
    await workbench.screenshot('resources-filtered');
  });

  test('says that nothing matches, and shows everything again', async () => {
    await workbench.run('MCP Host: Filter Resources…');
    await workbench.quickInput.enter('no such resource');
    await waitForMessage('');
    assert.match(await resources.welcome(), /^No resource and no template matches the filter\./);
    await workbench.screenshot('resources-none-match');
    await resources.pressInWelcome('Clear Filter');
    await resources.row('everything', 'demo://resource', 'static/document', 'architecture.md');
    await waitForMessage('');
  });

  test('is reached from the count in the tree of servers', async () => {
    await servers.select('everything', 'Resources');
    await resources.waitForRow(['everything'], 'be selected', ({ isSelected }) => isSelected);
  });

  test('forgets a server that stops, and comes back as open as it was', async () => {
    await servers.runInline(['everything'], 'Stop Server');
    await resources.waitUntilGone('everything');
    await servers.runInline(['everything'], 'Start Server');
    await resources.row('everything', documents, 'architecture.md');
  });

  test('lists anew when asked to', async () => {
    await resources.runFromTitle('Refresh Resources');
    await resources.row('everything', documents, 'architecture.md');
    assert.deepEqual(await workbench.notifications.now(), []);
  });

  test('looks right in light and dark', async () => {
    for (const theme of ['light', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`resources-${theme}`);
    }
  });
});

suite('the tree of many resources', () => {
  test('comes by pages of five hundred', async () => {
    const demo = demoWorkspace();
    const many = fixture('manyResourcesServer.ts', '--nested=300', '--flat=510');
    const journey = await begin(
      { folder: demo.folder.join('notes') },
      { settings: { 'mcpHost.servers': { many } } },
    );
    try {
      const { workbench } = journey;
      await allowServers(workbench, 1);
      await openServers(workbench);
      const resources = await workbench.openView('MCP Host', 'Resources');
      await resources.expand('many', 'nested://archive/all', 'part-0', 'part-10', 'part-110');
      await resources.row('many', 'nested://archive/all', 'part-0', 'part-10', 'part-110', 'document-110.md');
      await workbench.screenshot('resources-nested');
      await resources.collapse('many', 'nested://archive/all');
      await resources.expand('many', 'flat://items');
      const shown = (await resources.rows()).filter(({ level }) => level === 3);
      assert.deepEqual(
        [shown.length, shown[0]?.label, shown[1]?.label, shown.at(-1)?.label],
        [501, 'item-0.txt', 'item-1.txt', 'Show 10 More…'],
      );
      await workbench.screenshot('resources-more');
      await resources.select('many', 'flat://items', 'Show 10 More…');
      await resources.row('many', 'flat://items', 'item-509.txt');
    } finally {
      await journey.end();
      demo.folder.remove();
    }
  });
});

suite('the icons of servers', () => {
  test('are shown where they are pictures that came along, and the state stays in words', async () => {
    const demo = demoWorkspace();
    const requested: string[] = [];
    const journey = await begin(
      { folder: demo.folder.join('notes') },
      {
        settings: {
          'mcpHost.servers': {
            honest: fixture('iconServer.ts'),
            hostile: fixture('iconServer.ts', '--hostile'),
          },
        },
      },
    );
    try {
      const { workbench } = journey;
      workbench.page.on('request', (request) => requested.push(request.url()));
      await allowServers(workbench, 2);
      const servers = await openServers(workbench);
      const resources = await workbench.openView('MCP Host', 'Resources');
      await waitUntilRunning(servers, 'honest');
      await waitUntilRunning(servers, 'hostile');
      assert.equal((await servers.row('honest')).icon, '');
      assert.equal((await servers.row('hostile')).icon, 'pass-filled');
      await servers.expand('honest', 'Tools');
      await servers.row('honest', 'Tools', 'with-icon');
      for (const name of ['honest', 'hostile']) {
        await resources.expand(name, 'demo://icons');
        await resources.row(name, 'demo://icons', 'with-icon.md');
        await resources.expand(name, 'Templates');
      }
      assert.equal((await resources.row('hostile', 'Templates', 'any')).icon, 'symbol-variable');
      for (const theme of ['light', 'dark'] as const) {
        await workbench.useTheme(theme);
        await workbench.screenshot(`icons-${theme}`);
      }
      assert.deepEqual(
        requested.filter((url) => url.includes('icons.invalid')),
        [],
      );
    } finally {
      await journey.end();
      demo.folder.remove();
    }
  });
});
