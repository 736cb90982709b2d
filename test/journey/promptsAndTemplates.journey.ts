import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eventually, expect } from '../editor/expectation.ts';
import type { ToolForm } from '../editor/toolForm.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginRunning } from './runningServers.ts';
import { openServers } from './support.ts';

const nothingCopied = 'nothing was copied';
const promotion = 'Please promote Alice to the head of the Engineering team.';

/** A template that server-everything lists. */
const listed = {
  name: 'Dynamic Text Resource',
  uriTemplate: 'demo://resource/dynamic/text/{resourceId}',
  description:
    'Plaintext dynamic resource fabricated from the {resourceId} variable, which must be an integer.',
};

suite('Prompts and templates', () => {
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
    await workbench.quickInput.cancel();
    await workbench.execute('workbench.action.closeAllEditors');
  });

  suite('a template', () => {
    const openTemplate = async (template: object): Promise<void> => {
      await workbench.execute('probe.template', 'library', template);
    };

    test('is filled in with the keyboard, opens its resource, and proposes what was entered last', async () => {
      const { keyboard } = workbench.page;
      await openTemplate(listed);
      await form.waitFor('Dynamic Text Resource');
      await form.waitForText(/URI\s+demo:\/\/resource\/dynamic\/text\/\{resourceId\}/);
      await eventually.equal(
        async () => form.field('resourceId').evaluate((node) => node === document.activeElement),
        true,
      );
      await keyboard.type('42');
      await form.waitForText(/demo:\/\/resource\/dynamic\/text\/42\b/);
      await keyboard.press('ControlOrMeta+Enter');
      await workbench.editors.waitForText(/Resource 42: This is a plaintext resource/);
      await workbench.screenshot('template-opened');
      await workbench.execute('workbench.action.closeAllEditors');
      await openTemplate(listed);
      await form.waitForText(/Filled in as you last used it/);
      assert.equal(await form.value('resourceId'), '42');
      assert.deepEqual(await workbench.notifications.told(), []);
    });

    test('without variables opens at once', async () => {
      await openTemplate({ name: 'one', uriTemplate: 'demo://resource/dynamic/text/1' });
      await workbench.editors.waitForText(/Resource 1:/);
    });

    test('that is malformed says so', async () => {
      await openTemplate({ name: 'broken', uriTemplate: 'demo://{a' });
      const { message } = await workbench.notifications.waitFor(/malformed/);
      assert.match(message, /'library' offers 'broken' with a malformed URI template: A '\{' is not closed/);
      await workbench.notifications.dismiss(/malformed/);
    });
  });

  suite('prompts', () => {
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

    const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
    const emptyClipboard = () =>
      workbench.page.evaluate((text) => navigator.clipboard.writeText(text), nothingCopied);
    const untilCopied = (text: string) =>
      expect(`${JSON.stringify(text)} in the clipboard`, clipboard, (copied) => copied === text);

    test('are listed below their server, and used from there', async () => {
      await servers.expand('library', 'Prompts');
      await workbench.screenshot('prompts-tree');
      await eventually.all(
        () => servers.row('library', 'Prompts', 'Team Management'),
        ({ description }) => {
          assert.match(description, /^completable-prompt · First argument/);
        },
      );
      await servers.runInline(['library', 'Prompts', 'Simple Prompt'], 'Use Prompt…');
      const text = await form.result(/This is a simple prompt without arguments\./);
      assert.match(text, /^Prompt\s+Took .*Nothing has been sent\./);
      assert.equal(await workbench.chat.isOpen(), false);
      await servers.collapse('library', 'Prompts');
    });

    test('are offered from all running servers', async () => {
      await workbench.runToInput('MCP Host: Use Prompt…', 'Use Prompt');
      await eventually.deepEqual(
        async () => (await workbench.quickInput.items()).map(({ label }) => label),
        ['Simple Prompt', 'Arguments Prompt', 'Team Management', 'Resource Prompt', 'odd', 'picture'],
      );
      await workbench.screenshot('prompts-pick');
    });

    test('have suggestions in their fields, and go to the chat', async () => {
      const { chat, statusBar } = workbench;
      await choose('Team Management');
      await form.field('department').press('ArrowDown');
      await form.waitForSuggestions('Engineering', 'Sales', 'Marketing', 'Support');
      await form.pick('Engineering');
      await form.fill('name', 'Alice');
      await form.run('Get Prompt');
      await form.result(new RegExp(promotion));
      await workbench.screenshot('prompts-result');
      assert.equal(await chat.isOpen(), false);

      await form.press('Send to Chat');
      await chat.waitForTyped(promotion);
      await workbench.screenshot('prompts-chat');
      assert.doesNotMatch(await chat.conversation(), /promote/, 'it was sent before the user sent it');
      await chat.send('Scripted One');
      await statusBar.waitFor(`heard ${JSON.stringify(promotion)}`);
      await workbench.screenshot('prompts-chat-sent');
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
});
