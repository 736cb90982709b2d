import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer } from '../editor/workspaces.ts';
import { ModelWindow } from './modelAccessSupport.ts';
import { startTool, untilNothingIsAsked } from './support.ts';

/** The one gives up after 60 seconds; the other waits for as long as it takes to look at everything. */
const servers = {
  everything: demoServers.everything,
  asker: fixtureServer('samplingServer.ts', '--timeout=600000'),
};
const tool = 'trigger-sampling-request';
const title = "'everything' wants to ask a language model";
const system = 'You are a helpful test server.';
const held = `hold Bern is the capital of Switzerland. ${'It lies on the river Aare. '.repeat(9)}`;
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

  /** Runs the tool of the patient server that asks for a language model, with these parameters. */
  const askPatiently = async (text: string): Promise<void> => {
    const messages = [{ role: 'user', content: { type: 'text', text } }];
    await startTool(workbench, 'ask', {
      params: JSON.stringify({ messages, systemPrompt: system, maxTokens: 100, temperature: 0.7 }),
    });
  };
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

  test('shows who asks and why, and all that would be sent', async () => {
    await askPatiently('Tell me of Bern.');
    const card = await window.review('asker');
    const text = await card.waitForText(/≈ \d+ tokens in, up to 100 out; 200,000 are left for today/);
    assert.match(text, /While it runs 'ask'/);
    assert.ok(text.includes(system), text);
    assert.ok(text.includes('Tell me of Bern.'), text);
    await eventually.deepEqual(
      () => card.buttons(),
      ['Send', 'Send and Allow for This Session', 'Deny', 'Never for This Server', 'Open the Definition'],
    );
    await eventually.equal(() => card.model(), 'Scripted One');
    await workbench.review.waitForFocus("'asker' wants to ask a language model");
    await workbench.page.keyboard.press('Enter');
    await eventually.equal(() => card.phase(), 'request');
    await window.inspect('request');
    assert.deepEqual(window.model.requests(), []);
  });

  test('sends the edited request, and stops when you cancel', async () => {
    const card = workbench.review.sampling('asker');
    await card.beginEdit('the message');
    await workbench.screenshot('model-access-editing');
    await card.edit('the message', held);
    await card.edit('the system prompt', 'You know the cities of Switzerland.');
    await workbench.screenshot('model-access-edited');
    await card.press('Send');
    await card.waitForText('Bern is the capital');
    await window.inspect('generating');
    await card.press('Stop');
    const text = await card.waitFor('answer');
    assert.match(text, /You stopped it\./);
    await eventually.deepEqual(() => card.buttons(), ['Deliver', 'Regenerate', 'Deny']);
    await workbench.screenshot('model-access-stopped');
    const { messages, modelOptions } = await window.model.heard(1);
    assert.deepEqual(messages, [user('You know the cities of Switzerland.'), user(held)]);
    assert.deepEqual(modelOptions, { max_tokens: 100, temperature: 0.7 });
  });

  test('asks for a review of the answer, and delivers the edited answer', async () => {
    const card = workbench.review.sampling('asker');
    await card.press('Regenerate');
    await card.waitForText('Bern is the capital');
    await card.press('Stop');
    await card.waitFor('answer');
    await card.edit('the answer', 'Bern lies on the Aare.\n\tOtherwise true.');
    await window.inspect('answer');
    const second = await window.model.heard(2);
    assert.deepEqual(second, window.model.requests()[0], 'another request than before');
    await card.press('Deliver');
    assert.deepEqual(await answeredPatiently(), {
      result: answerOf('Bern lies on the Aare.\n\tOtherwise true.'),
    });
    await window.servers.waitForRow(['asker', 'Model access'], 'tell what was used', ({ description }) =>
      /^asks · 2 requests today, ≈ \d+ tokens$/.test(description),
    );
  });

  test('is put off by closing the panel, asked again, and denied', async () => {
    await ask('Tell me of Thun.');
    const card = await window.review('everything');
    await workbench.run('View: Close Editor');
    await workbench.review.waitUntilClosed();
    await workbench.run('MCP Host: Review Questions');
    await card.waitFor('request');
    await card.press('Deny');
    await workbench.toolForm.result(/User rejected sampling request/);
    await workbench.screenshot('model-access-denied');
    await workbench.run('View: Close All Editors');
    assert.equal(window.model.requests().length, 2);
  });

  test('is asked again after a denial, and answered with the keyboard alone from the notification on', async () => {
    const { keyboard } = workbench.page;
    await ask('Tell me of Chur.');
    await workbench.notifications.focus(`${title}.`, 'Review');
    await keyboard.press('Enter');
    const card = workbench.review.sampling('everything');
    await card.waitFor('request');
    await workbench.review.waitForFocus(title);
    await workbench.review.tabTo(`Send: ${title}`);
    await keyboard.press('Enter');
    await card.waitFor('answer');
    const answeredTitle = "Scripted One has answered 'everything'";
    await workbench.review.waitForFocus(answeredTitle);
    await workbench.review.tabTo(`Deliver: ${answeredTitle}`);
    await workbench.screenshot('model-access-keyboard');
    await keyboard.press('Enter');
    const said = `SCRIPTED: ${sentFor('Tell me of Chur.')}`;
    assert.deepEqual(await answered(), answerOf(said));
    assert.deepEqual((await window.model.heard(3)).messages, [
      user(system),
      user(sentFor('Tell me of Chur.')),
    ]);
  });

  test('goes to another model when the first one fails', async () => {
    await askPatiently('fail The provider is out of order.');
    const card = await window.review('asker');
    await card.pressByKey('Send');
    await card.waitForText(/The provider is out of order\.[^]*The provider is out of order\./);
    await card.waitFor('request');
    await workbench.screenshot('model-access-failed');
    await card.chooseModel('Scripted Two');
    await card.edit('the message', 'Tell me of Biel.');
    await card.press('Send');
    await card.waitFor('answer');
    await workbench.screenshot('model-access-other-model');
    await card.press('Deliver');
    assert.deepEqual(await answeredPatiently(), {
      result: answerOf('SCRIPTED TWO: Tell me of Biel.', 'Scripted Two'),
    });
    assert.equal((await window.model.heard(5)).model, 'scripted-2');
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
    assert.equal(window.model.requests().length, 5);
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
    await window.servers.waitForRow(['everything', 'Model access'], 'be allowed', ({ description }) =>
      description.startsWith('allowed for this session'),
    );
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
    await workbench.screenshot('model-access-set');
    await workbench.quickInput.pick('Ask Each Time');
    await window.servers.waitForRow(['everything', 'Model access'], 'ask', ({ description }) =>
      description.startsWith('asks'),
    );
    await ask('Tell me of Olten.');
    const card = await window.review('everything');
    await card.press('Never for This Server');
    await workbench.toolForm.result(/User rejected sampling request/);
    await window.servers.waitForRow(['everything', 'Model access'], 'be denied', ({ description }) =>
      description.startsWith('not allowed'),
    );
    await workbench.screenshot('model-access-never');
  });
});
