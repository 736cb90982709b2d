import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually, expect } from '../editor/expectation.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, untilNothingIsAsked, waitUntilRunning } from './support.ts';

const waiting = "The extension 'Caller' is waiting for your decision about 'filesystem'.";

suite('the question whether another extension may run a tool', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let written: string;

  suiteSetup(async () => {
    const settings = {
      'workbench.editor.useModal': 'off', // so that the settings open in a tab
      'mcpHost.servers': { filesystem: demoServers.filesystem },
    };
    ({ demo, workbench } = await beginShared({ servers: {}, settings }));
    written = demo.folder.join('notes', 'written.txt');
    const servers = await openServers(workbench);
    await allowServers(workbench, 1);
    await waitUntilRunning(servers, 'filesystem');
  });

  test("refuses this one request with Don't Allow", async () => {
    await workbench.run('Caller: Write a File');
    await workbench.notifications.press(waiting, 'Review');
    await workbench.review.waitFor(1);
    await workbench.review.answer('filesystem', "Don't Allow");
    await workbench.notifications.waitFor(/^Refused: /);
    await workbench.review.waitUntilClosed();
    assert.equal(existsSync(written), false);
  });

  test('shows who asks, for what, and every argument whole', async () => {
    await workbench.run('Caller: Write a File');
    await workbench.notifications.press(waiting, 'Review');
    const [question] = await workbench.review.waitFor(1);
    assert.ok(question);
    assert.equal(question.title, "The extension 'Caller' wants to run 'write_file' on 'filesystem'");
    assert.match(question.text, /Asked by mcphost-test\.caller\. Server defined in your user settings/);
    assert.ok(question.text.includes(written), question.text);
    assert.match(question.text, /line 0 of a file\nline 1 of a file\n[^]*the end\\u\{202E\}\nsee/);
    assert.match(question.text, /Warning: The argument 'content' has invisible characters/);
    assert.match(question.text, /The server claims: .* Nobody has checked it\./);
    assert.deepEqual(
      question.choices.map(({ label, isChosen }) => [label, isChosen]),
      [
        ['Only this time', true],
        ['For this session', false],
        ['Always in this workspace', false],
        ['Always', false],
        ['Only this tool', true],
        ["All tools of 'filesystem'", false],
      ],
    );
    assert.deepEqual(question.buttons, ['Allow', "Don't Allow", 'Never Allow', 'Open the Definition']);
    await eventually.equal(() => workbench.review.focused(), question.title);
    await workbench.page.keyboard.press('Enter');
    await eventually.equal(async () => (await workbench.review.questions()).length, 1);
    assert.equal(existsSync(written), false);
  });

  test('folds what is long, and has no finding of axe in any theme', async () => {
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.review.waitFor(1);
      await workbench.screenshot(`call-question-${theme}`);
      await eventually.deepEqual(async () => findingsOfAxe(await workbench.review.frame()), [], theme);
    }
    await workbench.review.unfold('filesystem', 'Show all 42 lines of content');
    await workbench.screenshot('call-question-unfolded');
    await workbench.review.unfold('filesystem', 'Show less of content');
  });

  test('keeps what was chosen while another tab is in front', async () => {
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
