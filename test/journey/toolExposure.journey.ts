import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import type { TreeRow, TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { fixtureServer } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, startTool, waitUntilRunning } from './support.ts';

/** Tools of the larger server beside its own few. */
const MANY = 500;

suite('the tools that models may see', () => {
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    const definitions = {
      post: fixtureServer('changingServer.ts', '--instructions=Ask before you send a mail.', '--prompt'),
      many: { ...fixtureServer('changingServer.ts', `--tools=${MANY}`), autoStart: false },
      odd: fixtureServer('oddServer.ts', '--offer=malformed'),
      circling: fixtureServer('oddServer.ts', '--offer=cycle'),
    };
    ({ workbench } = await beginShared({ servers: {}, settings: { 'mcpHost.servers': definitions } }));
    await allowServers(workbench, 3);
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'post');
  });

  const toolsSay = (wanted: RegExp, server = 'post'): Promise<TreeRow> =>
    servers.waitForRow([server, 'Tools'], `say ${wanted}`, ({ description }) => wanted.test(description));

  /** Presses the box for new tools on the page of the server. */
  async function chooseNewTools(): Promise<void> {
    await servers.runInline(['post'], 'Open Server');
    await workbench.serverOverview.waitForText(/Its first call asks you/);
    await workbench.serverOverview.check('Show new tools to models automatically');
    await workbench.execute('workbench.action.closeAllEditors');
  }

  /** Runs one of the server's tools by hand, with an argument after the other. */
  async function run(tool: string, args: Readonly<Record<string, string>>): Promise<void> {
    await startTool(workbench, tool, args);
    await workbench.toolForm.result();
    await workbench.execute('workbench.action.closeAllEditors');
  }

  test('are all on at first, and counted', async () => {
    await toolsSay(/^6 on · ≈ \d+ tokens$/);
    await eventually.equal(async () => (await servers.row('post', 'Tools')).isChecked, true);
    await servers.expand('post', 'Tools');
    await eventually.all(
      () => servers.row('post', 'Tools', 'send_mail'),
      (row) => {
        assert.equal(row.isChecked, true);
        assert.equal(row.description, 'Sends a mail.');
        assert.equal(row.checkboxLabel, 'Show send_mail to models');
      },
    );
    await workbench.screenshot('tools-on');
  });

  test('show everything that a model is given of them', async () => {
    await eventually.all(
      () => servers.tooltip('post', 'Tools', 'Weather'),
      (tooltip) => {
        assert.match(
          tooltip,
          /^Weather\nget_weather\n\nTells the weather of a place\.\nTemperatures are in degrees/,
        );
        assert.match(tooltip, /\nplace \(string, required\): A town, such as Bern\n/);
      },
    );
  });

  test('are off when they are cleared, one or all', async () => {
    await servers.check(['post', 'Tools', 'send_mail'], false);
    await toolsSay(/^5 of 6 on · /);
    await workbench.screenshot('tools-one-unexposed');
    await servers.check(['post', 'Tools'], false);
    await toolsSay(/^none of 6 on$/);
    await eventually.equal(async () => (await servers.row('post', 'Tools', 'Weather')).isChecked, false);
    await servers.check(['post', 'Tools'], true);
    await toolsSay(/^6 on · /);
    await eventually.equal(async () => (await servers.row('post', 'Tools', 'send_mail')).isChecked, true);
  });

  test('show that they run, with the way to cancel', async () => {
    await servers.runInline(['post', 'Tools', 'wait'], 'Run Tool…');
    const row = await servers.waitForRow(['post', 'Tools', 'wait'], 'run', ({ icon }) => icon === 'loading');
    assert.match(row.description, /^running · /);
    await workbench.screenshot('tools-running');
    await servers.runInline(['post', 'Tools', 'wait'], 'Cancel Call');
    await servers.waitForRow(['post', 'Tools', 'wait'], 'no longer run', ({ icon }) => icon === '');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('are held back when they come later', async () => {
    await run('add_tool', { name: 'read_mail' });
    await eventually.all(
      () => servers.row('post', 'Tools', 'read_mail'),
      (row) => {
        assert.equal(row.description, 'new: held back until you review it · Came later.');
        assert.equal(row.isChecked, undefined);
        assert.equal(row.icon, 'warning');
      },
    );
    await toolsSay(/^1 tool new · 6 of 7 on · /);
    await servers.waitForRow(['post'], 'say so', ({ description }) =>
      description.endsWith(' tools · 1 held back · not in chat'),
    );
    await workbench.screenshot('tools-new');
  });

  test('are held back when they change, and come first', async () => {
    await run('change_tool', { name: 'send_mail', description: 'Sends a mail, and a copy to me.' });
    await eventually.all(
      () => servers.row('post', 'Tools', 'send_mail'),
      (row) => {
        assert.match(row.description, /^changed: held back until you review it · /);
        assert.equal(row.isChecked, undefined);
        assert.equal(row.icon, 'warning');
      },
    );
    await toolsSay(/^1 tool changed · 1 tool new · 5 of 7 on · /);
    await servers.waitForRow(['post'], 'say so', ({ description }) =>
      description.endsWith(' tools · 2 held back · not in chat'),
    );
    await eventually.all(
      async () => (await servers.rows()).map(({ label }) => label),
      (labels) => {
        assert.equal(labels[labels.indexOf('Tools') + 1], 'send_mail');
      },
    );
    await eventually.equal(async () => (await servers.row('post')).icon, 'warning');
    await workbench.screenshot('tools-changed');
  });

  test('show what has changed, and stay held back', async () => {
    await servers.select('post', 'Tools', 'send_mail');
    await workbench.editors.waitFor(/^post: As Approved ↔ Now$/);
    const text = await workbench.editors.waitForText(/and a copy to me/);
    await servers.select('post', 'Tools', 'send_mail'); // as a double click does
    assert.equal((await workbench.editors.tabs()).length, 1);
    assert.match(text, /^Tool send_mail$/m);
    assert.match(text, /"readOnlyHint": true/);
    assert.match(text, /^Tool read_mail$/m);
    await workbench.page.keyboard.press('ControlOrMeta+Home'); // to read it was selected
    for (const theme of ['light', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`tools-diff-${theme}`);
    }
    await workbench.editors.runFromTitle('Keep Blocked');
    await workbench.statusBar.waitFor(/Still held back: 2 tools of 'post'/);
    await eventually.deepEqual(() => workbench.editors.tabs(), []);
    await toolsSay(/^1 tool changed · 1 tool new · /);
  });

  test('are not accepted as shown once they have changed again', async () => {
    await servers.runInline(['post'], 'Review Change');
    await workbench.editors.waitFor(/^post: As Approved ↔ Now$/);
    await workbench.editors.waitForText(/and a copy to me/);
    await servers.runInline(['post', 'Tools', 'rename_tool'], 'Run Tool…');
    await workbench.toolForm.waitFor('rename_tool');
    for (const [index, text] of ['get_weather', 'weather'].entries()) {
      await (await workbench.toolForm.frame()).locator('input').nth(index).fill(text);
    }
    await workbench.toolForm.run();
    await workbench.toolForm.result();
    await toolsSay(/^2 tools changed · 1 tool new · /);
    await workbench.editors.select(/As Approved/);
    await workbench.editors.runFromTitle('Accept');
    await workbench.notifications.waitFor(/has changed again/);
    const text = await workbench.editors.waitForText(/^Tool get_weather, now called weather$/m);
    assert.match(text, /^Tool send_mail$/m);
    await eventually.all(
      () => servers.row('post', 'Tools', 'Weather'),
      (row) => {
        assert.match(row.description, /^renamed from get_weather: held back/);
      },
    );
    await workbench.screenshot('tools-diff-again');
  });

  test('are not accepted by a command that you do not confirm', async () => {
    const accepted = workbench.execute('mcpHost.acceptToolChanges');
    assert.match(await workbench.dialog.answer('Cancel'), /^Accept: 3 tools of 'post'\?/);
    await accepted;
    await toolsSay(/^2 tools changed · 1 tool new · /);
  });

  test('are on again when they are accepted', async () => {
    await workbench.editors.runFromTitle('Accept');
    await workbench.statusBar.waitFor(/Accepted: 3 tools of 'post'/);
    await toolsSay(/^7 on · /);
    await eventually.equal(async () => (await servers.row('post', 'Tools', 'send_mail')).isChecked, true);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('are reviewed with prompts, which are held back from models when they change', async () => {
    await run('change_tool', { name: 'summary', description: 'Sums up your mail, and sends it.' });
    await servers.expand('post', 'Prompts');
    const prompt = ['post', 'Prompts', 'summary'] as const;
    await eventually.all(
      () => servers.row(...prompt),
      (row) => {
        assert.match(row.description, /^changed: held back from models until you review it · Sums up/);
        assert.equal(row.icon, 'warning');
      },
    );
    await servers.waitForRow(['post'], 'say so', ({ description }) =>
      description.includes(' · 1 held back · '),
    );
    await workbench.screenshot('prompt-changed');
    await servers.runInline(prompt, 'Review Change');
    await workbench.editors.waitFor(/^post: As Approved ↔ Now$/);
    assert.match(await workbench.editors.waitForText(/and sends it/), /^Prompt summary$/m);
    await workbench.screenshot('prompt-diff');
    await workbench.editors.runFromTitle('Accept');
    await workbench.statusBar.waitFor(/Accepted: 1 prompt of 'post'/);
    await eventually.equal(
      async () => (await servers.row(...prompt)).description,
      'Sums up your mail, and sends it.',
    );
    await servers.collapse('post', 'Prompts');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test("show their server's claims only if you trust it", async () => {
    const { serverOverview } = workbench;
    await servers.runInline(['post'], 'Open Server');
    await serverOverview.waitForText(/run for models and other extensions without asking you/);
    await serverOverview.check("Trust the server's tool labels");
    const text = await serverOverview.waitForText(/tool labels: trusted, for this launch/);
    assert.match(text, /^Tools that are on: 7 \(/m);
    assert.match(text, /^ {2}Ask before you send a mail\.$/m);
    await workbench.screenshot('tools-sight');
    // A row that is drawn again under the mouse shows no tooltip: by now it has been.
    await eventually.match(() => servers.tooltip('post', 'Tools'), /Its tool labels are trusted/);
    await serverOverview.press('Take Back: Has trusted tool labels');
    await serverOverview.waitForText(/tool labels: not trusted/);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('are offered at once when they come later, if you choose that', async () => {
    await chooseNewTools();
    await run('add_tool', { name: 'file_mail' });
    await eventually.all(
      () => servers.row('post', 'Tools', 'file_mail'),
      (row) => {
        assert.equal(row.description, 'new · Came later.');
        assert.equal(row.isChecked, true);
      },
    );
    await toolsSay(/^8 on · /);
    await chooseNewTools();
    await toolsSay(/^1 tool new · 7 of 8 on · /);
  });

  test('are left out if they are malformed, with the reason, and are not counted', async () => {
    await servers.collapse('post');
    await toolsSay(/^6 on · ≈ \d+ tokens · 5 left out$/, 'odd');
    await servers.expand('odd', 'Tools');
    await eventually.all(
      () => servers.row('odd', 'Tools', 'untyped'),
      (row) => {
        assert.equal(row.description, 'left out: `inputSchema.type` is missing');
        assert.equal(row.icon, 'warning');
        assert.equal(row.isChecked, undefined);
        assert.match(row.ariaLabel, /^untyped, left out: `inputSchema\.type` is missing/);
      },
    );
    await servers.expand('odd', 'Prompts');
    await eventually.all(
      () => servers.row('odd', 'Prompts', 'Number 2'),
      (unnamed) => {
        assert.equal(unnamed.description, 'left out: `name` must be a string, not a number');
      },
    );
    await workbench.screenshot('tools-malformed');
    await eventually.match(
      () => servers.tooltip('odd', 'Tools', 'untyped'),
      /is left out, because of a fault of the server: `inputSchema\.type` is missing\./,
    );
  });

  test('are not run if that needs a task that their server does not run, and say so', async () => {
    await eventually.all(
      () => servers.row('odd', 'Tools', 'tasked'),
      (row) => {
        assert.equal(row.description, 'cannot be called: it runs only as a task');
        assert.equal(row.isChecked, undefined);
      },
    );
    await servers.select('odd', 'Tools', 'tasked');
    await workbench.toolForm.waitForText(
      /Tool 'tasked' of server 'odd' can't be run: it runs only as a task, and its server does not run tools as tasks/,
    );
    const told = await workbench.notifications.now();
    assert.ok(!told.some(({ message }) => message.includes('tasked')));
    await workbench.screenshot('tools-task');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('show what is known of a result with unknown content', async () => {
    await servers.runInline(['odd', 'Tools', 'mixed'], 'Run Tool…');
    const text = await workbench.toolForm.result(/^Content of the unknown type "video"$/m);
    assert.match(text, /^Text\s+before$/m);
    assert.match(text, /^Text\s+after$/m);
    await workbench.screenshot('tools-unknown-content');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('are marked as incomplete if the list has no end', async () => {
    await servers.collapse('odd');
    await servers.waitForRow(['circling'], 'say so', ({ description }) =>
      description.includes(' · list cut short · '),
    );
    await eventually.match(() => servers.tooltip('circling'), /its pages lead back to an earlier one/);
    await workbench.screenshot('tools-cut');
    await servers.collapse('circling');
  });

  test('may be five hundred', async () => {
    await servers.collapse('post');
    await servers.runInline(['many'], 'Start Server');
    await workbench.review.waitFor(1);
    await workbench.review.answer('many', 'Allow');
    await workbench.review.waitUntilClosed();
    await toolsSay(/^506 on · ≈ [\d.]+k tokens$/, 'many');
    await servers.expand('many', 'Tools');
    await servers.row('many', 'Tools', 'tool_3');
    await servers.check(['many', 'Tools', 'tool_3'], false);
    await toolsSay(/^505 of 506 on · /, 'many');
    await servers.check(['many', 'Tools'], false);
    await toolsSay(/^none of 506 on$/, 'many');
    await workbench.screenshot('tools-many');
  });
});
