import assert from 'node:assert/strict';
import { eventually, expect } from '../editor/expectation.ts';
import type { TreeRow } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer } from '../editor/workspaces.ts';
import { ModelWindow } from './modelAccessSupport.ts';
import { processOf, startTool, untilNothingIsAsked } from './support.ts';

/** The one gives up after 60 seconds; the other waits for as long as it takes to look at everything. */
const servers = {
  everything: demoServers.everything,
  asker: fixtureServer('samplingServer.ts', '--timeout=600000'),
};
const tool = 'trigger-sampling-request';
const title = "'everything' wants to ask a language model";
/** What server-everything makes of a prompt. */
const sentFor = (prompt: string): string => `Resource ${tool} context: ${prompt}`;
const user = (text: string) => ({ role: 'user', content: [{ text }] });

suite('Model access', () => {
  let window: ModelWindow;
  let workbench: Workbench;

  suiteSetup(async () => {
    window = await ModelWindow.open(servers, { 'mcpHost.sampling.models': ['scripted/*', 'auth-1'] });
    ({ workbench } = window);
  });

  const accessSays = (server: string, wanted: RegExp): Promise<TreeRow> =>
    window.servers.waitForRow([server, 'Model access'], `say ${wanted}`, ({ description }) =>
      wanted.test(description),
    );
  /** Runs the tool of the patient server that asks for a language model. */
  const askPatiently = (prompt: string): Promise<void> => startTool(workbench, 'ask', { prompt });
  const answeredPatiently = () => window.result(/^\s*\{\s*"(result|error)"/m);
  /** Runs the tool of server-everything that asks for a language model. */
  const ask = async (prompt: string): Promise<void> => {
    await startTool(workbench, 'Trigger Sampling Request Tool', { prompt, maxTokens: '100' });
  };
  const answered = () => window.result(/LLM sampling result/);
  const answerOf = (text: string, model = 'Scripted One') => ({
    model,
    stopReason: 'endTurn',
    role: 'assistant',
    content: { type: 'text', text },
  });
  const look = async (name: string): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`${name}-${theme}`);
    }
  };

  test('is shown in the tree, with what it means', async () => {
    await accessSays('asker', /^asks each time$/);
    await eventually.all(
      () => window.servers.tooltip('asker', 'Model access'),
      (tooltip) => {
        assert.match(tooltip, /A server may ask for a language model of this editor/);
        assert.match(
          tooltip,
          /While it handles a request of yours: asks each time\. Decided by your setting mcpHost\.sampling\.policy/,
        );
      },
    );
    await look('model-access-row');
  });

  test('is decided for all requests of a server in one step', async () => {
    await window.servers.runInline(['asker', 'Model access'], 'Set Model Access…');
    await workbench.quickInput.waitUntilOpen('Model Access of asker');
    await eventually.all(
      async () => (await workbench.quickInput.items()).map(({ label }) => label),
      (labels) => {
        assert.deepEqual(labels, [
          'Ask Each Time',
          'Ask Once for Each Session',
          'Allow for This Session',
          'Always Allow',
          'Never',
          'Follow the Settings',
          'While It Handles a Request of Yours…',
          'At Other Times…',
        ]);
      },
    );
    await workbench.screenshot('model-access-choices');
    await workbench.quickInput.pick('Always Allow');
    await accessSays('asker', /^always allowed$/);
  });

  test('is decided for requests at other times, from the palette', async () => {
    await workbench.runToInput('MCP Host: Set Model Access…', 'MCP Host');
    await workbench.quickInput.pick('asker');
    await workbench.quickInput.waitUntilOpen('Model Access of asker');
    await workbench.quickInput.pick('At Other Times…');
    await workbench.quickInput.waitUntilOpen('Model Access of asker, at other times');
    await workbench.screenshot('model-access-other-times');
    await workbench.quickInput.pick('Never');
    await accessSays('asker', /^always allowed · at other times: not allowed$/);
    await look('model-access-decided');
  });

  test('is taken back like any other decision', async () => {
    await workbench.runToInput('MCP Host: Review Decisions…', 'MCP Host: Decisions');
    const decision =
      'asker: may always use language models while it handles a request of yours, and may use no language model at other times';
    await workbench.screenshot('model-access-decision');
    await workbench.quickInput.pick(decision);
    await eventually.match(() => workbench.dialog.text(), /Its definition and your settings decide again/);
    await workbench.screenshot('model-access-take-back');
    await workbench.dialog.answer('Take Back');
    await workbench.quickInput.waitUntilOpen('MCP Host: Decisions');
    await workbench.quickInput.cancel();
    await accessSays('asker', /^asks each time$/);
  });

  test('is asked for, and answered with the keyboard alone from the notification on', async () => {
    const { keyboard } = workbench.page;
    await ask('Tell me of Chur.');
    await workbench.notifications.focus(`${title}.`, 'Review');
    await keyboard.press('Enter');
    const card = workbench.review.sampling('everything');
    await card.waitFor('request');
    await workbench.review.waitForFocus(title);
    await window.inspect('request');
    await workbench.review.tabTo(`Send: ${title}`);
    await keyboard.press('Enter');
    await card.waitFor('answer');
    const answeredTitle = "Scripted One has answered 'everything'";
    await workbench.review.waitForFocus(answeredTitle);
    await workbench.review.tabTo(`Deliver: ${answeredTitle}`);
    await workbench.screenshot('model-access-keyboard');
    await keyboard.press('Enter');
    assert.deepEqual(await answered(), answerOf(`SCRIPTED: ${sentFor('Tell me of Chur.')}`));
    const { messages } = await window.model.heard(1);
    assert.deepEqual(messages, [user('You are a helpful test server.'), user(sentFor('Tell me of Chur.'))]);
  });

  test("asks for the editor's own consent to a model after the click only", async () => {
    await askPatiently('Tell me of Sion.');
    const card = await window.review('asker');
    await card.chooseModel('Scripted Auth');
    await card.waitForText(/≈ \d+ tokens in/);
    assert.equal(await workbench.dialog.isOpen(), false);
    await card.pressByKey('Send');
    const words = await workbench.dialog.text();
    await workbench.screenshot('model-access-consent');
    assert.match(words, /MCP Host/);
    assert.equal(window.model.requests().length, 1);
    await workbench.dialog.answer('Allow');
    await card.waitFor('answer');
    await card.press('Deny');
    await workbench.toolForm.result(/User rejected sampling request/);
    await workbench.run('View: Close All Editors');
  });

  test('passes without a question once it is allowed for the session, and is recorded', async () => {
    await ask('Tell me of Zug.');
    const card = await window.review('everything');
    await card.press('Send and Allow for This Session');
    await card.waitFor('answer');
    await card.press('Deliver');
    assert.deepEqual(await answered(), answerOf(`SCRIPTED: ${sentFor('Tell me of Zug.')}`));
    await accessSays('everything', /^allowed for this session/);
    await ask('Tell me of Uri.');
    assert.deepEqual(await answered(), answerOf(`SCRIPTED: ${sentFor('Tell me of Uri.')}`));
    await untilNothingIsAsked(workbench);
    const activity = await workbench.openView('MCP Host', 'Activity');
    await eventually.all(
      () => activity.row('Scripted One'),
      (row) => {
        assert.match(row.description, /^everything · the server · done/);
      },
    );
    await workbench.screenshot('model-access-session');
    await activity.select('Scripted One');
    const entry = await workbench.editors.waitForText(/Model: Scripted One/);
    assert.match(entry, /Decision: by your earlier answer/);
    assert.match(entry, /Tell me of Uri\./);
    await workbench.screenshot('model-access-entry');
    await workbench.run('View: Close All Editors');
  });

  test('asks each time again when you choose that', async () => {
    await window.servers.runFromMenu(['everything', 'Model access'], 'Set Model Access…');
    await workbench.quickInput.waitUntilOpen();
    await workbench.quickInput.pick('Ask Each Time');
    await accessSays('everything', /^asks/);
  });

  test('is asked for by two at once, and no result covers the panel while one is left', async () => {
    await askPatiently('Tell me of Thun.');
    await ask('Tell me of Olten.');
    // Of one that waits, which stays while another one joins it, or of both.
    await workbench.notifications.press(/^'asker' wants to ask|^2 MCP servers are waiting/, 'Review');
    await workbench.review.waitFor(2);
    await workbench.review.sampling('asker').press('Deny');
    assert.deepEqual(await window.resultBehind('asker', 'ask', /^\s*\{\s*"(result|error)"/m), {
      error: { code: -1, message: 'User rejected sampling request' },
    });
    await workbench.review.sampling('everything').press('Never for This Server');
    await workbench.toolForm.result(/User rejected sampling request/);
    await accessSays('everything', /^not allowed/);
    await workbench.screenshot('model-access-never');
    await workbench.run('View: Close All Editors');
  });

  test('is named in the result of the tool when nobody looked at it, and answered for the next run', async () => {
    await askPatiently('Tell me of Arth.');
    await workbench.notifications.waitFor("'asker' wants to ask a language model.");
    process.kill(await processOf(workbench, 'samplingServer.ts'), 'SIGUSR2'); // it gives up
    const text = await workbench.toolForm.result(/Request timed out/);
    assert.match(text, /'asker' asked for a language model, and waited \d+ s for your answer/);
    await look('model-access-missed');
    await untilNothingIsAsked(workbench);
    await workbench.toolForm.press('Review Request');
    const card = workbench.review.sampling('asker');
    assert.match(await card.waitFor('ended'), /'asker' stopped waiting after \d+ s\./);
    await card.press('Run the Tool Again and Send This');
    await card.waitFor('answer');
    await card.press('Deliver');
    assert.deepEqual(await answeredPatiently(), { result: answerOf('SCRIPTED: Tell me of Arth.') });
    await workbench.run('View: Close All Editors');
  });

  test('ends with the server', async () => {
    await askPatiently('hold Olten has a station, and fog.');
    const card = await window.review('asker');
    await card.press('Send');
    await card.waitFor('generating');
    await window.servers.runInline(['asker'], 'Stop Server');
    assert.match(await card.waitFor('ended'), /stopped/);
    await card.press('Close');
    await workbench.review.waitUntilClosed();
  });

  test('leaves models out for all servers', async () => {
    await window.servers.runFromMenu(['everything', 'Model access'], 'Choose Language Models…');
    const list = 'Language Models That Servers May Use';
    await workbench.quickInput.waitUntilOpen(list);
    const ticked = async () =>
      (await workbench.quickInput.items()).filter(({ isChecked }) => isChecked).map(({ label }) => label);
    const all = await ticked();
    assert.ok(all.includes('Scripted One') && all.includes('Scripted Auth'), all.join());
    await workbench.screenshot('model-access-models');
    await workbench.quickInput.toggle('Scripted Auth');
    await workbench.quickInput.accept();
    await workbench.quickInput.waitUntilClosed();
    const chosen = all.filter((label) => label !== 'Scripted Auth');
    const reopened = async () => {
      await workbench.quickInput.cancel();
      await workbench.runToInput('MCP Host: Choose Language Models…', list);
      return ticked();
    };
    // The editor takes a moment to write a setting.
    await expect('the models without that one', reopened, (now) => now.join() === chosen.join());
    await workbench.screenshot('model-access-models-chosen');
    await workbench.quickInput.cancel();
  });
});
