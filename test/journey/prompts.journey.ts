import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eventually, expect } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, waitUntilRunning } from './support.ts';

const nothingCopied = 'nothing was copied';
const promotion = 'Please promote Alice to the head of the Engineering team.';

/** A server whose prompts are hostile, or never come. */
const unfriendly = fixtureServer('legacyServer.ts', '--prompts=odd,silent,picture');

suite('Prompts', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared({
      servers: {},
      settings: { 'mcpHost.servers': { everything: demoServers.everything, unfriendly } },
    }));
    await allowServers(workbench, 2);
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'everything');
    await waitUntilRunning(servers, 'unfriendly');
  });

  teardown(async () => {
    await workbench.quickInput.cancel();
    await workbench.execute('workbench.action.closeAllEditors');
  });

  const choose = async (title: string): Promise<void> => {
    await workbench.runToInput('MCP Host: Use Prompt…', 'Use Prompt');
    await workbench.quickInput.pick(title);
  };

  /** Answers the arguments of `args-prompt`, and waits for its preview. */
  const askWeather = async (city: string): Promise<string> => {
    const { quickInput, editors } = workbench;
    await choose('Arguments Prompt');
    await quickInput.waitUntilOpen('Arguments Prompt on everything (1/2)');
    await quickInput.enter(city);
    await quickInput.waitUntilOpen('Arguments Prompt on everything (2/2)');
    await quickInput.enter('');
    await editors.waitFor(/^Arguments Prompt/);
    return editors.waitForText(/What's weather in/);
  };

  const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
  const emptyClipboard = () =>
    workbench.page.evaluate((text) => navigator.clipboard.writeText(text), nothingCopied);
  const untilCopied = (text: string) =>
    expect(`${JSON.stringify(text)} in the clipboard`, clipboard, (copied) => copied === text);

  test('are listed below their server, and used from there', async () => {
    await servers.expand('everything', 'Prompts');
    await workbench.screenshot('prompts-tree');
    await eventually.all(
      () => servers.row('everything', 'Prompts', 'Team Management'),
      ({ description }) => {
        assert.match(description, /^completable-prompt · First argument/);
      },
    );
    await servers.runInline(['everything', 'Prompts', 'Simple Prompt'], 'Use Prompt…');
    const text = await workbench.editors.waitForText(/simple prompt/);
    assert.match(text, /^This is a prompt: .*\nNothing has been sent\. /);
    assert.match(text, /────\nThis is a simple prompt without arguments\.$/);
    assert.equal(await workbench.chat.isOpen(), false);
    await servers.collapse('everything', 'Prompts');
  });

  test('are offered from all running servers', async () => {
    await workbench.runToInput('MCP Host: Use Prompt…', 'Use Prompt');
    await eventually.deepEqual(
      async () => (await workbench.quickInput.items()).map(({ label }) => label),
      ['Simple Prompt', 'Arguments Prompt', 'Team Management', 'Resource Prompt', 'odd', 'silent', 'picture'],
    );
    await workbench.screenshot('prompts-pick');
  });

  test('ask for arguments with completion, keep answers on the way back, and go to the chat', async () => {
    const { quickInput, editors, chat, statusBar } = workbench;
    await choose('Team Management');
    await quickInput.waitUntilOpen('Team Management on everything (1/2)');
    await quickInput.accept();
    await workbench.screenshot('prompts-required');
    await quickInput.waitUntilOpen('Team Management on everything (1/2)');
    await quickInput.type('Eng');
    const isOffered = (wanted: string) => (found: readonly { readonly description: string }[]) =>
      found.some(({ description }) => description === wanted);
    await expect("'Engineering'", () => quickInput.itemsNow(), isOffered('Engineering'));
    await workbench.screenshot('prompts-department');
    await quickInput.enter('Engineering');
    await quickInput.waitUntilOpen('Team Management on everything (2/2)');
    await quickInput.press('Back');
    await quickInput.waitUntilOpen('Team Management on everything (1/2)');
    await eventually.equal(() => quickInput.value(), 'Engineering');
    await quickInput.accept();
    await quickInput.waitUntilOpen('Team Management on everything (2/2)');
    await expect("'Alice'", () => quickInput.itemsNow(), isOffered('Alice'));
    await workbench.screenshot('prompts-name');
    await quickInput.enter('Alice');

    const text = await editors.waitForText(/promote/);
    assert.match(text, /\n {2}department: Engineering\n {2}name: Alice\n/);
    assert.ok(text.endsWith(`────\n${promotion}`));
    assert.equal(await chat.isOpen(), false);
    const actions = ['Send to Chat', 'Copy', 'Insert into Editor'];
    await expect(
      'the actions above the text',
      () => editors.codeLenses(),
      (found) => actions.every((one) => found.includes(one)),
    );
    await workbench.screenshot('prompts-preview');

    await editors.pressCodeLens('Send to Chat');
    await chat.waitForTyped(promotion);
    await workbench.screenshot('prompts-chat');
    assert.doesNotMatch(await chat.conversation(), /promote/, 'it was sent before the user sent it');
    await chat.send('Scripted One');
    await statusBar.waitFor(`heard ${JSON.stringify(promotion)}`);
    assert.doesNotMatch(await chat.conversation(), /\.txt/, 'the preview was attached');
    await workbench.screenshot('prompts-chat-sent');
  });

  test('propose the last values again', async () => {
    const { quickInput } = workbench;
    await askWeather('Bern');
    await choose('Arguments Prompt');
    await quickInput.waitUntilOpen('Arguments Prompt on everything (1/2)');
    await eventually.equal(() => quickInput.value(), 'Bern');
  });

  test('are copied as they are shown', async () => {
    await askWeather('Bern');
    await emptyClipboard();
    await workbench.editors.runFromTitle('Copy Prompt');
    await untilCopied("What's weather in Bern?");
    await workbench.statusBar.waitFor(/Copied the prompt/);
  });

  test('are inserted where you were writing', async () => {
    const { quickInput, editors } = workbench;
    await workbench.runToInput('Go to File...');
    await quickInput.pick('todo.md');
    await editors.waitFor('todo.md');
    const before = readFileSync(demo.folder.join('notes', 'todo.md'), 'utf8');
    await askWeather('Bern');
    await editors.pressCodeLens('Insert into Editor');
    await editors.waitFor('todo.md');
    await eventually.equal(() => editors.activeText(), `What's weather in Bern?${before}`);
    await workbench.statusBar.waitFor(/Inserted the prompt into todo\.md/);
    await workbench.screenshot('prompts-inserted');
    await discard();
  });

  test('are inserted into a new file if none is open', async () => {
    const { notifications, editors } = workbench;
    await askWeather('Bern');
    await editors.pressCodeLens('Insert into Editor');
    await notifications.press(/No file is open/, 'Insert into a New File');
    await editors.waitFor(/What's weather in Bern/);
    await eventually.equal(() => editors.activeText(), "What's weather in Bern?");
    await discard();
  });

  test('ask whether to include invisible characters', async () => {
    const { editors, dialog } = workbench;
    const text = await askWeather('Be\u202Ern');
    assert.match(text, /Hidden characters: 1\./);
    assert.match(text, /────\nWhat's weather in Be\\u\{202E\}rn\?$/);
    await workbench.screenshot('prompts-hidden');
    await emptyClipboard();
    await editors.pressCodeLens('Copy');
    await eventually.match(() => dialog.text(), /^The prompt has 1 invisible character/);
    await workbench.screenshot('prompts-hidden-question');
    await dialog.answer('Cancel');
    await eventually.equal(clipboard, nothingCopied);
    await editors.pressCodeLens('Copy');
    await dialog.answer('Copy as Shown');
    await untilCopied("What's weather in Be\\u{202E}rn?");
    await editors.pressCodeLens('Copy');
    await dialog.answer('Copy with Hidden Characters');
    await untilCopied("What's weather in Be\u202Ern?");
  });

  test('show an embedded resource as text', async () => {
    const { quickInput, editors } = workbench;
    await choose('Resource Prompt');
    await quickInput.waitUntilOpen('Resource Prompt on everything (1/2)');
    await quickInput.enter('Text');
    await quickInput.waitUntilOpen('Resource Prompt on everything (2/2)');
    await quickInput.enter('1');
    const text = await editors.waitForText(/This prompt includes/);
    assert.match(text, /\n--- Resource ---\nURI: demo:\/\/resource\/dynamic\/text\/1\n/);
    await workbench.screenshot('prompts-resource');
  });

  test('open their images beside, which are not sent', async () => {
    const { editors } = workbench;
    await choose('picture');
    const text = await editors.waitForText(/What is this/);
    assert.match(text, /so not sent: Image \(image-1\.png, image\/png, \d+ bytes\)/);
    await expect(
      'the image beside',
      () => editors.tabs(),
      (tabs) => tabs.some(({ title }) => /^picture .* image-1\.png$/.test(title)),
    );
    await editors.waitFor(/^picture .*\.txt$/);
    await workbench.screenshot('prompts-image');
  });

  test('that fail say why, and return to their arguments', async () => {
    const { quickInput, notifications, editors } = workbench;
    await choose('Resource Prompt');
    await quickInput.waitUntilOpen('Resource Prompt on everything (1/2)');
    await quickInput.enter('Wood');
    await quickInput.waitUntilOpen('Resource Prompt on everything (2/2)');
    await quickInput.enter('1');
    await notifications.waitFor(/could not fill in 'Resource Prompt'.*Invalid resourceType: Wood/);
    await workbench.screenshot('prompts-failed');
    await notifications.press(/could not fill in/, 'Change Arguments');
    await quickInput.waitUntilOpen('Resource Prompt on everything (1/2)');
    await eventually.equal(() => quickInput.value(), 'Wood');
    await quickInput.cancel();
    await eventually.deepEqual(() => editors.tabs(), []);
  });

  test('that are hostile are shown, and nothing more', async () => {
    const { editors, notifications } = workbench;
    await choose('odd');
    const text = await editors.waitForText(/harmless/);
    assert.match(text, /\nA chat may take '#file' for its own/);
    assert.match(text, /URI: file:\/\/\/etc\/passwd\nType: text\/plain\n\nnot the file/);
    assert.match(text, /so not sent: Image \(The data is not image\/png/);
    await eventually.equal(async () => (await editors.tabs()).length, 1);
    assert.equal(await workbench.page.locator('.part.editor .detected-link, .part.editor img').count(), 0);
    assert.deepEqual(await notifications.now(), []);
    await workbench.screenshot('prompts-hostile');
  });

  test('that do not arrive are cancelled quietly', async () => {
    const { notifications, editors } = workbench;
    await choose('silent');
    await notifications.waitFor(/Waiting for 'silent' on unfriendly/);
    await workbench.screenshot('prompts-waiting');
    await notifications.press(/Waiting for 'silent'/, 'Cancel');
    await notifications.waitUntilGone(/Waiting for 'silent'/);
    assert.deepEqual(await notifications.now(), []);
    await eventually.deepEqual(() => editors.tabs(), []);
  });

  test('are gone after a reload, and so are their actions', async () => {
    const { editors } = workbench;
    await askWeather('Bern');
    await workbench.restartExtensionHost();
    await editors.waitForText(/kept only in memory, and is gone/);
    assert.deepEqual(await editors.codeLenses(), []);
    assert.deepEqual(
      (await editors.titleActions()).filter((title) => /Prompt|Chat/.test(title)),
      [],
    );
    assert.equal(await workbench.offers('MCP Host: Send to Chat'), false);
  });

  /** Closes the editor in front without saving it. */
  async function discard(): Promise<void> {
    const { editors } = workbench;
    await workbench.run('View: Revert and Close Editor');
    await expect(
      'nothing unsaved',
      () => editors.tabs(),
      (tabs) => tabs.every(({ isDirty }) => !isDirty),
    );
    await editors.waitFor(/^Arguments Prompt/);
  }
});
