import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { eventually, expect } from '../editor/expectation.ts';
import type { SamplingCard } from '../editor/samplingCard.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, fixtureServer } from '../editor/workspaces.ts';
import { beginShared, type SharedWindow } from './sharedWindow.ts';
import {
  allowServers,
  openServers,
  openTool,
  pageSays,
  processOf,
  startTool,
  untilNothingIsAsked,
  waitUntilRunning,
} from './support.ts';

/** The first gives up after 60 seconds; `asker` waits for as long as it takes to look at a question. */
const servers = {
  everything: demoServers.everything,
  asker: fixtureServer('samplingServer.ts', '--timeout=600000'),
  filesystem: demoServers.filesystem,
};

suite('What servers and extensions ask', () => {
  let window: SharedWindow;
  let workbench: Workbench;
  let tree: TreeView;

  suiteSetup(async () => {
    window = await beginShared({
      servers: {},
      settings: { 'mcpHost.servers': servers, 'mcpHost.sampling.models': ['scripted/*', 'auth-1'] },
    });
    ({ workbench } = window);
    const names = Object.keys(servers);
    await allowServers(workbench, names.length);
    tree = await openServers(workbench);
    for (const name of names) {
      await waitUntilRunning(tree, name);
    }
  });

  /** Waits for the result of a tool, and closes its form. */
  const result = async (words: RegExp): Promise<void> => {
    await workbench.toolForm.result(words);
    await workbench.review.waitUntilClosed(); // an open panel shows the next question without a notification
    await workbench.execute('workbench.action.closeAllEditors');
  };

  suite('for a language model', () => {
    /** What server-everything makes of a prompt. */
    const sentFor = (prompt: string): string => `Resource trigger-sampling-request context: ${prompt}`;
    const user = (text: string) => ({ role: 'user', content: [{ text }] });

    const accessSays = (server: string, wanted: RegExp): Promise<string> =>
      pageSays(workbench, tree, server, ['Model access', wanted]);
    /** Begins one of the actions of model access on the page of a server. */
    const begin = async (server: string, action: string): Promise<void> => {
      await tree.runInline([server], 'Open Server');
      await workbench.serverOverview.press(`${action}: Model access`);
      await workbench.quickInput.waitUntilOpen();
    };
    const setAccess = async (server: string, choice: string): Promise<void> => {
      await begin(server, 'Set Model Access…');
      await workbench.quickInput.pick(choice);
    };
    /** Runs the tool of the patient server that asks for a language model. */
    const askPatiently = (prompt: string): Promise<void> => startTool(workbench, 'ask', { prompt });
    /** Runs the tool of server-everything that asks for a language model. */
    const ask = (prompt: string): Promise<void> =>
      startTool(workbench, 'Trigger Sampling Request Tool', { prompt, maxTokens: '100' });
    /** Opens the card of a server's request from the notification. */
    const review = async (server: string): Promise<SamplingCard> => {
      await workbench.notifications.press(`'${server}' wants to ask a language model.`, 'Review');
      const card = workbench.review.sampling(server);
      await card.waitFor('request');
      return card;
    };
    const answerTo = (prompt: string): RegExp =>
      RegExp(`LLM sampling result:[^]*SCRIPTED: ${sentFor(prompt)}`);

    test('is shown on the page of the server, with what it means', async () => {
      const tooltip = await accessSays('asker', /^asks each time$/);
      assert.match(tooltip, /A server may ask for a language model of this editor/);
      assert.match(
        tooltip,
        /While it handles a request of yours: asks each time\. Decided by your setting mcpHost\.sampling\.policy/,
      );
    });

    test('is decided for all requests of a server in one step', async () => {
      await begin('asker', 'Set Model Access…');
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
      await workbench.screenshot('model-access-decided');
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
      // The list opens again, unless the tree, which is renewed at that moment, takes back the focus.
      await workbench.quickInput.cancel();
      await accessSays('asker', /^asks each time$/);
    });

    test('is answered with the keyboard from the notification on, and allowed for the session', async () => {
      const { keyboard } = workbench.page;
      const title = "'asker' wants to ask a language model";
      await askPatiently('Tell me of Chur.');
      await workbench.notifications.focus(`${title}.`, 'Review');
      await keyboard.press('Enter');
      const card = workbench.review.sampling('asker');
      await card.waitFor('request');
      await workbench.review.waitForFocus(title);
      await workbench.screenshot('model-access-request');
      await workbench.review.tabTo(`Other ways to send: ${title}`);
      await keyboard.press('Enter');
      await workbench.review.tabTo(`Send and Allow for This Session: ${title}`);
      await keyboard.press('Enter');
      await card.waitFor('answer');
      const answeredTitle = "Scripted One has answered 'asker'";
      await workbench.review.waitForFocus(answeredTitle);
      await workbench.review.tabTo(`Deliver: ${answeredTitle}`);
      await workbench.screenshot('model-access-keyboard');
      await keyboard.press('Enter');
      await result(/SCRIPTED: Tell me of Chur\./);
      assert.deepEqual((await window.model.heard(1)).messages, [user('Tell me of Chur.')]);
      await accessSays('asker', /^allowed for this session/);
    });

    test('passes then without a question, and is recorded', async () => {
      await askPatiently('Tell me of Uri.');
      await result(/SCRIPTED: Tell me of Uri\./);
      await untilNothingIsAsked(workbench);
      const activity = await workbench.openView('MCP Host', 'Activity');
      const listed = async () => (await activity.rows()).filter(({ label }) => label === 'Scripted One');
      await eventually.equal(async () => (await listed()).length, 2); // the newest is the first
      await eventually.match(
        async () => (await activity.row('Scripted One')).description,
        /^asker · the server · done/,
      );
      await activity.select('Scripted One');
      const entry = await workbench.editors.waitForText(/Model: Scripted One/);
      assert.match(entry, /Decision: by your earlier answer/);
      assert.match(entry, /Tell me of Uri\./);
      await workbench.screenshot('model-access-entry');
      await workbench.execute('workbench.action.closeAllEditors');
    });

    test('asks each time again when you choose that', async () => {
      await setAccess('asker', 'Ask Each Time');
      await accessSays('asker', /^asks/);
    });

    test('reaches the model as the server wrote it, when you allow it beforehand', async () => {
      await setAccess('everything', 'Allow for This Session');
      await accessSays('everything', /^allowed for this session/);
      const heard = window.model.requests().length;
      await ask('Tell me of Zug.');
      await result(answerTo('Tell me of Zug.'));
      const { messages } = await window.model.heard(heard + 1);
      assert.deepEqual(messages, [user('You are a helpful test server.'), user(sentFor('Tell me of Zug.'))]);
      await setAccess('everything', 'Ask Each Time');
      await accessSays('everything', /^asks/);
    });

    test('is shown in the form that waits for it, which leads there and comes back', async () => {
      const { toolForm, review } = workbench;
      await askPatiently('Tell me of Aarau.');
      await toolForm.waitForText(/'asker' wants to ask a language model\.\s+The server has waited for \d+ s/);
      await workbench.screenshot('form-question');
      await toolForm.press('Review');
      const card = review.sampling('asker');
      await card.waitFor('request');
      await card.press('Send');
      await card.waitFor('answer');
      await card.press('Deliver');
      await result(/SCRIPTED: Tell me of Aarau\./);
    });

    test("asks for the editor's own consent to a model after the click only", async () => {
      const heard = window.model.requests().length;
      await askPatiently('Tell me of Sion.');
      const card = await review('asker');
      await card.chooseModel('Scripted Auth');
      await card.waitForText(/≈ \d+ tokens in/);
      assert.equal(await workbench.dialog.isOpen(), false);
      await card.pressByKey('Send');
      const words = await workbench.dialog.text();
      await workbench.screenshot('model-access-consent');
      assert.match(words, /MCP Host/);
      assert.equal(window.model.requests().length, heard);
      await workbench.dialog.answer('Allow');
      await card.waitFor('answer');
      await card.press('Deny');
      await result(/User rejected sampling request/);
    });

    test('is asked for by two at once, and no result covers the panel while one is left', async () => {
      await askPatiently('Tell me of Thun.');
      await ask('Tell me of Olten.');
      // Of one that waits, which stays while another one joins it, or of both.
      await workbench.notifications.press(/^'asker' wants to ask|^2 MCP servers are waiting/, 'Review');
      await workbench.review.waitFor(2);
      await workbench.review.sampling('everything').press('Never for This Server');
      await workbench.notifications.waitFor(
        "Tool 'trigger-sampling-request' of server 'everything' has finished.",
      );
      await workbench.review.sampling('asker').press('Deny');
      await result(/User rejected sampling request/);
      await accessSays('everything', /^not allowed/);
      await workbench.screenshot('model-access-never');
      await workbench.execute('notifications.clearAll');
    });

    test('is named in the result of the tool when you did not look at it, and answered for the next run', async () => {
      await askPatiently('Tell me of Arth.');
      await workbench.notifications.waitFor("'asker' wants to ask a language model.");
      process.kill(await processOf(workbench, 'samplingServer.ts'), 'SIGUSR2'); // it gives up
      const text = await workbench.toolForm.result(/Request timed out/);
      assert.match(text, /'asker' asked for a language model, and waited \d+ s for your answer/);
      await workbench.screenshot('model-access-missed');
      await untilNothingIsAsked(workbench);
      await workbench.toolForm.press('Review Request');
      const card = workbench.review.sampling('asker');
      assert.match(await card.waitFor('ended'), /'asker' stopped waiting after \d+ s\./);
      await card.press('Run the Tool Again and Send This');
      // The panel closes if the tool takes a while to ask again.
      await workbench.statusBar.waitFor(/MCP: 1 waiting/);
      await workbench.run('MCP Host: Review Questions');
      await card.waitFor('answer');
      await card.press('Deliver');
      await result(/SCRIPTED: Tell me of Arth\./); // in the form from which it ran
    });

    test('leaves models out for all servers', async () => {
      await begin('everything', 'Choose Language Models…');
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
      await workbench.quickInput.cancel();
    });
  });

  suite('to fill in a form', () => {
    test('is submitted with the keyboard', async () => {
      await openTool(workbench, 'Trigger Elicitation Request Tool');
      await workbench.toolForm.waitForText(/'everything' asks you to fill in a form\./);
      await workbench.toolForm.press('Review');
      await workbench.review.waitFor(1);
      const name = (await workbench.review.frame()).getByLabel('String (required)', { exact: true });
      await name.focus();
      await workbench.page.keyboard.type('Jo Doe');
      await workbench.screenshot('elicitation');
      await workbench.review.tabTo(/^Submit: /);
      await workbench.page.keyboard.press('Enter');
      await result(/User provided the requested information/);
    });
  });

  suite('whether another extension may run a tool', () => {
    test('is answered with the keyboard, and remembered', async () => {
      const { review, page } = workbench;
      const written = window.demo.folder.join('notes', 'written.txt');
      const isWritten = () => Promise.resolve(existsSync(written));
      await workbench.run('Caller: Write a File');
      await workbench.notifications.press(
        "The extension 'Caller' is waiting for your decision about 'filesystem'.",
        'Review',
      );
      await review.waitFor(1);
      await review.open('filesystem');
      await review.tabTo(/^Allow 'write_file' for this session: The extension 'Caller'/);
      await workbench.screenshot('call-question');
      await page.keyboard.press('Enter');
      await workbench.notifications.waitFor('Written');
      assert.match(readFileSync(written, 'utf8'), /the end\u202E\nsee/);
      await review.waitUntilClosed();
      rmSync(written);
      await workbench.run('Caller: Write a File');
      await expect('the file written unasked', isWritten, (exists) => exists);
      await untilNothingIsAsked(workbench);
    });
  });
});
