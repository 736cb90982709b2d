import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually, expect } from '../editor/expectation.ts';
import type { ScriptedModel } from '../editor/scriptedModel.ts';
import type { TreeRow, TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { openServers, untilNothingIsAsked, waitUntilRunning } from './support.ts';

const model = 'Scripted One';
/** Milliseconds after which a click on a question in the chat counts. */
const quietMs = 600;
/** The editor's setting to run tools without asking. */
const autoApprove = 'chat.tools.global.autoApprove';
const weather = (city: string): string => `@mcp call rewriting__weather ${JSON.stringify({ city })}`;

/** A window whose servers `rewriting` and `everything` wait for an answer. */
class McpWindow {
  readonly workbench: Workbench;
  readonly model: ScriptedModel;
  servers!: TreeView;

  private constructor(workbench: Workbench, scripted: ScriptedModel) {
    this.workbench = workbench;
    this.model = scripted;
  }

  static async open(): Promise<McpWindow> {
    const settings = { 'mcpHost.chat.maxRounds': 2 };
    const servers = { rewriting: fixtureServer('rewritingServer.ts'), everything: demoServers.everything };
    const { workbench, model: scripted } = await beginShared({ servers, settings });
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    await workbench.review.waitFor(2);
    return new McpWindow(workbench, scripted);
  }

  /** Allows both servers, `rewriting` for chat, and opens the chat. */
  async allow(): Promise<void> {
    const { workbench } = this;
    const { review } = workbench;
    await review.useInChat('rewriting');
    await review.answer('rewriting', 'Allow');
    await review.answer('everything', 'Allow');
    await review.waitUntilClosed();
    this.servers = await openServers(workbench);
    await waitUntilRunning(this.servers, 'rewriting');
    await waitUntilRunning(this.servers, 'everything');
    await workbench.run('Chat: Open Chat');
    await workbench.chat.waitUntilFocused();
  }

  /** The questions about calls that wait now. */
  async asked(count: number): Promise<readonly string[]> {
    return (await this.workbench.review.waitFor(count)).map(({ title }) => title);
  }

  /** Answers a question in the chat, as soon as a click counts. */
  async answer(question: RegExp, button: string): Promise<void> {
    await this.workbench.chat.waitForSaid(question);
    await delay(quietMs);
    await this.workbench.chat.press(button);
  }
}

suite('@mcp', () => {
  let window: McpWindow;
  let workbench: Workbench;

  suiteSetup(async () => {
    window = await McpWindow.open();
    ({ workbench } = window);
  });

  teardown(() => workbench.execute('workbench.action.closeAllEditors'));

  test('gets a server by a box of the question about its launch, which is not selected in advance', async () => {
    const { review } = workbench;
    const questions = await review.openAll(2);
    assert.deepEqual(
      questions.map(({ isInChat }) => isInChat),
      [false, false],
    );
    await review.useInChat('rewriting');
    await workbench.screenshot('ask-mcp-launch');
    await eventually.deepEqual(async () => findingsOfAxe(await review.frame()), []);
    await window.allow();
    const { servers } = window;
    const says =
      (end: string) =>
      ({ description }: TreeRow) =>
        description.endsWith(end);
    await servers.waitForRow(['rewriting'], 'be in chat', says(' tools · in chat'));
    await servers.waitForRow(['everything'], 'not be in chat', says(' · not in chat'));
    assert.deepEqual(await workbench.notifications.told(), [], 'nothing else offers it');
    await workbench.chat.type('@mcp tools? now', model);
    const said = await workbench.chat.waitForSaid(/TOOLS now: .*rewriting__weather/);
    assert.doesNotMatch(said, /everything/);
    await servers.runFromMenu(['everything'], 'Use in Chat');
    await workbench.serverOverview.useInChat('everything');
    await workbench.execute('workbench.action.closeActiveEditor');
    await servers.waitForRow(['everything'], 'be in chat', says(' · in chat'));
  });

  test('says what it can do when you write nothing else, and suggests what to ask', async () => {
    const before = window.model.requests().length;
    await workbench.chat.type('@mcp ', model);
    const said = await workbench.chat.waitForSaid(/with the tools of these servers/);
    assert.match(said, /rewriting:\s2\stools\s\(weather,\srewrite\)/);
    const suggestions = workbench.page.locator('.interactive-session-followups');
    await suggestions.getByText("What can I do with the tools of 'rewriting'?").waitFor();
    await suggestions.getByText('Show the tools that models can use').waitFor();
    await workbench.screenshot('ask-mcp-help');
    assert.equal(window.model.requests().length, before, 'no model was asked');
  });

  test('is asked by MCP Host, once for a call, in an editor that asks about no tool', async () => {
    await workbench.takeSettings({ [autoApprove]: true });
    await workbench.chat.type('@mcp Does it rain in Bern?', model);
    await workbench.dialog.answer('Enable');
    await workbench.chat.waitForSaid(/Waiting for your answer: 'weather' on 'rewriting' with city: "Bern"/);
    assert.deepEqual((await workbench.chat.buttons()).slice(-3), ['Allow', "Don't Allow", 'More…']);
    assert.deepEqual(await workbench.review.questions(), [], 'it is asked where you are');
    assert.equal(await workbench.chat.isAsking(), false, 'the editor asks nothing beside it');
    assert.doesNotMatch(await workbench.chat.conversation(), /It rains/, 'it ran before it was allowed');
    await workbench.screenshot('ask-mcp-question');
    await window.answer(/city: "Bern"/, 'Allow');
    await workbench.chat.waitForSaid(/It rains in Bern\./);
    await workbench.chat.press('Allow');
    await workbench.notifications.waitFor('This question is over.');
    await workbench.chat.type(weather('Thun'), model);
    await window.answer(/with city: "Thun"/, "Don't Allow");
    await workbench.chat.waitForSaid(/The user does not allow 'weather'/);
    await workbench.takeSettings({ [autoApprove]: null });
    await workbench.execute('workbench.action.chat.newChat');
    await workbench.chat.waitUntilFocused();
  });

  test('calls two tools in one answer, and one of them is refused', async () => {
    const calls = [
      ['rewriting__weather', { city: 'Bern' }],
      ['everything__echo', { message: 'Hello' }],
    ];
    await workbench.chat.type(`@mcp calls ${JSON.stringify(calls)}`, model);
    await workbench.chat.waitForSaid(/Waiting for your answer: 'weather'/);
    assert.equal(await workbench.chat.isAsking(), false, 'the editor asks nothing beside it');
    await window.answer(/Waiting for your answer: 'weather'/, 'Allow');
    await window.answer(
      /Waiting for your answer: 'echo' on 'everything' with message: "Hello"/,
      "Don't Allow",
    );
    const said = await workbench.chat.waitForSaid(/TOOL SAID: It rains in Bern\./);
    assert.match(said, /The user does not allow 'echo' of the server 'everything'/);
    await untilNothingIsAsked(workbench);
    await workbench.screenshot('ask-mcp');
  });

  test('gives the next request the results of the one before', async () => {
    await workbench.chat.type('@mcp echo?', model);
    await workbench.chat.waitForSaid(/"result"/);
    const { messages } = window.model.requests().at(-1) ?? assert.fail('no request');
    const results = messages.flatMap(({ content }) => content.flatMap(({ result = [] }) => result));
    assert.deepEqual(
      results.map(({ text }) => text?.slice(0, 16)),
      ['It rains in Bern', 'The user does no'],
    );
  });

  test('stops while a question waits, which is withdrawn, and nothing is called', async () => {
    const before = window.model.requests().length;
    const long = `Thun ${'and Bern '.repeat(30)}`;
    await workbench.chat.type(weather(long), model);
    assert.deepEqual(await window.asked(1), ["A model in chat wants to run 'weather' on 'rewriting'"]);
    await workbench.chat.waitUntilFocused();
    await workbench.screenshot('ask-mcp-beside');
    await workbench.chat.stop();
    await untilNothingIsAsked(workbench);
    assert.equal(window.model.requests().length, before + 1, 'the model gets no result');
    assert.doesNotMatch(await workbench.chat.conversation(), /It rains in Thun/);
  });

  test('stops after the most rounds, with a button that goes on', async () => {
    await workbench.chat.type('@mcp loop rewriting__weather {"city":"Town #"}', model);
    await workbench.chat.press('More…');
    await workbench.review.answer('rewriting', "Allow 'weather' for this session");
    await workbench.chat.waitForSaid(/Stopped\safter\s2\srounds/);
    await workbench.screenshot('ask-mcp-stopped');
    const before = window.model.requests().length;
    await workbench.chat.press('Continue');
    await expect(
      'another request to the model',
      () => Promise.resolve(window.model.requests().length),
      (count) => count > before,
    );
    await eventually.equal(
      async () => (await workbench.chat.conversation()).match(/SCRIPTED: Continue|Stopped\safter/g)?.length,
      2,
    );
  });

  test('offers what a result links to, and opens it when you select that', async () => {
    await workbench.chat.type('@mcp call everything__get-resource-links {"count":2}', model);
    await window.answer(/Waiting for your answer: 'get-resource-links'/, 'Allow');
    await workbench.chat.waitForSaid(/TOOL SAID: /);
    const links = async () => (await workbench.chat.buttons()).filter((label) => label.startsWith('Open '));
    await eventually.deepEqual(links, ["Open 'Blob Resource 1'", "Open 'Text Resource 2'"]);
    await workbench.screenshot('ask-mcp-links');
    await workbench.chat.press("Open 'Text Resource 2'");
    await workbench.editors.waitForText(/Resource 2: This is a plaintext resource/);
    await workbench.screenshot('ask-mcp-link-opened');
  });

  test('reads an attached resource through the gate', async () => {
    await workbench.runToInput('MCP Host: Open Resource…', 'Open Resource');
    await workbench.quickInput.pressInRow('architecture.md', 'Add to Chat');
    await workbench.chat.waitForAttached('architecture.md');
    await workbench.chat.type('@mcp what does it say?', model);
    await window.answer(/Waiting for your answer: read demo:\S+architecture\.md of 'everything'/, 'Allow');
    await workbench.chat.waitForSaid(/SCRIPTED: [^]*what does it say\?/);
    const last = JSON.stringify(window.model.requests().at(-1)?.messages.at(-1));
    assert.match(last, /<attachment name=.*architecture\.md \(a resource of everything\)/);
    await workbench.screenshot('ask-mcp-attached');
  });

  test('says that a model is gone, with a button that shows where to get one', async () => {
    await workbench.chat.type('@mcp gone', model);
    await workbench.chat.waitForSaid(/'Scripted One' is no longer available\. Select another model\./);
    await workbench.screenshot('ask-mcp-no-model');
    await workbench.chat.press('Manage Language Models');
    // The editor shows it over the window.
    const shown = workbench.page.locator('.monaco-modal-editor-block', { hasText: 'Language Models' });
    await shown.waitFor();
    await workbench.screenshot('ask-mcp-models');
    await workbench.page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });
});
