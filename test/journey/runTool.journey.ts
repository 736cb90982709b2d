import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually, expect } from '../editor/expectation.ts';
import { proposedFile, saveThroughDialog } from '../editor/folderDialog.ts';
import type { ToolForm } from '../editor/toolForm.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, openTool, startTool, waitUntilRunning } from './support.ts';

suite('Run Tool…', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;
  let form: ToolForm;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared());
    form = workbench.toolForm;
    await allowServers(workbench, 2);
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'everything');
    await waitUntilRunning(servers, 'filesystem');
  });

  teardown(async () => {
    await workbench.execute('workbench.action.closeAllEditors');
  });

  const inspect = async (name: string): Promise<void> => {
    for (const theme of ['light', 'highContrast', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`run-tool-${name}-${theme}`);
      await eventually.deepEqual(async () => findingsOfAxe(await form.frame()), [], `${name}, ${theme}`);
    }
  };

  test('offers the tools of all running servers', async () => {
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await eventually.ok(async () => (await workbench.quickInput.items()).length > 5);
    await workbench.screenshot('run-tool-pick');
    await workbench.quickInput.cancel();
  });

  test('runs a tool without arguments at once, from its row in the tree', async () => {
    await servers.expand('filesystem', 'Tools');
    await servers.runInline(['filesystem', 'Tools', 'List Allowed Directories'], 'Run Tool…');
    const text = await form.result(/Allowed directories:/);
    assert.match(text, /^Result\s+Took \d/);
    assert.match(
      await form.waitForText(/Tool 'list_allowed_directories' of server 'filesystem'/),
      /no arguments/,
    );
    await workbench.screenshot('run-tool-without-arguments');
    await servers.collapse('filesystem', 'Tools');
  });

  test('shows what is wrong at its field, and runs with the keyboard', async () => {
    await openTool(workbench, 'Get Sum Tool');
    await eventually.equal(
      async () => form.field('a').evaluate((node) => node === document.activeElement),
      true,
    );
    await form.fill('a', 'four');
    await form.waitForText(/This must be a number/);
    await workbench.page.keyboard.press('ControlOrMeta+Enter');
    await form.waitForText(/2 problems to fix before this can be sent/);
    await form.fill('a', '40');
    await form.field('b').focus();
    await workbench.page.keyboard.type('2');
    await workbench.page.keyboard.press('ControlOrMeta+Enter');
    const text = await form.result(/The sum of 40 and 2 is 42/);
    assert.match(text, /Took \d+ ms/);
    await inspect('result');
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
    await expect(
      'a second result',
      () => editors.tabs(),
      (tabs) => tabs.length === 3,
    );
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

  test('plays a sound below the form, and opens it', async () => {
    const file = demo.folder.join('notes', 'tone.wav');
    await writeFile(file, tone());
    await startTool(workbench, 'Read Media File', { path: file });
    await form.result(/audio-1\.wav/);
    const sound = (await form.frame()).locator('figure audio');
    await expect(
      'a sound that is loaded',
      () => sound.evaluate((node) => (node as HTMLAudioElement).duration),
      (seconds) => Math.abs(seconds - 0.25) < 0.01,
    );
    assert.equal(await sound.getAttribute('aria-label'), 'audio-1.wav');
    await sound.focus();
    await workbench.page.keyboard.press('Space');
    await expect(
      'a sound that was played to its end',
      () => sound.evaluate((node) => (node as HTMLAudioElement).ended),
      (hasEnded) => hasEnded,
    );
    await inspect('sound');
    await form.press('Open Sound: audio-1.wav');
    await expect(
      'the sound',
      () => workbench.editors.tabs(),
      (tabs) => tabs.some(({ title }) => /^read_media_file.*\.wav$/.test(title)),
    );
  });

  test('looks well whatever a tool returns', async () => {
    const results: readonly [title: string, begins: RegExp, args: Readonly<Record<string, string>>][] = [
      ['Get Annotated Message Tool', /Text/, { messageType: 'success', includeImage: 'Yes' }],
      ['Get Resource Reference Tool', /Resource/, { resourceType: 'Text', resourceId: '1' }],
      ['Trigger Long Running Operation Tool', /completed/, { duration: '1', steps: '2' }],
      ['Print Environment Tool', /PATH/, {}],
    ];
    for (const [title, begins, args] of results) {
      await (Object.keys(args).length === 0 ? openTool(workbench, title) : startTool(workbench, title, args));
      await form.result(begins);
      await workbench.screenshot(`run-tool-${title.toLowerCase().replaceAll(' ', '-')}`);
      await workbench.execute('workbench.action.closeAllEditors');
    }
  });

  test('shows a failure of the tool as a result', async () => {
    await startTool(workbench, 'Get File Info', { path: '/etc/passwd' });
    assert.match(await form.result(/The tool reported an error/), /Access denied/);
    await inspect('error');
    const { width = 0, height = 0 } = workbench.page.viewportSize() ?? {};
    await workbench.page.setViewportSize({ width: 700, height });
    await workbench.screenshot('run-tool-error-narrow');
    await workbench.page.setViewportSize({ width, height });
  });

  test('shows progress, and cancels quietly', async () => {
    await startTool(workbench, 'Trigger Long Running Operation Tool', { duration: '600', steps: '600' });
    await form.waitForText(/\b[1-9]\d* s\b/);
    await workbench.screenshot('run-tool-progress');
    await form.press('Cancel');
    await form.waitForStatus(/^Cancelled\.$/);
    assert.deepEqual(await workbench.notifications.now(), []);
    await startTool(workbench, 'Trigger Long Running Operation Tool', { duration: '600', steps: '600' });
    await workbench.statusBar.waitFor(/MCP: trigger-long-running-operation on everything/);
    await workbench.execute('workbench.action.closeActiveEditor');
    await expect(
      'a call that ended with its tab',
      () => workbench.statusBar.now(),
      (entries) => entries.every(({ text }) => !text.includes('trigger-long-running')),
    );
  });
});

/** A quarter of a second of a tone of 440 Hz: WAVE, 8,000 samples a second of 8 bits. */
function tone(): Buffer {
  const samples = Buffer.from(
    Array.from(
      { length: 2_000 },
      (_, at) => 128 + Math.round(60 * Math.sin((at / 8_000) * 440 * 2 * Math.PI)),
    ),
  );
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  [16, 0x0001_0001, 8_000, 8_000, 0x0008_0001].forEach((value, index) =>
    head.writeUInt32LE(value, 16 + 4 * index),
  );
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
