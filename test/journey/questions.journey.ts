import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually, expect } from '../editor/expectation.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import {
  allowServers,
  openServers,
  openTool,
  startTool,
  untilNothingIsAsked,
  waitUntilRunning,
} from './support.ts';

const servers = {
  everything: demoServers.everything,
  accounts: fixtureServer('addressServer.ts'),
  asker: fixtureServer('samplingServer.ts', '--timeout=600000', '--method=elicitation/create'),
  filesystem: demoServers.filesystem,
};
const title = "'everything' asks you to fill in a form";
const waiting = "The extension 'Caller' is waiting for your decision about 'filesystem'.";

suite('What servers and extensions ask', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let written: string;

  suiteSetup(async () => {
    const settings = {
      'workbench.editor.useModal': 'off', // so that the settings open in a tab
      'mcpHost.servers': servers,
    };
    ({ demo, workbench } = await beginShared({ servers: {}, settings }));
    written = demo.folder.join('notes', 'written.txt');
    await allowServers(workbench, 4);
    const tree = await openServers(workbench);
    for (const name of Object.keys(servers)) {
      await waitUntilRunning(tree, name);
    }
  });

  const inspect = async (name: string, theme: 'light' | 'dark'): Promise<void> => {
    await workbench.useTheme(theme);
    await workbench.screenshot(`${name}-${theme}`);
    await eventually.deepEqual(
      async () => findingsOfAxe(await workbench.review.frame()),
      [],
      `${name}, ${theme}`,
    );
  };

  suite('to fill in a form', () => {
    /** Runs the tool that asks, and opens its form. */
    const ask = async (): Promise<void> => {
      await openTool(workbench, 'Trigger Elicitation Request Tool');
      await workbench.notifications.press(`${title}.`, 'Review');
      await workbench.review.waitFor(1);
    };
    const field = async (label: string) =>
      (await workbench.review.frame()).getByLabel(label, { exact: true });
    const result = async (text: RegExp): Promise<void> => {
      await workbench.toolForm.result(text);
      await workbench.run('View: Close Editor');
      await untilNothingIsAsked(workbench);
      await workbench.review.waitUntilClosed(); // an open panel shows the next question without a notification
    };
    test('says which server asks, while doing what', async () => {
      await ask();
      const [question] = await workbench.review.questions();
      assert.ok(question);
      assert.equal(question.title, title);
      assert.match(question.text, /It asks while it runs 'trigger-elicitation-request'\./);
      assert.match(question.text, /Please provide inputs for the following fields:/);
      assert.deepEqual(question.buttons, ['Submit', 'Decline', 'Cancel', 'Never Ask', 'Open the Definition']);
      await eventually.equal(() => workbench.review.focused(), title);
      await inspect('elicitation', 'dark');
    });

    test('is filled in and submitted with the keyboard', async () => {
      await (await field('String with email format')).fill('jo@example.com');
      await (await field('String (required)')).focus();
      await workbench.page.keyboard.type('Jo Doe');
      await workbench.review.tabTo(/^Submit: /);
      await workbench.page.keyboard.press('Enter');
      await result(/User provided the requested information/);
    });

    test('is checked against the patterns of the server, in the thread of the package', async () => {
      const requestedSchema = {
        type: 'object',
        properties: { code: { type: 'string', title: 'Code', pattern: '^[A-Z]{3}$' } },
      };
      await startTool(workbench, 'ask', {
        params: JSON.stringify({ message: 'Which one?', requestedSchema }),
      });
      await workbench.notifications.press("'asker' asks you to fill in a form.", 'Review');
      await workbench.review.waitFor(1);
      await (await field('Code')).fill('abc');
      await workbench.review.tabTo(/^Submit: /); // the pointer is ignored just after the card has come
      await workbench.page.keyboard.press('Enter');
      await eventually.match(() => workbench.review.text(), /This must match pattern "\^\[A-Z\]\{3\}\$"\./);
      await (await field('Code')).fill('ABC');
      await workbench.review.answer('asker', 'Submit');
      await result(/action\s+accept/);
    });

    test('can be an address, which opens in the browser and is waited for', async () => {
      const { page, review } = workbench;
      await startTool(workbench, 'connect', {});
      await workbench.notifications.press("'accounts' asks you to open an address.", 'Review');
      const [question] = await review.waitFor(1);
      const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\/connect\?id=\S+/.exec(question?.text ?? '') ?? [];
      const heading = "'accounts' asks you to open an address";
      await eventually.equal(() => review.focused(), heading);
      await inspect('elicitation-address', 'light');
      await (await review.frame()).getByRole('heading', { name: heading }).focus();
      await review.tabTo(/^Open in Browser: /);
      // The editor opens addresses of this machine without a question of its own.
      const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
      await opened.waitForLoadState();
      // The editor forwards ports of the machine that it runs on.
      const path = address.slice(address.indexOf('/connect'));
      assert.ok(path !== '' && opened.url().endsWith(path), opened.url());
      await eventually.match(() => review.text(), /Waiting for the server\./);
      await opened.getByRole('link', { name: 'Connect' }).click();
      await opened.waitForURL(/done/);
      await opened.close();
      await result(/calls\s+2/);
    });

    test('ends with the extension host, as it says, and starts over when the server asks again', async () => {
      await ask();
      await (await field('String (required)')).fill('not sent');
      assert.match(
        await workbench.review.text(),
        /It is never stored: reloading the window ends the request/,
      );
      await workbench.restartExtensionHost();
      await waitUntilRunning(await openServers(workbench), 'everything');
      await workbench.execute('workbench.action.closeAllEditors');
      await untilNothingIsAsked(workbench);
      await ask();
      assert.equal(await (await field('String (required)')).inputValue(), '');
      await workbench.review.answer('everything', 'Decline');
      await result(/User declined/);
    });
  });

  suite('whether another extension may run a tool', () => {
    test("refuses this one request with Don't Allow", async () => {
      await workbench.run('Caller: Write a File');
      await workbench.notifications.press(waiting, 'Review');
      await workbench.review.waitFor(1);
      await workbench.review.answer('filesystem', "Don't Allow");
      await workbench.notifications.waitFor(/^Refused: /);
      await workbench.review.waitUntilClosed();
      assert.equal(existsSync(written), false);
    });

    test('keeps what was chosen while another tab is in front', async () => {
      await workbench.run('Caller: Write a File');
      await workbench.notifications.press(waiting, 'Review');
      await workbench.review.waitFor(1);
      await inspect('call-question', 'dark');
      await workbench.review.choose('filesystem', 'For this session');
      await workbench.review.choose('filesystem', "All tools of 'filesystem'");
      await workbench.review.press('filesystem', 'Open the Definition');
      await workbench.editors.waitFor('settings.json');
      await workbench.run('View: Close Editor');
      const [question] = await workbench.review.waitFor(1);
      assert.deepEqual(
        question?.choices.filter(({ isChosen }) => isChosen).map(({ label }) => label),
        ['For this session', "All tools of 'filesystem'"],
      );
    });

    test('is answered with the keyboard, and remembers the answer', async () => {
      await workbench.review.tabTo(/^Allow: The extension 'Caller'/);
      await workbench.screenshot('call-question-keyboard');
      await workbench.page.keyboard.press('Enter');
      await workbench.notifications.waitFor('Written');
      assert.match(readFileSync(written, 'utf8'), /the end\u202E\nsee/);
      await workbench.review.waitUntilClosed();
      rmSync(written);
      await workbench.run('Caller: Write a File');
      await expect(
        'the file written unasked',
        () => Promise.resolve(existsSync(written)),
        (exists) => exists,
      );
      await untilNothingIsAsked(workbench);
    });
  });
});
