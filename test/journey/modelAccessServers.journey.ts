import assert from 'node:assert/strict';
import { eventually } from '../editor/expectation.ts';
import type { Workbench } from '../editor/workbench.ts';
import { fixtureServer } from '../editor/workspaces.ts';
import { ModelWindow } from './modelAccessSupport.ts';
import { processOf, untilNothingIsAsked } from './support.ts';

/** More milliseconds than a person, or a machine under load, needs for an answer. */
const patient = '--timeout=600000';
const askers = {
  asker: fixtureServer('samplingServer.ts', '--name=asker', patient),
  hasty: fixtureServer('samplingServer.ts', '--name=hasty', patient),
  modern: fixtureServer('samplingServer.ts', '--modern'),
};
type Asker = keyof typeof askers;

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mO4oGBAEmIY1TCqYfhqAAC85yAQqjH2iwAAAABJRU5ErkJggg==';
const markup =
  '<img src="https://example.invalid/a.png" onerror="document.body.remove()"> <script>document.body.remove()</script> ' +
  '[Run](command:workbench.action.closeWindow) ![](https://example.invalid/b.png)';
/** What a server asks for, as the tool takes it. */
const paramsOf = (text: string, maxTokens: number): string =>
  JSON.stringify({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
const runAgain = 'Run the Tool Again With This Answer Ready';
/** Of one that waits, which stays while another one joins it, or of both. */
const announcement = /^'asker' wants to ask a language model\.|^2 MCP servers are waiting/;
const sendAgain = 'Run the Tool Again and Send This';

suite('Model access of several servers', () => {
  let window: ModelWindow;
  let workbench: Workbench;

  suiteSetup(async () => {
    window = await ModelWindow.open(askers, {
      'mcpHost.sampling.models': ['scripted/*'],
      'mcpHost.sampling.maxTokensPerDay': 2000,
    });
    ({ workbench } = window);
  });

  /** Runs a tool with the first of its arguments, and leaves the others out. */
  const run = async (server: Asker, tool: string, ...values: readonly string[]): Promise<void> => {
    const { quickInput, toolForm } = workbench;
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await quickInput.pickOf(tool, server);
    await toolForm.waitForText(new RegExp(`Tool '${tool}' of server '${server}'`));
    for (const [index, name] of ['prompt', 'params', 'times', 'ms'].entries()) {
      if ((await toolForm.field(name).count()) > 0) {
        await toolForm.fill(name, values[index] ?? '');
      }
    }
    await toolForm.run();
  };
  const outcome = /^\s*\{\s*"(result|error)"/m;
  const answered = () => window.result(outcome);
  const answerOf = (text: string) => ({
    result: {
      role: 'assistant',
      content: { type: 'text', text },
      model: 'Scripted One',
      stopReason: 'endTurn',
    },
  });

  /** Lets a server stop waiting for what it has asked. */
  const giveUp = async (server: Asker): Promise<void> => {
    process.kill(await processOf(workbench, `--name=${server}`), 'SIGUSR2');
  };
  const denied = { error: { code: -1, message: 'User rejected sampling request' } };
  const reopen = async (): Promise<void> => {
    await workbench.run('View: Close Editor');
    await workbench.review.waitUntilClosed();
    await workbench.run('MCP Host: Review Questions');
  };

  test('asks for two at once, and shows as text whatever they say', async () => {
    await run('asker', 'ask', `${markup} \u202Edlrow olleh\u202C \u200B`);
    await run('modern', 'ask', 'Tell me of Bern.');
    await workbench.notifications.press(announcement, 'Review');
    await workbench.review.waitFor(2);
    const [asker, modern] = [workbench.review.sampling('asker'), workbench.review.sampling('modern')];
    const text = await asker.text();
    assert.ok(text.includes(`${markup} \\u{202E}dlrow olleh\\u{202C} \\u{200B}`), text);
    await window.inspect('two');
    await modern.edit('the message', 'Tell me of Biel.');
    await modern.press('Send');
    await modern.waitFor('answer');
    await eventually.equal(() => asker.phase(), 'request');
    await asker.press('Deny');
    assert.deepEqual(await window.resultBehind('asker', 'ask', outcome), denied);
    await modern.waitFor('answer');
    await modern.edit('the answer', 'It is on a lake.');
    await modern.press('Deliver');
    assert.deepEqual(await answered(), answerOf('It is on a lake.'));
  });

  test('delivers nothing to a server that stopped waiting, and keeps the answer for one retry', async () => {
    await run('asker', 'ask', 'Tell me of Thun.');
    await run('hasty', 'ask', 'Tell me of Chur.');
    await workbench.notifications.press(announcement, 'Review');
    await workbench.review.waitFor(2);
    const [asker, hasty] = [workbench.review.sampling('asker'), workbench.review.sampling('hasty')];
    await hasty.press('Send');
    await hasty.waitFor('answer');
    await hasty.edit('the answer', 'It is in the Grisons.');
    const before = window.model.requests().length;
    await giveUp('hasty');
    assert.match(await hasty.waitFor('ended'), /'hasty' stopped waiting after \d+ s\./);
    await eventually.deepEqual(() => hasty.buttons(), [runAgain, 'Copy', 'Close']);
    await workbench.notifications.dismiss("Tool 'ask' of server 'hasty' has finished.");
    await window.inspect('ended');
    await giveUp('asker');
    assert.match(await asker.waitFor('ended'), /'asker' stopped waiting after \d+ s\./);
    await eventually.deepEqual(() => asker.buttons(), [sendAgain, 'Copy', 'Close']);
    await workbench.notifications.dismiss("Tool 'ask' of server 'asker' has finished.");
    await workbench.screenshot('model-access-ended-request');
    await hasty.press(runAgain);
    assert.deepEqual(await window.resultBehind('hasty', 'ask', outcome), answerOf('It is in the Grisons.'));
    assert.equal(window.model.requests().length, before, 'the model was asked again');
    await asker.press(sendAgain);
    await asker.waitFor('answer');
    assert.equal(window.model.requests().length, before + 1);
    await asker.press('Deliver');
    assert.deepEqual(await answered(), answerOf('SCRIPTED: Tell me of Thun.'));

    await run('hasty', 'ask', 'Tell me of Chur.');
    await (await window.review('hasty')).press('Deny');
    assert.deepEqual(await answered(), denied, 'what was ready once is not ready twice');
  });

  test('is named in the result of the tool when nobody looked at it, and answered for the next run', async () => {
    await run('hasty', 'ask', 'Tell me of Arth.');
    await workbench.notifications.waitFor("'hasty' wants to ask a language model.");
    await giveUp('hasty');
    const text = await workbench.toolForm.result(/Request timed out/);
    assert.match(text, /'hasty' asked for a language model, and waited \d+ s for your answer/);
    for (const theme of ['dark', 'light'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`model-access-missed-${theme}`);
    }
    await untilNothingIsAsked(workbench);
    await workbench.toolForm.press('Review Request');
    const hasty = workbench.review.sampling('hasty');
    assert.match(await hasty.waitFor('ended'), /'hasty' stopped waiting after \d+ s\./);
    await eventually.deepEqual(() => hasty.buttons(), [sendAgain, 'Copy', 'Close']);
    await workbench.screenshot('model-access-missed-card');
    await hasty.press(sendAgain);
    await hasty.waitFor('answer');
    await hasty.press('Deliver');
    assert.deepEqual(await answered(), answerOf('SCRIPTED: Tell me of Arth.'));
    await workbench.run('View: Close All Editors');
  });

  test('continues where it was when the panel is closed and opened again', async () => {
    await run('asker', 'ask', 'hold Uri has a bull on its flag, with a ring in its nose.');
    const asker = await window.review('asker');
    await asker.edit('the message', 'hold Uri has a bull on its flag.');
    await reopen();
    assert.match(await asker.waitFor('request'), /hold Uri has a bull on its flag\.\n/);
    await asker.press('Send');
    await asker.waitFor('generating');
    await reopen();
    await asker.waitFor('generating');
    window.model.endAnswer();
    await asker.waitFor('answer');
    await asker.edit('the answer', 'Uri has a bull.');
    await reopen();
    assert.match(await asker.waitFor('answer'), /Uri has a bull\.\n/);
    await asker.press('Deliver');
    assert.deepEqual(await answered(), answerOf('Uri has a bull.'));
  });

  test('asks about requests that a server makes at other times', async () => {
    await run('asker', 'askLater', 'Tell me of Zug.');
    await window.result(/^\s*\{\s*"asked"/m);
    const asker = await window.review('asker');
    await eventually.match(() => asker.text(), /It is not handling a request of yours at the moment\./);
    await workbench.screenshot('model-access-unasked');
    await asker.press('Deny');
    await workbench.review.waitUntilClosed();
  });

  test('shows in the card and in the tree that a limit is reached', async () => {
    const before = window.model.requests().length;
    await run('asker', 'ask', '', paramsOf('long 6000', 3000));
    let asker = await window.review('asker');
    await asker.waitForText(/may take about 3,003 tokens; of 2,000 for this day \d,\d+ are left/);
    await window.inspect('limit');
    assert.equal(await asker.isEnabled('Send'), false);
    await asker.press('Deny');
    assert.deepEqual(await answered(), denied);

    await run('asker', 'ask', '', paramsOf('long 6000', 1700));
    asker = await window.review('asker');
    await asker.press('Send and Allow for This Session');
    await asker.press('Deliver');
    await answered();
    await run('asker', 'ask', '', paramsOf('long 6000', 1700));
    const message =
      'The request and its answer may take about 1,703 tokens; of 2,000 for this day 471 are left (mcpHost.sampling.maxTokensPerDay).';
    assert.deepEqual(await answered(), { error: { code: -32603, message } });
    await window.servers.waitForRow(
      ['asker', 'Model access'],
      'say so',
      ({ icon, description }) => icon === 'warning' && description.includes('471 are left'),
    );
    await workbench.screenshot('model-access-limit-tree');
    assert.equal(window.model.requests().length, before + 1);
  });

  test('passes on images, and tools that the server itself runs', async () => {
    const weather = {
      name: 'weather',
      description: 'Tells the weather of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    };
    const content = [
      { type: 'text', text: 'use weather {"city":"Altdorf"}' },
      { type: 'image', mimeType: 'image/png', data: picture },
    ];
    const params = { messages: [{ role: 'user', content }], maxTokens: 100, tools: [weather] };
    await run('hasty', 'giveUp', '', JSON.stringify(params), '', '600000');
    const hasty = await window.review('hasty');
    await hasty.unfold('weather');
    const text = await hasty.text();
    assert.match(text, /Image, image\/png, 1 KB/);
    assert.match(text, /Tells the weather of a city\./);
    await window.inspect('image');
    await hasty.press('Send');
    assert.match(await hasty.waitFor('answer'), /Asks to run the tool 'weather'/);
    await window.inspect('tool');
    await hasty.press('Deliver');
    assert.partialDeepStrictEqual(await answered(), {
      result: {
        content: [
          { type: 'text', text: 'I use weather.' },
          { type: 'tool_use', name: 'weather', input: { city: 'Altdorf' } },
        ],
        stopReason: 'toolUse',
      },
    });
    const { messages, offered } = window.model.requests().at(-1) ?? {};
    assert.deepEqual(messages, [
      {
        role: 'user',
        content: [{ text: 'use weather {"city":"Altdorf"}' }, { mimeType: 'image/png', data: picture }],
      },
    ]);
    assert.partialDeepStrictEqual(offered, [weather]);
  });

  test('ends with the server', async () => {
    await run('hasty', 'ask', 'hold Olten has a station, and fog.');
    const hasty = await window.review('hasty');
    await hasty.press('Send');
    await hasty.waitFor('generating');
    await window.servers.runInline(['hasty'], 'Stop Server');
    const text = await hasty.waitFor('ended');
    await workbench.screenshot('model-access-stopped-server');
    assert.match(text, /stopped/);
    await hasty.press('Close');
    await workbench.review.waitUntilClosed();
  });
});
