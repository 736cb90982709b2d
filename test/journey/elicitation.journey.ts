import assert from 'node:assert/strict';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually } from '../editor/expectation.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer } from '../editor/workspaces.ts';
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
  asker: fixtureServer('samplingServer.ts', '--timeout=600000', '--method=elicitation/create'),
  accounts: fixtureServer('addressServer.ts'),
};
const title = "'everything' asks you to fill in a form";
const themes = ['light', 'highContrast', 'highContrastLight', 'dark'] as const;

suite('The form of a server', () => {
  let workbench: Workbench;

  suiteSetup(async () => {
    ({ workbench } = await beginShared({ servers: {}, settings: { 'mcpHost.servers': servers } }));
    await allowServers(workbench, 3);
    const tree = await openServers(workbench);
    await waitUntilRunning(tree, 'everything');
    await waitUntilRunning(tree, 'asker');
    await waitUntilRunning(tree, 'accounts');
  });

  /** Runs the tool that asks, and opens its form. */
  const ask = async (): Promise<void> => {
    await openTool(workbench, 'Trigger Elicitation Request Tool');
    await workbench.notifications.press(`${title}.`, 'Review');
    await workbench.review.waitFor(1);
  };
  const field = async (label: string) => (await workbench.review.frame()).getByLabel(label, { exact: true });
  const result = async (text: RegExp): Promise<void> => {
    await workbench.toolForm.result(text);
    await workbench.run('View: Close Editor');
    await untilNothingIsAsked(workbench);
    await workbench.review.waitUntilClosed(); // an open panel shows the next question without a notification
  };
  const inspect = async (name: string): Promise<void> => {
    for (const theme of themes) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`elicitation-${name}-${theme}`);
      await eventually.deepEqual(
        async () => findingsOfAxe(await workbench.review.frame()),
        [],
        `${name}, ${theme}`,
      );
    }
  };

  test('says which server asks, while doing what, and looks well', async () => {
    await ask();
    const [question] = await workbench.review.questions();
    assert.ok(question);
    assert.equal(question.title, title);
    assert.match(question.text, /It asks while it runs 'trigger-elicitation-request'\./);
    assert.match(question.text, /Please provide inputs for the following fields:/);
    assert.deepEqual(question.buttons, ['Submit', 'Decline', 'Cancel', 'Never Ask', 'Open the Definition']);
    await eventually.equal(() => workbench.review.focused(), title);
    await inspect('empty');
  });

  test('shows errors at their fields, a summary, and the first of them', async () => {
    const mail = await field('String with email format');
    await mail.fill('nobody');
    await eventually.match(() => workbench.review.text(), /This must be an e-mail address/);
    await workbench.review.press('everything', 'Submit');
    await eventually.match(() => workbench.review.text(), /2 problems to fix before this can be sent/);
    await eventually.equal(
      async () => (await field('String (required)')).evaluate((node) => node === document.activeElement),
      true,
    );
    await inspect('problems');
  });

  test('keeps what was entered when its panel is closed, which is not an answer', async () => {
    await workbench.run('View: Close Editor');
    await workbench.run('MCP Host: Review Questions');
    await workbench.review.waitFor(1);
    await eventually.equal(async () => (await field('String with email format')).inputValue(), 'nobody');
  });

  test('is filled in and submitted with the keyboard', async () => {
    await (await field('String with email format')).fill('jo@example.com');
    await (await field('String (required)')).focus();
    await workbench.page.keyboard.type('Jo Doe');
    await workbench.review.tabTo(/^Submit: /);
    await workbench.page.keyboard.press('Enter');
    await result(/User provided the requested information/);
  });

  test('proposes the last answer, and is declined', async () => {
    await ask();
    await eventually.equal(async () => (await field('String (required)')).inputValue(), 'Jo Doe');
    await workbench.review.answer('everything', 'Decline');
    await result(/User declined/);
  });

  test('is cancelled', async () => {
    await ask();
    await workbench.review.answer('everything', 'Cancel');
    await result(/User cancelled/);
  });

  test('is checked against the patterns of the server, in the thread of the package', async () => {
    const requestedSchema = {
      type: 'object',
      properties: { code: { type: 'string', title: 'Code', pattern: '^[A-Z]{3}$' } },
    };
    await startTool(workbench, 'ask', { params: JSON.stringify({ message: 'Which one?', requestedSchema }) });
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

  test('is flagged when it asks for a password', async () => {
    const requestedSchema = {
      type: 'object',
      properties: { password: { type: 'string', title: 'Your password' } },
      required: ['password'],
    };
    await startTool(workbench, 'ask', {
      params: JSON.stringify({ message: 'Please sign in.', requestedSchema }),
    });
    await workbench.notifications.press("'asker' asks you to fill in a form.", 'Review');
    const [question] = await workbench.review.waitFor(1);
    assert.match(question?.text ?? '', /seems to ask for a password, a token or a key/);
    assert.equal(question?.buttons[0], 'Decline');
    const password = await field('Your password (required)');
    await password.fill('not shown');
    assert.equal(await password.getAttribute('type'), 'password');
    await inspect('flagged');
    await workbench.review.answer('asker', 'Never Ask');
    await result(/action\s+decline/);
  });

  test('can be an address, which opens in the browser and is waited for', async () => {
    const { page, review } = workbench;
    await startTool(workbench, 'connect', {});
    await workbench.notifications.press("'accounts' asks you to open an address.", 'Review');
    const [question] = await review.waitFor(1);
    const [address = '', host = ''] =
      /http:\/\/(127\.0\.0\.1:\d+)\/connect\?id=\S+/.exec(question?.text ?? '') ?? [];
    assert.ok(question);
    assert.ok(question.text.includes(`Its host is ${host}`), question.text);
    assert.match(question.text, /It can't handle 'connect' until this address is opened and done\./);
    assert.match(
      question.text,
      /Warning: The page is on your own machine, or on the one that the editor is connected to\./,
    );
    const heading = "'accounts' asks you to open an address";
    await eventually.equal(() => review.focused(), heading);
    await inspect('address');
    await (await review.frame()).getByRole('heading', { name: heading }).focus();
    await review.tabTo(/^Open in Browser: /);
    // The editor opens addresses of this machine without a question of its own.
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
    await opened.waitForLoadState();
    // The editor forwards ports of the machine that it runs on.
    const path = address.slice(address.indexOf('/connect'));
    assert.ok(path !== '' && opened.url().endsWith(path), opened.url());
    await eventually.match(() => review.text(), /Waiting for the server\./);
    await inspect('address-waiting');
    await opened.getByRole('link', { name: 'Connect' }).click();
    await opened.waitForURL(/done/);
    await opened.close();
    await result(/calls\s+2/);
  });

  test('can be several addresses, each with its own state', async () => {
    const { page, review } = workbench;
    await startTool(workbench, 'connect', { count: '3' });
    await workbench.notifications.press(/^'accounts' asks you to open /, 'Review');
    await review.waitFor(1);
    const frame = await review.frame();
    const button = (label: string, which: number) =>
      frame.getByRole('button', { name: new RegExp(`^${label}: .*, address ${which} of 3$`) });
    const press = async (label: string, which: number): Promise<void> => {
      // The pointer is ignored just after cards have moved.
      await button(label, which).focus();
      await page.keyboard.press('Enter');
    };
    const connect = async (which: number): Promise<void> => {
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        press('Open in Browser', which),
      ]);
      await opened.getByRole('link', { name: 'Connect' }).click();
      await opened.waitForURL(/done/);
      await opened.close();
    };
    for (const which of [1, 2, 3]) {
      await eventually.match(() => review.text(), new RegExp(`Connect your account number ${which}\\.`));
      await eventually.ok(() => button('Open in Browser', which).isVisible());
    }
    await connect(2);
    await eventually.ok(() => button('Open in Browser', 2).isHidden());
    assert.deepEqual(
      await Promise.all([1, 2, 3].map((which) => button('Open in Browser', which).isVisible())),
      [true, false, true],
      'one that is done leaves the others',
    );
    await press('Copy the Address', 1);
    await eventually.match(() => review.text(), /Copied\. Open it in a browser, and select "I'm Done"/);
    await inspect('addresses');
    await press("I'm Done", 1);
    await eventually.ok(() => button('Open in Browser', 1).isHidden());
    assert.ok(await button('Open in Browser', 3).isVisible(), 'the request waits for all of them');
    await connect(3);
    await result(/calls\s+4/);
  });

  test('ends with the extension host, as it says, and starts over when the server asks again', async () => {
    await ask();
    await (await field('String (required)')).fill('not sent');
    assert.match(await workbench.review.text(), /It is never stored: reloading the window ends the request/);
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
