import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually, expect } from '../editor/expectation.ts';
import type { ToolForm } from '../editor/toolForm.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, waitUntilRunning } from './support.ts';

const nothingCopied = 'nothing was copied';
const promotion = 'Please promote Alice to the head of the Engineering team.';
const themes = ['light', 'highContrast', 'dark'] as const;

/** A server whose prompts are hostile, or never come. */
const unfriendly = fixtureServer('legacyServer.ts', '--prompts=odd,silent,picture,wide');

suite('Prompts', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;
  let form: ToolForm;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared({
      servers: {},
      settings: { 'mcpHost.servers': { everything: demoServers.everything, unfriendly } },
    }));
    form = workbench.toolForm;
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
    await workbench.executeToInput('mcpHost.usePrompt', 'Use Prompt');
    await workbench.quickInput.pick(title);
    await form.waitFor(title);
  };

  /** Fills in `args-prompt`, and waits for the prompt. */
  const askWeather = async (city: string): Promise<string> => {
    await choose('Arguments Prompt');
    await form.fill('city', city);
    await form.run('Get Prompt');
    return form.result(/What's weather in/);
  };

  /** The same as a document. */
  const openWeather = async (city: string): Promise<string> => {
    await askWeather(city);
    await form.press('Open as Document');
    await workbench.editors.waitFor(/^Arguments Prompt .*\.txt$/);
    return workbench.editors.waitForText(/What's weather in/);
  };

  /** Looks at the form in a theme. */
  const inspect = async (name: string, theme: (typeof themes)[number]): Promise<void> => {
    await workbench.useTheme(theme);
    await workbench.screenshot(`prompts-${name}-${theme}`);
    await eventually.deepEqual(async () => findingsOfAxe(await form.frame()), [], `${name}, ${theme}`);
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
    const text = await form.result(/This is a simple prompt without arguments\./);
    assert.match(text, /^Prompt\s+Took .*Nothing has been sent\./);
    assert.equal(await workbench.chat.isOpen(), false);
    await servers.collapse('everything', 'Prompts');
  });

  test('are offered from all running servers', async () => {
    await workbench.runToInput('MCP Host: Use Prompt…', 'Use Prompt');
    await eventually.deepEqual(
      async () => (await workbench.quickInput.items()).map(({ label }) => label),
      [
        'Simple Prompt',
        'Arguments Prompt',
        'Team Management',
        'Resource Prompt',
        'odd',
        'silent',
        'picture',
        'wide',
      ],
    );
    await workbench.screenshot('prompts-pick');
  });

  test('have suggestions in their fields, and go to the chat', async () => {
    const { chat, page, statusBar } = workbench;
    const { keyboard } = page;
    await choose('Team Management');
    await expect(
      'the focus in the first field',
      () => form.field('department').evaluate((node) => node === document.activeElement),
      Boolean,
    );
    await keyboard.press('ControlOrMeta+Enter');
    await form.waitForText(/2 problems to fix before this can be sent/);
    await workbench.screenshot('prompts-required');
    await keyboard.type('S');
    await form.waitForSuggestions('Sales', 'Support');
    await keyboard.press('Escape');
    await eventually.deepEqual(() => form.suggestions(), []);
    assert.equal(await form.value('department'), 'S', 'Escape only closes the list');
    await form.fill('department', '');
    await form.waitForSuggestions('Engineering', 'Sales', 'Marketing', 'Support');
    await keyboard.press('ArrowDown');
    const field = form.field('department');
    const active = await field.getAttribute('aria-activedescendant');
    assert.match(active ?? '', /-0$/);
    for (const theme of themes) {
      await inspect('suggestions', theme);
    }
    for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) {
      await field.press(key);
    }
    await eventually.equal(() => form.value('department'), 'Engineering');
    await keyboard.press('Tab');
    await keyboard.press('ArrowDown');
    await form.waitForSuggestions('Alice', 'Bob', 'Charlie');
    await form.pick('Alice');
    await eventually.equal(() => form.value('name'), 'Alice');
    await keyboard.press('ControlOrMeta+Enter');
    await form.result(new RegExp(promotion));
    for (const theme of themes) {
      await inspect('result', theme);
    }
    assert.equal(await chat.isOpen(), false);

    await form.press('Send to Chat');
    await chat.waitForTyped(promotion);
    await workbench.screenshot('prompts-chat');
    assert.doesNotMatch(await chat.conversation(), /promote/, 'it was sent before the user sent it');
    await chat.send('Scripted One');
    await statusBar.waitFor(`heard ${JSON.stringify(promotion)}`);
    await workbench.screenshot('prompts-chat-sent');
  });

  test('propose the last values again, and take a value that is not suggested', async () => {
    await askWeather('Bern');
    await workbench.execute('workbench.action.closeAllEditors');
    await choose('Arguments Prompt');
    await form.waitForText(/Filled in as you last used it/);
    assert.equal(await form.value('city'), 'Bern');
  });

  test('are opened as a document, from which they go to the chat too', async () => {
    const { editors } = workbench;
    const text = await openWeather('Bern');
    assert.match(text, /^This is a prompt: .*\nNothing has been sent\. /);
    assert.match(text, /\n {2}city: Bern\n {2}state: \(left out\)\n/);
    assert.ok(text.endsWith("────\nWhat's weather in Bern?"));
    const actions = ['Send to Chat', 'Copy', 'Insert into Editor'];
    await expect(
      'the actions above the text',
      () => editors.codeLenses(),
      (found) => actions.every((one) => found.includes(one)),
    );
    await workbench.screenshot('prompts-preview');
    await editors.pressCodeLens('Send to Chat');
    await workbench.chat.waitForTyped("What's weather in Bern?");
  });

  test('are copied as they are shown', async () => {
    await askWeather('Bern');
    await emptyClipboard();
    await form.press('Copy');
    await untilCopied("What's weather in Bern?");
    await workbench.statusBar.waitFor(/Copied the prompt/);
    await form.press('Open as Document');
    await workbench.editors.waitForText(/What's weather in/);
    await emptyClipboard();
    await workbench.editors.runFromTitle('Copy Prompt');
    await untilCopied("What's weather in Bern?");
  });

  test('are inserted where you were writing', async () => {
    const { quickInput, editors } = workbench;
    await workbench.runToInput('Go to File...');
    await quickInput.pick('todo.md');
    await editors.waitFor('todo.md');
    const before = readFileSync(demo.folder.join('notes', 'todo.md'), 'utf8');
    await askWeather('Bern');
    await form.press('Insert into Editor');
    await editors.waitFor('todo.md');
    await eventually.equal(() => editors.activeText(), `What's weather in Bern?${before}`);
    await workbench.statusBar.waitFor(/Inserted the prompt into todo\.md/);
    await workbench.screenshot('prompts-inserted');
    await discard();
  });

  test('are inserted into a new file if none is open', async () => {
    const { notifications, editors } = workbench;
    await askWeather('Bern');
    await form.press('Insert into Editor');
    await notifications.press(/No file is open/, 'Insert into a New File');
    await editors.waitFor(/What's weather in Bern/);
    await eventually.equal(() => editors.activeText(), "What's weather in Bern?");
    await discard();
  });

  test('ask whether to include invisible characters', async () => {
    const { dialog } = workbench;
    const text = await askWeather('Be\u202Ern');
    assert.match(text, /Hidden characters: 1\./);
    assert.match(text, /What's weather in Be\\u\{202E\}rn\?/);
    await workbench.screenshot('prompts-hidden');
    await emptyClipboard();
    await form.press('Copy');
    await eventually.match(() => dialog.text(), /^The prompt has 1 invisible character/);
    await workbench.screenshot('prompts-hidden-question');
    await dialog.answer('Cancel');
    await eventually.equal(clipboard, nothingCopied);
    await form.press('Copy');
    await dialog.answer('Copy as Shown');
    await untilCopied("What's weather in Be\\u{202E}rn?");
    await form.press('Copy');
    await dialog.answer('Copy with Hidden Characters');
    await untilCopied("What's weather in Be\u202Ern?");
  });

  test('that fail say why, and keep their arguments', async () => {
    await choose('Resource Prompt');
    await form.fill('resourceType', 'Wood');
    await form.fill('resourceId', '1');
    await form.run('Get Prompt');
    await form.waitForText(/could not fill in 'Resource Prompt'.*Invalid resourceType: Wood/);
    await inspect('failed', 'dark');
    assert.equal(await form.value('resourceType'), 'Wood');
    await form.fill('resourceType', 'Text');
    await form.run('Get Prompt');
    const text = await form.result(/This prompt includes/);
    assert.match(text, /User: Resource\s+URI: demo:\/\/resource\/dynamic\/text\/1\n/);
    await workbench.screenshot('prompts-resource');
    await form.press(/^Open Resource: /);
    await workbench.editors.waitForText(/[Rr]esource 1/);
  });

  test('show their images, which are not sent', async () => {
    const { editors } = workbench;
    await choose('picture');
    const text = await form.result(/What is this/);
    assert.match(text, /so not sent: Image \(image-1\.png, image\/png, \d+ bytes\)/);
    assert.equal(await (await form.frame()).locator('figure img').count(), 1);
    await workbench.screenshot('prompts-image');
    await form.press('Open Image: image-1.png');
    await expect(
      'the image',
      () => editors.tabs(),
      (tabs) => tabs.some(({ title }) => /^picture.*image-1\.png$/.test(title)),
    );
  });

  test('that are hostile are shown, and nothing more', async () => {
    const { editors, notifications } = workbench;
    await choose('odd');
    const text = await form.result(/harmless|Click/);
    assert.match(text, /A chat may take '#file' for its own/);
    assert.match(text, /URI: file:\/\/\/etc\/passwd\nType: text\/plain\n\nnot the file/);
    assert.match(text, /so not sent: Image \(The data is not image\/png/);
    const frame = await form.frame();
    assert.equal(await frame.locator('a, img').count(), 0);
    await inspect('hostile', 'dark');
    await form.press('Open as Document');
    await editors.waitForText(/\nA chat may take '#file' for its own/);
    await eventually.equal(async () => (await editors.tabs()).length, 2);
    assert.equal(await workbench.page.locator('.part.editor .detected-link, .part.editor img').count(), 0);
    assert.deepEqual(await notifications.now(), []);
  });

  test('of 200 arguments are filled in like any other, in a narrow panel too', async () => {
    const { keyboard } = workbench.page;
    await workbench.chat.close(); // it would stay as narrow as the window becomes
    await choose('wide');
    await form.field('value200').fill('last');
    await form.waitForSuggestions('last0', 'last1');
    const frame = await form.frame();
    await form.field('value150').focus();
    await frame.evaluate(countWork);
    await keyboard.type('0123456789');
    const { reads, fields } = await frame.evaluate(() => (globalThis as unknown as { work: Work }).work);
    assert.ok(reads > 0 && reads < 100, `${reads} times, a field was read while 10 keys were pressed`);
    assert.deepEqual([...fields], ['value150'], 'no other field is drawn again');
    await form.field('value200').focus();
    const { width = 0, height = 0 } = workbench.page.viewportSize() ?? {};
    await workbench.page.setViewportSize({ width: 700, height });
    await workbench.screenshot('prompts-wide-narrow');
    await keyboard.press('ArrowUp');
    await workbench.page.setViewportSize({ width, height });
    await keyboard.press('ControlOrMeta+Enter');
    await form.waitForText(/100 problems to fix before this can be sent/);
    await eventually.equal(
      async () => form.field('value1').evaluate((node) => node === document.activeElement),
      true,
    );
    await workbench.screenshot('prompts-wide');
  });

  test('that do not come are cancelled quietly', async () => {
    const { notifications } = workbench;
    await choose('silent');
    await form.waitForStatus(/^Running…$/);
    await workbench.screenshot('prompts-waiting');
    await form.press('Cancel');
    await form.waitForStatus(/^Cancelled\.$/);
    assert.deepEqual(await notifications.now(), []);
  });

  test('are gone after a reload, and so are their actions', async () => {
    const { editors } = workbench;
    await openWeather('Bern');
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
  }
});

/** What a page does while you type: how often it reads a field, and the labels of the fields that it changes. */
interface Work {
  reads: number;
  readonly fields: string[];
}

/** Runs in the page. */
function countWork(): void {
  const work: Work = { reads: 0, fields: [] };
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  Object.defineProperty(HTMLInputElement.prototype, 'value', {
    ...value,
    get(this: HTMLInputElement): unknown {
      work.reads += 1;
      return value?.get?.call(this);
    },
  });
  new MutationObserver((records) => {
    for (const { target } of records) {
      const label = target.parentElement?.closest('.field')?.querySelector('label')?.textContent;
      if (label && !work.fields.includes(label)) {
        work.fields.push(label);
      }
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  Object.assign(globalThis, { work });
}
