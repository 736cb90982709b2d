import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { eventually, expect } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer, writeServers } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowShown, openServers, rowSays, startTool, waitUntilRunning } from './support.ts';

const documents = 'demo://resource/static/document';

/** Has servers run only when they are started by hand. */
const byHand = (definitions: Readonly<Record<string, object>>): Record<string, object> =>
  Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, { ...definition, autoStart: false }]),
  );

suite('the tree of resources', () => {
  let workbench: Workbench;
  let servers: TreeView;
  let resources: TreeView;
  /** The server of many resources lists them when there is this file. */
  let gate: string;

  suiteSetup(async () => {
    const { demo, workbench: shared } = await beginShared({ servers: {} });
    workbench = shared;
    gate = demo.folder.join('list-now');
    const definitions = {
      everything: demoServers.everything,
      many: fixtureServer('manyResourcesServer.ts', '--nested=300', '--flat=510', `--until=${gate}`),
      honest: fixtureServer('iconServer.ts'),
      hostile: fixtureServer('iconServer.ts', '--hostile'),
    };
    writeServers(demo.file, byHand(definitions));
    servers = await openServers(workbench);
    resources = await workbench.openView('MCP Host', 'Resources');
  });

  const waitForMessage = (text: string): Promise<string> =>
    expect(
      `the message '${text}'`,
      () => resources.message(),
      (message) => message === text,
    );

  const waitForCount = (wanted: number): Promise<number> =>
    expect(
      `${wanted} rows`,
      () => resources.count(),
      (count) => count === wanted,
    );

  const start = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      await servers.runInline([name], 'Start Server');
    }
    await allowShown(workbench, names.length);
    for (const name of names) {
      await waitUntilRunning(servers, name);
    }
  };

  test('says why it is empty while nothing runs', async () => {
    await expect(
      'the text of the empty view',
      () => resources.welcome(),
      (text) => text.startsWith('No server is running.'),
    );
    await workbench.screenshot('resources-none-running');
  });

  test('says that the first list is being read', async () => {
    await start('many');
    await waitForMessage('Listing resources…');
    await eventually.equal(() => resources.welcome(), '');
    await workbench.screenshot('resources-listing');
  });

  test('is read while Run Tool… waits for the list of tools', async () => {
    const labels = async (): Promise<readonly string[]> =>
      (await workbench.quickInput.items()).map(({ label }) => label);
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await eventually.deepEqual(labels, ['Listing tools…']);
    await workbench.page.keyboard.press('Enter');
    await workbench.screenshot('run-tool-listing');
    writeFileSync(gate, '');
    await eventually.ok(async () => (await labels()).includes('count'));
    await workbench.quickInput.cancel();
    await rowSays(resources, ['many'], '810 resources');
    await waitForMessage('');
  });

  test('comes by pages of five hundred', async () => {
    await resources.expand('many', 'nested://archive/all', 'part-0', 'part-10', 'part-110');
    await resources.row('many', 'nested://archive/all', 'part-0', 'part-10', 'part-110', 'document-110.md');
    await workbench.screenshot('resources-nested');
    await resources.collapse('many', 'nested://archive/all');
    await resources.expand('many', 'flat://items');
    await waitForCount(3 + 500 + 1);
    await resources.row('many', 'flat://items', 'item-1.txt');
    const labels = (await resources.rowsAtEnd()).map(({ label }) => label);
    assert.deepEqual(labels.slice(labels.indexOf('item-499.txt')).slice(0, 2), [
      'item-499.txt',
      'Show 10 More…',
    ]);
    await workbench.screenshot('resources-more');
    await resources.selectInSight('Show 10 More…');
    await waitForCount(3 + 510);
    await eventually.ok(async () =>
      (await resources.rowsAtEnd()).some(({ label }) => label === 'item-509.txt'),
    );
    await servers.runInline(['many'], 'Stop Server');
    await resources.waitUntilGone('many');
    await start('everything');
  });

  test('shows what a server lists, with folders folded', async () => {
    await rowSays(resources, ['everything'], '7 resources · 2 templates');
    await rowSays(resources, ['everything', documents], '7');
    await resources.expand('everything', documents);
    await eventually.all(
      () => resources.row('everything', documents, 'architecture.md'),
      (guide) => {
        assert.equal(guide.ariaLabel, 'architecture.md');
      },
    );
    await eventually.all(
      () => resources.tooltip('everything', documents, 'architecture.md'),
      (tooltip) => {
        assert.match(
          tooltip,
          /^architecture\.md\nURI: demo:\S+\nType: text\/markdown\n\nStatic document file/,
        );
      },
    );
    await workbench.screenshot('resources-tooltip');
    await resources.expand('everything', 'Templates');
    await eventually.all(
      () => resources.row('everything', 'Templates', 'Dynamic Text Resource'),
      (template) => {
        assert.equal(template.description, 'demo://resource/dynamic/text/{resourceId}');
      },
    );
    await workbench.screenshot('resources');
  });

  test('opens a resource, and copies its URI', async () => {
    await resources.select('everything', documents, 'architecture.md');
    await workbench.editors.waitFor('architecture.md');
    await workbench.statusBar.waitFor('Live');
    await workbench.editors.waitForText(/Everything Server/);
    await workbench.page.mouse.move(700, 200);
    await workbench.screenshot('readme-resources');
    await resources.runFromMenu(['everything', documents, 'architecture.md'], 'Copy Resource URI');
    await expect(
      'the URI on the clipboard',
      () => workbench.page.evaluate(() => navigator.clipboard.readText()),
      (text) => text === `${documents}/architecture.md`,
    );
  });

  test('reveals what a document shows, also what a filter hides', async () => {
    await resources.collapse('everything', documents);
    await workbench.editors.runFromMore('Reveal in Resources View');
    const path = ['everything', documents, 'architecture.md'] as const;
    await resources.waitUntilSelected(...path);
    await workbench.executeToInput('mcpHost.filterResources');
    await workbench.quickInput.enter('structure');
    await resources.waitUntilGone(...path);
    await workbench.editors.runFromMore('Reveal in Resources View');
    await resources.waitUntilSelected(...path);
    await waitForMessage('');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('keeps open what is open when the server lists another resource', async () => {
    await startTool(workbench, 'GZip File as Resource Tool', {
      name: 'todo.md.gz',
      data: 'data:text/plain,remember',
      outputType: 'resourceLink',
    });
    await workbench.toolForm.result(/todo\.md\.gz/);
    await workbench.execute('workbench.action.closeAllEditors');
    await rowSays(resources, ['everything', 'demo://resource'], '8');
    await resources.row('everything', 'demo://resource', 'static/document', 'architecture.md');
    await eventually.equal(
      async () => (await resources.row('everything', 'demo://resource', 'session')).isExpanded,
      false,
    );
    await workbench.screenshot('resources-changed');
  });

  test('filters by words, and says so', async () => {
    await resources.runFromTitle('Filter Resources…');
    await workbench.quickInput.waitUntilOpen('Filter Resources');
    await workbench.screenshot('resources-filter-input');
    await workbench.quickInput.enter('STRUCTURE static');
    await eventually.all(
      () => resources.row('everything', documents, 'structure.md'),
      (found) => {
        assert.equal(found.isExpanded, undefined);
      },
    );
    await eventually.equal(async () => (await resources.rows()).length, 3);
    await waitForMessage("Filter: 'STRUCTURE static' · 1 of 10");
    await workbench.screenshot('resources-filtered');
  });

  test('says that nothing matches, and shows everything again', async () => {
    await workbench.executeToInput('mcpHost.filterResources');
    await workbench.quickInput.enter('no such resource');
    await waitForMessage('');
    await eventually.match(() => resources.welcome(), /^No resources match the filter\./);
    await workbench.screenshot('resources-none-match');
    await resources.pressInWelcome('Clear Filter');
    await resources.row('everything', 'demo://resource', 'static/document', 'architecture.md');
    await waitForMessage('');
  });

  test('is reached from the count on the page of the server', async () => {
    await servers.runInline(['everything'], 'Open Server');
    await workbench.serverOverview.press('Show: Resources');
    await resources.waitUntilSelected('everything');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('forgets a server that stops, and comes back as open as it was', async () => {
    await servers.runInline(['everything'], 'Stop Server');
    await resources.waitUntilGone('everything');
    await servers.runInline(['everything'], 'Start Server');
    await resources.row('everything', documents, 'architecture.md');
  });

  test('lists again on request', async () => {
    await resources.runFromTitle('Refresh Resources');
    await resources.row('everything', documents, 'architecture.md');
    assert.deepEqual(await workbench.notifications.told(), []);
  });

  test('shows the icons that a server sent along, and the state in words', async () => {
    const requested: string[] = [];
    workbench.page.on('request', (request) => requested.push(request.url()));
    await servers.runInline(['everything'], 'Stop Server');
    await start('honest', 'hostile');
    await eventually.equal(async () => (await servers.row('honest')).icon, '');
    await eventually.equal(async () => (await servers.row('hostile')).icon, 'pass-filled');
    await servers.expand('honest', 'Tools');
    await servers.row('honest', 'Tools', 'with-icon');
    for (const name of ['honest', 'hostile']) {
      await resources.expand(name, 'demo://icons');
      await resources.row(name, 'demo://icons', 'with-icon.md');
      await resources.expand(name, 'Templates');
    }
    await eventually.equal(
      async () => (await resources.row('hostile', 'Templates', 'any')).icon,
      'symbol-variable',
    );
    assert.deepEqual(
      requested.filter((url) => url.includes('icons.invalid')),
      [],
    );
  });
});
