import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { eventually, expect } from '../editor/expectation.ts';
import { proposedFile, saveThroughDialog } from '../editor/folderDialog.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, waitUntilRunning } from './support.ts';

suite('Run Tool…', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared());
    await allowServers(workbench, 2);
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'everything');
    await waitUntilRunning(servers, 'filesystem');
  });

  teardown(async () => {
    await workbench.execute('workbench.action.closeAllEditors');
  });

  const choose = async (title: string): Promise<void> => {
    await workbench.executeToInput('mcpHost.runTool', 'Run Tool');
    await workbench.quickInput.pick(title);
  };

  test('offers the tools of all running servers', async () => {
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await eventually.ok(async () => (await workbench.quickInput.items()).length > 5);
    await workbench.screenshot('run-tool-pick');
    await workbench.quickInput.cancel();
  });

  test('runs a tool from its row in the tree', async () => {
    await servers.expand('filesystem', 'Tools');
    await servers.runInline(['filesystem', 'Tools', 'List Allowed Directories'], 'Run Tool…');
    const text = await workbench.editors.waitForText(/Allowed directories:/);
    assert.match(text, /^Server: filesystem\nTool: list_allowed_directories\n/);
    await servers.collapse('filesystem', 'Tools');
  });

  test('asks for numbers, refuses other text, and goes back', async () => {
    const { quickInput } = workbench;
    await choose('Get Sum Tool');
    await quickInput.waitUntilOpen('Run get-sum on everything (1/2)');
    await quickInput.enter('four');
    await eventually.match(() => quickInput.validationMessage(), /number/);
    await workbench.screenshot('run-tool-refused');
    await quickInput.enter('4');
    await quickInput.waitUntilOpen('Run get-sum on everything (2/2)');
    await quickInput.press('Back');
    await quickInput.waitUntilOpen('Run get-sum on everything (1/2)');
    await eventually.equal(() => quickInput.value(), '4');
    await quickInput.enter('40');
    await quickInput.waitUntilOpen('Run get-sum on everything (2/2)');
    await quickInput.enter('2');
    const text = await workbench.editors.waitForText(/The sum of 40 and 2 is 42/);
    assert.match(text, /"a": 40/);
    await workbench.screenshot('run-tool-result');
  });

  test('runs it again, with the same arguments or with others, and copies the whole result', async () => {
    const { editors, quickInput } = workbench;
    await choose('Get Sum Tool');
    await quickInput.waitUntilOpen('Run get-sum on everything (1/2)');
    await quickInput.enter('1');
    await quickInput.waitUntilOpen('Run get-sum on everything (2/2)');
    await quickInput.enter('2');
    await editors.waitForText(/The sum of 1 and 2 is 3/);
    const lenses = 'Run Again, Edit Arguments…, Copy as JSON, Save As…';
    await expect(
      `the code lenses ${lenses}`,
      () => editors.codeLenses(),
      (found) => found.join(', ') === lenses,
    );
    await editors.pressCodeLens('Run Again');
    await expect(
      'a second result',
      () => editors.tabs(),
      (tabs) => tabs.length === 2,
    );
    await editors.waitForText(/The sum of 1 and 2 is 3/);
    await editors.pressCodeLens('Edit Arguments…');
    await quickInput.waitUntilOpen('Run get-sum on everything (1/2)');
    await eventually.equal(() => quickInput.value(), '1');
    await quickInput.enter('5');
    await quickInput.waitUntilOpen('Run get-sum on everything (2/2)');
    await eventually.equal(() => quickInput.value(), '2');
    await quickInput.accept();
    await editors.waitForText(/The sum of 5 and 2 is 7/);
    await editors.runFromTitle('Copy Result as JSON');
    const copied = () => workbench.page.evaluate(() => navigator.clipboard.readText());
    const json = await expect('a copied result', copied, (text) => text.startsWith('{'));
    assert.deepEqual(JSON.parse(json), {
      content: [{ type: 'text', text: 'The sum of 5 and 2 is 7.' }],
    });
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
  });

  test('opens the links of a result through its server, and says when that is not there', async () => {
    const { editors, quickInput } = workbench;
    await choose('Get Resource Links Tool');
    await quickInput.waitUntilOpen('Run get-resource-links on everything');
    await quickInput.enter('2');
    await editors.waitForText(/--- Resource link ---/);
    await workbench.page.keyboard.press('ControlOrMeta+Home'); // to read it was selected
    await workbench.screenshot('run-tool-links');
    await editors.pressCodeLens('Open Resource');
    await editors.waitForText(/[Rr]esource 1/);
  });

  test('offers the values of an enumeration', async () => {
    await choose('Get Structured Content Tool');
    await workbench.quickInput.waitUntilOpen('Run get-structured-content on everything');
    const items = await workbench.quickInput.items();
    assert.deepEqual(
      items.map(({ label }) => label),
      ['New York', 'Chicago', 'Los Angeles'],
    );
    await workbench.quickInput.pick('Chicago');
    const text = await workbench.editors.waitForText(/temperature/);
    assert.match(text, /"conditions"/);
  });

  test('accepts Enter before the rows for the typed text have come', async () => {
    const { quickInput } = workbench;
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await quickInput.enter('read multiple files');
    await quickInput.waitUntilOpen(/^Run read_multiple_files on filesystem/);
    await quickInput.cancel();
  });

  test('accepts a list item by item, or as JSON', async () => {
    const { quickInput } = workbench;
    const [todo, other] = [demo.folder.join('notes', 'todo.md'), demo.folder.join('notes', 'missing.md')];
    const promptSays = async (words: string): Promise<void> => {
      await expect(
        `a prompt with '${words}'`,
        () => quickInput.prompt(),
        (prompt) => prompt.includes(words),
      );
    };
    await choose('Read Multiple Files');
    await quickInput.waitUntilOpen(/^Run read_multiple_files on filesystem/);
    await quickInput.enter('');
    await eventually.match(() => quickInput.validationMessage(), /fewer than 1 item/);
    await workbench.screenshot('run-tool-list-empty');
    await quickInput.enter(todo);
    await promptSays('1 item: ');
    await quickInput.enter(other);
    await promptSays('2 items: ');
    await workbench.screenshot('run-tool-list');
    await quickInput.press('Remove the Last Item');
    await promptSays('1 item: ');
    await quickInput.accept();
    assert.doesNotMatch(await workbench.editors.waitForText(/todo\.md:/), /missing\.md/);
    await workbench.execute('workbench.action.closeAllEditors');
    await choose('Read Multiple Files');
    await quickInput.waitUntilOpen(/^Run read_multiple_files on filesystem/);
    await quickInput.enter(JSON.stringify([other]));
    await workbench.editors.waitForText(/missing\.md: Error/);
  });

  test('accepts a list of objects from a document that says what to write', async () => {
    const { editors, notifications, problems } = workbench;
    await choose('Edit File');
    await workbench.quickInput.waitUntilOpen(/^Run edit_file on filesystem \(1\//);
    await workbench.quickInput.enter(demo.folder.join('notes', 'todo.md'));
    const skeleton = await editors.waitForText(/"oldText": ""/);
    assert.match(skeleton, /\/\/ Text to search for - must match exactly\n\s*\/\/ Required: text/);
    await workbench.page.keyboard.press('ControlOrMeta+Home'); // to read it was selected
    for (const theme of ['dark', 'light'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`run-tool-document-${theme}`);
    }
    // Of what is typed the editor would close the brackets itself.
    const pasted = '[\n  {\n    "oldText": 5,\n    "newText": "b"\n  }\n]';
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await workbench.page.keyboard.press('ControlOrMeta+V');
    await editors.waitForText(/"oldText": 5/);
    await editors.pressCodeLens('Continue');
    const message = "The argument 'edits' at /0/oldText must be string.";
    await notifications.waitFor(`Line 3: ${message}`);
    await workbench.run('Problems: Focus on Problems View');
    await problems.waitFor(/must be string\./);
    await workbench.screenshot('run-tool-document-problem');
    await editors.runFromTitle('Cancel');
    await expect(
      'no editor',
      () => editors.tabs(),
      (tabs) => tabs.length === 0,
    );
    await workbench.execute('notifications.clearAll');
    await workbench.run('View: Toggle Problems'); // it would take the room of what comes next
  });

  test('opens an image in the viewer of the editor', async () => {
    await choose('Get Tiny Image Tool');
    await workbench.editors.waitForText(/image-1\.png, image\/png/);
    await eventually.all(
      async () => (await workbench.editors.tabs()).map(({ title }) => title),
      (titles) => {
        assert.ok(
          titles.some((title) => /^get-tiny-image .*\.png$/.test(title)),
          titles.join(),
        );
      },
    );
    await workbench.screenshot('run-tool-image');
    const isPicture = ({ title }: { readonly title: string }): boolean => title.endsWith('.png');
    const picture = (await workbench.editors.tabs()).find(isPicture)?.title ?? '';
    await workbench.editors.select(picture);
    await workbench.execute('workbench.action.closeActiveEditor');
    await workbench.editors.pressCodeLens('Open Image');
    await expect(
      'the image again',
      () => workbench.editors.tabs(),
      (tabs) => tabs.some(isPicture),
    );
  });

  test('looks well whatever a tool returns', async () => {
    const { quickInput } = workbench;
    const picked = new Set(['success', 'true', 'Text', 'Chicago']);
    const results: readonly [title: string, begins: RegExp, ...answers: string[]][] = [
      ['Echo Tool', /Echo: hello/, 'hello'],
      ['Get Annotated Message Tool', /--- Text/, 'success', 'true'],
      ['Get Resource Reference Tool', /--- Resource/, 'Text', '1'],
      ['Get Structured Content Tool', /temperature/, 'Chicago'],
      ['Trigger Long Running Operation Tool', /completed/, '1', '2'],
      ['Print Environment Tool', /PATH/],
    ];
    for (const [title, begins, ...answers] of results) {
      await choose(title);
      for (const [index, answer] of answers.entries()) {
        await quickInput.waitUntilOpen(answers.length > 1 ? new RegExp(`\\(${index + 1}/`) : /^Run /);
        await (picked.has(answer) ? quickInput.pick(answer) : quickInput.enter(answer));
      }
      await workbench.editors.waitForText(begins);
      await workbench.page.keyboard.press('ControlOrMeta+Home');
      await workbench.screenshot(`run-tool-${title.toLowerCase().replaceAll(' ', '-')}`);
      await workbench.execute('workbench.action.closeAllEditors');
    }
  });

  test('shows a failure of the tool as a result', async () => {
    await choose('Get File Info');
    await workbench.quickInput.waitUntilOpen('Run get_file_info on filesystem');
    await workbench.quickInput.enter('/etc/passwd');
    const text = await workbench.editors.waitForText(/The tool reported an error/);
    assert.match(text, /Access denied/);
    await workbench.page.keyboard.press('ControlOrMeta+Home'); // to read it was selected
    const { width = 0, height = 0 } = workbench.page.viewportSize() ?? {};
    for (const theme of ['dark', 'highContrast', 'light'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`run-tool-error-${theme}`);
    }
    await workbench.page.setViewportSize({ width: 700, height });
    await workbench.screenshot('run-tool-error-narrow');
    await workbench.page.setViewportSize({ width, height });
  });

  test('shows progress, and cancels quietly', async () => {
    const { quickInput, notifications } = workbench;
    await choose('Trigger Long Running Operation Tool');
    await quickInput.waitUntilOpen(/\(1\/2\)$/);
    await quickInput.enter('600');
    await quickInput.waitUntilOpen(/\(2\/2\)$/);
    await quickInput.enter('600');
    await notifications.waitFor(/Running trigger-long-running-operation on everything/);
    await workbench.screenshot('run-tool-progress');
    await notifications.press(/Running trigger-long-running-operation/, 'Cancel');
    await notifications.waitUntilGone(/Running trigger-long-running-operation/);
    assert.deepEqual(await notifications.now(), []);
    await eventually.deepEqual(() => workbench.editors.tabs(), []);
  });
});
