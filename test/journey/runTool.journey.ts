import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { eventually, expect } from '../editor/expectation.ts';
import { proposedFile, saveThroughDialog } from '../editor/folderDialog.ts';
import type { ToolForm } from '../editor/toolForm.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginRunning } from './runningServers.ts';
import { openServers, openTool, startTool } from './support.ts';

suite('Run Tool…', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;
  let form: ToolForm;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginRunning());
    form = workbench.toolForm;
    servers = await openServers(workbench);
  });

  teardown(async () => {
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('offers the tools of all running servers', async () => {
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await eventually.ok(async () => (await workbench.quickInput.items()).length > 5);
    await workbench.screenshot('run-tool-pick');
    await workbench.quickInput.cancel();
  });

  test('runs a tool without arguments at once, from its row in the tree', async () => {
    await servers.expand('files', 'Tools');
    await servers.runInline(['files', 'Tools', 'List Allowed Directories'], 'Run Tool…');
    const text = await form.result(/Allowed directories:/);
    assert.match(text, /^Result\s+Took \d/);
    assert.match(await form.waitForText(/Tool 'list_allowed_directories' of server 'files'/), /no arguments/);
    await workbench.screenshot('run-tool-without-arguments');
    await servers.collapse('files', 'Tools');
  });

  test('runs with the keyboard', async () => {
    await openTool(workbench, 'Get Sum Tool');
    await eventually.equal(
      async () => form.field('a').evaluate((node) => node === document.activeElement),
      true,
    );
    await form.fill('a', '40');
    await form.field('b').focus();
    await workbench.page.keyboard.type('2');
    await workbench.page.keyboard.press('ControlOrMeta+Enter');
    assert.match(await form.result(/The sum of 40 and 2 is 42/), /Took \d+ ms/);
    await workbench.screenshot('run-tool-result');
  });

  test('keeps what is typed while another form covers it, and proposes what ran last', async () => {
    await openTool(workbench, 'Get Sum Tool');
    assert.equal(await form.value('a'), '40');
    await form.waitForText(/Filled in as you last ran it/);
    await form.fill('a', 'not yet a number');
    await openTool(workbench, 'Echo Tool');
    await form.fill('message', 'hello');
    const tabs = (await workbench.editors.tabs()).map(({ title }) => title);
    assert.deepEqual(tabs, ['Get Sum Tool', 'Echo Tool']);
    await workbench.editors.select('Get Sum Tool');
    await form.waitFor('Get Sum Tool');
    await eventually.equal(() => form.value('a'), 'not yet a number');
    await form.press('Use Defaults');
    await eventually.equal(() => form.value('a'), '');
    // The form that is open, and no second one.
    await openTool(workbench, 'Echo Tool');
    await eventually.equal(() => form.value('message'), 'hello');
    assert.equal((await workbench.editors.tabs()).length, 2);
  });

  test('opens a result as a document, from which it runs again, and copies it', async () => {
    const { editors } = workbench;
    await startTool(workbench, 'Get Sum Tool', { a: '1', b: '2' });
    await form.result(/The sum of 1 and 2 is 3/);
    await form.press('Copy as JSON');
    const copied = () => workbench.page.evaluate(() => navigator.clipboard.readText());
    const json = await expect('a copied result', copied, (text) => text.includes('The sum of'));
    assert.deepEqual(JSON.parse(json), { content: [{ type: 'text', text: 'The sum of 1 and 2 is 3.' }] });
    await form.press('Open as Document');
    assert.match(await editors.waitForText(/The sum of 1 and 2 is 3/), /"a": 1/);
    const lenses = 'Run Again, Edit Arguments…, Copy as JSON, Save As…';
    await expect(
      `the code lenses ${lenses}`,
      () => editors.codeLenses(),
      (found) => found.join(', ') === lenses,
    );
    await workbench.screenshot('run-tool-document');
    await editors.pressCodeLens('Run Again');
    await form.result(/The sum of 1 and 2 is 3/); // in a form with the same arguments
    assert.equal(await form.value('a'), '1');
    await form.press('Open as Document');
    await editors.waitForText(/The sum of 1 and 2 is 3/);
    await editors.pressCodeLens('Save As…');
    const target = demo.folder.join('notes', 'sum.json');
    await eventually.match(() => proposedFile(workbench.page), /\/get-sum .*\.txt$/);
    await saveThroughDialog(workbench.page, target);
    const saved = await expect(
      'a saved result',
      () => readFile(target, 'utf8').catch(() => ''),
      (text) => text !== '',
    );
    assert.equal(saved, json);
    await editors.runFromTitle('Copy Result as JSON');
    await editors.pressCodeLens('Edit Arguments…');
    await form.waitFor('Get Sum Tool');
    await eventually.equal(() => form.value('a'), '1');
    await form.fill('a', '5');
    await form.run();
    await form.result(/The sum of 5 and 2 is 7/);
  });

  test('leaves an optional object out until you add it, whatever is required in it', async () => {
    await startTool(workbench, 'say', { level: 'info', said: 'hello' });
    await form.result(/^said$/m);
    await workbench.screenshot('run-tool-optional');
    await form.press('Add via');
    await form.fill('user', 'jo');
    await workbench.screenshot('run-tool-optional-added');
    await form.run();
    await form.result(/^said via jo:22$/m);
  });

  test('opens the links of a result through its server', async () => {
    await startTool(workbench, 'Get Resource Links Tool', { count: '2' });
    await form.result(/Resource link/);
    await form.press(/^Open Resource: /);
    await workbench.editors.waitForText(/[Rr]esource 1/);
  });

  test('accepts Enter before the rows for the typed text have come', async () => {
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await workbench.quickInput.enter('read multiple files');
    await form.waitFor('Read Multiple Files');
  });

  test('opens an image in the viewer of the editor', async () => {
    await openTool(workbench, 'Get Tiny Image Tool');
    await form.result(/image-1\.png, image\/png/);
    await form.press('Open Image: image-1.png');
    await expect(
      'the image',
      () => workbench.editors.tabs(),
      (tabs) => tabs.some(({ title }) => /^get-tiny-image.*\.png$/.test(title)),
    );
    await workbench.screenshot('run-tool-image');
  });

  test('shows progress in the status bar, and cancels quietly with its tab', async () => {
    await startTool(workbench, 'Trigger Long Running Operation Tool', { duration: '600', steps: '600' });
    await workbench.statusBar.waitFor(/MCP: trigger-long-running-operation on library/);
    await workbench.screenshot('run-tool-progress');
    await workbench.execute('workbench.action.closeActiveEditor');
    await expect(
      'a call that ended with its tab',
      () => workbench.statusBar.now(),
      (entries) => entries.every(({ text }) => !text.includes('trigger-long-running')),
    );
    assert.deepEqual(await workbench.notifications.told(), []);
  });
});
