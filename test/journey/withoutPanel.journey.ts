import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, expect, plain } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { openServers, rowSays, takeBack, untilNothingIsAsked, waitUntilRunning } from './support.ts';

const long = `--config=${'{"key":"a long value without end"},'.repeat(20)}`;
const servers = {
  lost: { command: 'no-such-server', args: ['--short'] },
  filesystem: demoServers.filesystem,
  everything: demoServers.everything,
  longer: { command: 'no-such-server', args: [long] }, // the last: where paths are long, others have a document too
};

/** Takes away the page of the panel, which then never becomes ready, and what agent mode is registered by. */
function breakParts(folder: string): () => void {
  const page = join(folder, 'dist/webview/pages.js');
  const main = join(folder, 'dist/extension.cjs');
  const code = readFileSync(main, 'utf8');
  const refuse = "(id) => { throw new Error(`There is no '${id}'.`); }";
  renameSync(page, `${page}.away`);
  writeFileSync(main, `require('vscode').lm.registerMcpServerDefinitionProvider = ${refuse};\n${code}`);
  return () => {
    renameSync(`${page}.away`, page);
    writeFileSync(main, code);
  };
}

suite('Without a review panel and without agent mode', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let tree: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared({
      servers: {},
      settings: { 'mcpHost.servers': servers },
      changeExtension: breakParts,
    }));
  });

  test('launches are asked about in dialogs, a long one with a document', async () => {
    await workbench.notifications.press('4 MCP servers are waiting for your decision.', 'Review');
    const text = await workbench.dialog.text();
    assert.match(text, /Start the MCP server 'lost'\?/);
    assert.match(text, /1\. --short/);
    await workbench.screenshot('review-fallback');
    await workbench.dialog.answer("Don't Allow");
    assert.match(await workbench.dialog.answer('Allow'), /Start the MCP server 'filesystem'\?/);
    assert.match(await workbench.dialog.answer('Allow'), /Start the MCP server 'everything'\?/);
    assert.match(await workbench.dialog.text(), /is open in the editor behind this dialog/);
    await workbench.screenshot('review-fallback-long');
    assert.match(await workbench.dialog.answer('Allow'), /Start the MCP server 'longer'\?/);
    const document = await workbench.editors.waitForText(/Start the MCP server 'longer'\?/);
    assert.ok(document.includes(`'${long}'`), document);
    tree = await openServers(workbench);
    await tree.waitForRow(['lost'], 'be denied', ({ description }) => description === 'denied');
    await tree.waitForRow(['longer'], 'have failed', ({ description }) => description.startsWith('failed: '));
    await waitUntilRunning(tree, 'filesystem');
    await waitUntilRunning(tree, 'everything');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('a part that could not be registered is shown in the tree, with the way to the log', async () => {
    await eventually.all(
      () => tree.row("Agent mode isn't available"),
      ({ description }) => {
        assert.match(description, /mcpHost\.gateway/);
      },
    );
    await workbench.screenshot('missing-part');
    await tree.select("Agent mode isn't available");
    const log = workbench.page.locator('.part.panel .view-lines', { hasText: 'Agent mode' });
    await log.waitFor();
    await workbench.screenshot('missing-part-log');
    await workbench.execute('workbench.action.closePanel');
  });

  test('folders are asked about in a dialog, and closing it decides nothing', async () => {
    await takeBack(workbench, 'filesystem: sees all folders');
    await workbench.notifications.press(/^Which folders .* can 'filesystem' see/, 'Review');
    const text = await workbench.dialog.text();
    assert.match(text, /Which folders of this workspace can 'filesystem' see\?/);
    // Where paths are long, the dialog is too short for all of it.
    const isApart = /is open in the editor behind this dialog/.test(text);
    const whole = isApart ? await workbench.editors.waitForText(/Which folders/) : text;
    assert.match(plain(whole), /This does not limit it to these folders/);
    await eventually.deepEqual(
      async () => (await workbench.dialog.buttons()).toSorted(),
      ["Don't Share", 'Not Now', 'Share All'],
    );
    await workbench.screenshot('roots-consent-dialog');
    await workbench.page.keyboard.press('Escape');
    await expect(
      'the dialog closed',
      () => workbench.dialog.isOpen(),
      (isOpen) => !isOpen,
    );
    await untilNothingIsAsked(workbench);
    await rowSays(tree, ['filesystem', 'Folders'], 'not decided yet');
  });

  test('a tool is asked about in a dialog with the whole request in a document, and Never is kept', async () => {
    await workbench.run('Caller: Write a File');
    await workbench.notifications.press(
      "The extension 'Caller' is waiting for your decision about 'filesystem'.",
      'Review',
    );
    await eventually.match(() => workbench.dialog.text(), /The extension 'Caller' wants to run 'write_file'/);
    await eventually.deepEqual(
      async () => (await workbench.dialog.buttons()).toSorted(),
      ['Allow Once', 'Cancel', "Don't Allow", 'Never Allow'],
    );
    await workbench.screenshot('call-question-dialog');
    await workbench.dialog.answer('Never Allow');
    const document = await workbench.editors.waitForText(/wants to run 'write_file'/);
    assert.match(document, /line 39 of a file\nthe end\\u\{202E\}\nsee/);
    await workbench.notifications.waitFor(/^Refused: /);
    await workbench.run('Caller: Write a File');
    await workbench.notifications.waitFor(/^Refused: /);
    assert.equal(existsSync(demo.folder.join('notes', 'written.txt')), false);
    await untilNothingIsAsked(workbench);
  });

  suite('Run Tool… asks in quick inputs', () => {
    const choose = async (title: string): Promise<void> => {
      await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
      await workbench.quickInput.pick(title);
    };

    teardown(async () => {
      await workbench.execute('workbench.action.closeAllEditors');
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
      await eventually.match(() => quickInput.validationMessage(), /must have at least 1 item\./);
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
      const message = "The argument 'edits' at /0/oldText must be a string.";
      await notifications.waitFor(`Line 3: ${message}`);
      await workbench.run('Problems: Focus on Problems View');
      await problems.waitFor(/must be a string\./);
      await workbench.screenshot('run-tool-document-problem');
      await editors.runFromTitle('Cancel');
      await expect(
        'no editor',
        () => editors.tabs(),
        (tabs) => tabs.length === 0,
      );
      await workbench.run('Notifications: Clear All Notifications');
      await workbench.run('View: Toggle Problems'); // it would take the room of what comes next
    });
  });

  suite('Prompts and templates ask in quick inputs', () => {
    teardown(async () => {
      await workbench.quickInput.cancel();
      await workbench.execute('workbench.action.closeAllEditors');
    });

    const offered = (wanted: string) =>
      expect(
        `'${wanted}'`,
        () => workbench.quickInput.itemsNow(),
        (found) => found.some(({ description }) => description === wanted),
      );

    test('a prompt step by step with suggestions, there and back', async () => {
      const { quickInput, editors } = workbench;
      await workbench.runToInput('MCP Host: Use Prompt…', 'Use Prompt');
      await quickInput.pick('Team Management');
      await quickInput.waitUntilOpen('Team Management on everything (1/2)');
      await quickInput.accept();
      await quickInput.waitUntilOpen('Team Management on everything (1/2)');
      await quickInput.type('Eng');
      await offered('Engineering');
      await workbench.screenshot('prompts-department');
      await quickInput.enter('Engineering');
      await quickInput.waitUntilOpen('Team Management on everything (2/2)');
      await quickInput.press('Back');
      await quickInput.waitUntilOpen('Team Management on everything (1/2)');
      await eventually.equal(() => quickInput.value(), 'Engineering');
      await quickInput.accept();
      await quickInput.waitUntilOpen('Team Management on everything (2/2)');
      await offered('Alice');
      await quickInput.enter('Alice');
      const text = await editors.waitForText(/promote/);
      assert.match(text, /\n {2}department: Engineering\n {2}name: Alice\n/);
    });

    test('a template with the URI as it grows, and its values again after a failure', async () => {
      const { quickInput, notifications, editors } = workbench;
      await workbench.runToInput('MCP Host: Open Resource…');
      await quickInput.pick('Dynamic Text Resource');
      await quickInput.waitUntilOpen('Open Dynamic Text Resource from everything');
      await quickInput.type('none');
      await expect(
        'the URI',
        () => quickInput.prompt(),
        (prompt) => prompt.startsWith('resourceId → demo://resource/dynamic/text/none'),
      );
      await workbench.screenshot('template-typed');
      await quickInput.accept();
      await notifications.press(/Unknown resource/, 'Change Values…');
      await quickInput.waitUntilOpen('Open Dynamic Text Resource from everything');
      await eventually.equal(() => quickInput.value(), 'none');
      await quickInput.enter('43');
      await editors.waitForText(/Resource 43/);
    });
  });
});
