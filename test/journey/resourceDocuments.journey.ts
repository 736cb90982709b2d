import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { URI } from 'vscode-uri';
import { serverId } from '../../src/host/config/serverDefinition.ts';
import { authorityOf, placeOf } from '../../src/host/resources/resourceAddress.ts';
import { eventually, expect } from '../editor/expectation.ts';
import { proposedFile, saveThroughDialog } from '../editor/folderDialog.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { writeServers, type Workspace } from '../editor/workspaces.ts';
import { beginRunning, runningServers } from './runningServers.ts';
import { openServers, resultOf, waitUntilRunning } from './support.ts';

const architecture = 'demo://resource/static/document/architecture.md';
const dynamicText = 'demo://resource/dynamic/text/1';
const dynamicBlob = 'demo://resource/dynamic/blob/1';

suite('documents of resources', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginRunning());
    servers = await openServers(workbench);
  });

  /** Opens a document by its URI; `child` is a path below it. */
  async function open(server: string, uri: string, mimeType?: string, child = ''): Promise<void> {
    const place = pathToFileURL(demo.file).href;
    const id = serverId({ scope: 'workspace', format: 'settings', place }, server);
    const path = `${placeOf(uri, mimeType)}${child}`;
    const document = URI.from({ scheme: 'mcp-host', authority: authorityOf({ id, name: server }), path });
    await workbench.execute('probe.open', document.toString());
    await workbench.editors.waitFor(posix.basename(path));
  }

  async function readsOf(uri: string): Promise<number | undefined> {
    const shown = await resultOf(workbench, 'reads', /\d|empty|no content/);
    const escaped = uri.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const count = new RegExp(`^${escaped}\\s+(\\d+)$`, 'm').exec(shown)?.[1];
    return count === undefined ? undefined : Number(count);
  }

  const text = (wanted: RegExp): Promise<string> => workbench.editors.waitForText(wanted);

  teardown(async () => {
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('show a text in its language, to be searched and copied', async () => {
    await open('library', architecture);
    await text(/^# Everything Server/);
    await workbench.statusBar.waitFor('Markdown');
    await workbench.run('Find');
    await workbench.page.keyboard.type('server factory');
    await workbench.page.locator('.find-widget .matchesCount', { hasText: '1 of 1' }).waitFor();
    await workbench.screenshot('resource-text');
    await workbench.page.keyboard.press('Escape');
    await workbench.editors.runFromMore('Copy Resource URI');
    const copied = () => workbench.page.evaluate(() => navigator.clipboard.readText());
    await expect('the URI', copied, (one) => one === architecture);
  });

  test('show the resource of a template, by its MIME type', async () => {
    await open('library', dynamicText, 'text/plain');
    await text(/Resource 1: This is a plaintext resource/);
    await workbench.screenshot('resource-without-ending');
    await open('odd', 'odd://home/script', 'text/x-python');
    await text(/print/);
    await workbench.statusBar.waitFor('Python');
    await open('odd', 'odd://home/settings.odd');
    await text(/"a": 1/);
    await workbench.statusBar.waitFor('JSON');
  });

  test('show a picture in the viewer, and bytes as what they are', async () => {
    await open('odd', 'odd://shot', 'image/png');
    await workbench.editors.waitFor('shot.png');
    await workbench.statusBar.waitFor('16x16');
    await workbench.screenshot('resource-picture');
    await open('library', dynamicBlob, 'application/octet-stream');
    await workbench.editors.waitFor('1');
    await open('odd', 'odd://home/bytes.txt');
    await workbench.page.getByText('because it is either binary').waitFor();
    await workbench.screenshot('resource-bytes');
  });

  for (const [uri, wanted] of [
    ['odd://home/page.html', /<script>alert/],
    ['odd://home/lab.ipynb', /"nbformat":4/],
    ['file:///projects/shop/README.md', /Not the file/],
    ['../../etc/passwd', /nobody/],
    ['odd://home/größe %2e%2e/../Maß.md?part=1#end', /Ü/],
  ] as const) {
    test(`show ${uri} as the text that it is`, async () => {
      await open('odd', uri);
      await text(wanted);
      assert.deepEqual(await workbench.notifications.told(), []);
    });
  }

  test('are read once for what the editor asks', async () => {
    await open('odd', 'odd://home/script', 'text/x-python');
    await text(/print/);
    const before = await readsOf('odd://home/script');
    await open('odd', 'odd://home/script', 'text/x-python');
    await text(/print/);
    await open('odd', 'odd://home/words');
    await text(/No picture/);
    assert.equal(await readsOf('odd://home/script'), before);
    assert.equal(await readsOf('odd://home/words'), 1);
  });

  test('run no script of a picture', async () => {
    await open('odd', 'odd://home/circle.svg');
    await workbench.statusBar.waitFor('40x40');
    await workbench.screenshot('resource-svg');
    const titles = await Promise.all(workbench.page.frames().map((frame) => frame.title()));
    assert.ok(!titles.includes('ran'), titles.join());
  });

  test('show each of several contents', async () => {
    await open('odd', 'odd://home/folder', undefined, '/2 b.json');
    await text(/"b": 2/);
    await workbench.screenshot('resource-contents');
    await open('odd', 'odd://home/folder', undefined, '/3 folder.png');
    await workbench.statusBar.waitFor('16x16');
    await open('odd', 'odd://home/folder/a.md');
    await text(/Another A/);
    await open('odd', 'odd://home/folder', undefined, '/2 other.md');
    await text(/now sends odd:\/\/home\/folder without '2 other\.md'/);
  });

  test("show the server's error, and try again", async () => {
    await open('odd', 'odd://home/fails');
    await text(/did not send odd:\/\/home\/fails: .*The disk of the server is on fire/);
    await workbench.screenshot('resource-fails');
    await workbench.editors.runFromTitle('Refresh Resource');
    await workbench.notifications.waitFor(/The disk of the server is on fire/);
    await workbench.screenshot('resource-refresh-fails');
    await workbench.notifications.dismiss(/The disk of the server is on fire/);
  });

  test('are saved to the chosen file', async () => {
    const target = demo.folder.join('saved.md');
    await open('odd', 'odd://home/readme', 'text/markdown');
    await text(/# Read me/);
    await workbench.editors.runFromMore('Save Resource As…');
    await eventually.match(() => proposedFile(workbench.page), /\/readme\.md$/);
    await workbench.screenshot('resource-save');
    await saveThroughDialog(workbench.page, target);
    await expect(
      target,
      async () => existsSync(target) && readFileSync(target, 'utf8'),
      (saved) => saved === '# Read me\n',
    );
  });

  test('say that their server is stopped, and come back with it', async () => {
    await open('odd', 'odd://shot', 'image/png');
    await workbench.statusBar.waitFor('16x16');
    await workbench.run('View: Keep Editor');
    await open('odd', 'odd://home/notes.md');
    await text(/Buy milk/);
    await servers.runInline(['odd'], 'Stop Server');
    await text(/^Server 'odd' is stopped\.\n\nStart it in the view "MCP Host"\. The document comes back/);
    await workbench.screenshot('resource-stopped');
    await open('odd', 'odd://home/settings.odd');
    await text(/^Server 'odd' is stopped/);
    await workbench.execute('workbench.action.closeActiveEditor');
    await servers.runInline(['odd'], 'Start Server');
    await text(/Buy milk/);
    await workbench.run('View: Open Previous Editor in Group');
    await workbench.statusBar.waitFor('16x16');
    await workbench.screenshot('resource-started');
  });

  test('say that their server is no longer configured', async () => {
    await open('odd', 'odd://home/notes.md');
    await text(/Buy milk/);
    const { odd, ...others } = runningServers;
    writeServers(demo.file, others);
    await text(/^The MCP server of this document isn't configured here/);
    await workbench.screenshot('resource-removed');
    writeServers(demo.file, { ...others, odd });
    await waitUntilRunning(servers, 'odd');
    await text(/Buy milk/);
  });
});
