import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { eventually, expect } from '../editor/expectation.ts';
import { chooseFile, proposedFile, saveThroughDialog } from '../editor/folderDialog.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginRunning } from './runningServers.ts';
import { openServers } from './support.ts';

suite('the traffic of a server', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginRunning());
    servers = await openServers(workbench);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('is recorded as soon as its list is open, a line for each message', async () => {
    const { editors, toolForm, quickInput } = workbench;
    await servers.runInline(['library'], 'Open Server');
    await workbench.serverOverview.press('Show Traffic');
    await editors.waitFor('Traffic of library');
    await editors.waitForText(/^Traffic of 'library'/);
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await quickInput.pick('Echo Tool');
    await toolForm.waitFor('Echo Tool');
    await toolForm.fill('message', 'hello');
    await toolForm.run();
    await toolForm.result(/Echo: hello/);
    await editors.select('Traffic of library');
    await editors.waitForText(
      / → tools\/call echo \([^]* ← result of tools\/call echo \(for \d+, \d+ ms, .*Echo: hello/,
    );
    await workbench.screenshot('traffic');
    await workbench.useTheme('dark');
    await workbench.screenshot('traffic-dark');
    await workbench.useTheme('light');
  });

  test('shows a message whole, goes to its response, and sends it again from its form', async () => {
    const { editors, toolForm } = workbench;
    await find(workbench, '→ tools/call echo');
    await workbench.page.keyboard.press('F12');
    const request = await editors.waitForText(/^\/\/ Message \d+ of 'library', sent at /);
    assert.match(request, /"message": "hello"/);
    const [response = ''] = (await lenses(workbench, 'Go to Response')) ?? [];
    await workbench.screenshot('traffic-message');
    assert.deepEqual(await editors.codeLenses(), [response, 'Send Again…', 'Copy as JSON-RPC']);
    await editors.pressCodeLens('Copy as JSON-RPC');
    await eventually.match(
      () => workbench.page.evaluate(() => navigator.clipboard.readText()),
      /^\{"method":"tools\/call"/,
    );
    await editors.pressCodeLens('Send Again…');
    await toolForm.waitFor('Echo Tool');
    await eventually.equal(() => toolForm.value('message'), 'hello');
    await workbench.execute('workbench.action.closeActiveEditor');
    await editors.select(/^\d+\.jsonc/);
    await editors.pressCodeLens(response);
    await editors.waitForText(/^\/\/ Message \d+ of 'library', received at [^]*"text": "Echo: hello"/);
    await workbench.execute('workbench.action.closeActiveEditor');
  });

  test('is exported to a file that you see, and compared with what came later', async () => {
    const { editors, toolForm, notifications } = workbench;
    await editors.select('Traffic of library');
    await editors.runFromMore('Export Recording…');
    await eventually.match(() => proposedFile(workbench.page), /\/library\.mcp\.jsonl$/);
    const target = demo.folder.join('before.mcp.jsonl');
    await saveThroughDialog(workbench.page, target);
    await notifications.waitFor(/^Read it before you share it/);
    await editors.waitForText(/^\{"format":"mcp-recording","version":1,"server":"library",/);
    await workbench.screenshot('traffic-recording');
    await notifications.dismiss(/^Read it before you share it/);
    await editors.select('Echo Tool');
    await toolForm.fill('message', 'later');
    await toolForm.run();
    await toolForm.result(/Echo: later/);
    await editors.select('Traffic of library');
    await editors.runFromMore('Compare Recordings…');
    await chooseFile(workbench.page, target, 'Compare');
    await editors.waitFor(/^before\.mcp\.jsonl ↔ library now/);
    await workbench.screenshot('traffic-compared');
    await eventually.match(() => editors.activeText(), /"message": "later"/);
    await workbench.execute('workbench.action.closeActiveEditor');
  });

  test('is a server again, from its file, until that is removed', async () => {
    const { editors, notifications, quickInput, review, toolForm } = workbench;
    const name = 'before (recording)';
    await editors.select('before.mcp.jsonl');
    await editors.runFromMore('Add Recording as Server…');
    await review.waitFor(1);
    await workbench.screenshot('traffic-question');
    await review.answer(name, 'Allow');
    await servers.waitForRow([name], 'run', ({ description }) => description.startsWith('16 tools'));
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await quickInput.pickOf('Echo Tool', `echo · ${name}`);
    await toolForm.waitFor('Echo Tool');
    await toolForm.fill('message', 'another');
    await toolForm.run();
    await toolForm.result(/Echo: hello/);
    await workbench.screenshot('traffic-played');
    await workbench.execute('workbench.action.closeActiveEditor');
    await servers.runFromMenu([name], 'Remove Server');
    await notifications.waitFor(`Server '${name}' removed.`);
    await servers.waitUntilGone(name);
    await notifications.dismiss(`Server '${name}' removed.`);
  });

  test('is added by the path of its file, too, unless that is broken', async () => {
    const { notifications, quickInput } = workbench;
    const broken = demo.folder.join('broken.mcp.jsonl');
    await writeFile(broken, '{"format":"mcp-recording","version":1,"server":"a"}\n{"session":1,');
    await workbench.runToInput('MCP Host: Add Server…', 'Add Server');
    await quickInput.type(broken);
    await workbench.screenshot('traffic-add');
    await quickInput.pick('Recording');
    const problem = 'The recording was not added: broken.mcp.jsonl: line 2 is cut off';
    await notifications.waitFor(problem);
    await notifications.dismiss(problem);
  });

  test('is filtered, paused and cleared from its title', async () => {
    const { editors, quickInput } = workbench;
    await editors.select('Traffic of library');
    await editors.runFromTitle('Filter Traffic…');
    await quickInput.waitUntilOpen('Filter Traffic');
    await workbench.screenshot('traffic-filter');
    await quickInput.toggle('tools/call');
    await quickInput.accept();
    const isFiltered = (text: string) =>
      text
        .split('\n')
        .slice(2, -1)
        .every((line) => line.includes(' tools/call '));
    assert.match(
      await expect('only calls', () => editors.activeText(), isFiltered),
      / ← result of tools\/call echo/,
    );
    await editors.runFromTitle('Pause Traffic');
    await expect(
      'that it can go on',
      () => editors.titleActions(),
      (titles) => titles.includes('Resume Traffic'),
    );
    await editors.runFromTitle('Resume Traffic');
    await editors.runFromTitle('Clear Traffic');
    await editors.waitForText(/^Traffic of.*\n\n$/);
  });

  test('has what the server breaks of the specification in Problems, and above its message', async () => {
    const { editors, problems } = workbench;
    await workbench.execute('workbench.action.closeAllEditors');
    await servers.runInline(['odd'], 'Open Server');
    await workbench.serverOverview.press('Show Traffic');
    await editors.waitFor('Traffic of odd');
    await servers.runInline(['odd'], 'Restart Server');
    await editors.waitForText(/ ← result of tools\/list /);
    await workbench.execute('workbench.actions.view.problems');
    await problems.waitFor(/tools\[0\]/);
    await workbench.screenshot('traffic-problems');
    await workbench.execute('workbench.action.focusActiveEditorGroup');
    await find(workbench, '← result of tools/list');
    await workbench.page.keyboard.press('F12');
    const message = await editors.waitForText(/^\/\/ Message \d+ of 'odd', received at /);
    assert.match(message, /^\/\/ Advice: tools\[0\] /m);
    await workbench.screenshot('traffic-faults');
  });
});

/** Puts the cursor on the first line with a text. */
async function find(workbench: Workbench, text: string): Promise<void> {
  const lines = (await workbench.editors.activeText()).split('\n');
  const line = lines.findIndex((one) => one.includes(text));
  await workbench.page.keyboard.press('ControlOrMeta+Home');
  for (let at = 0; at < line; at += 1) {
    await workbench.page.keyboard.press('ArrowDown');
  }
}

function lenses(workbench: Workbench, beginning: string): Promise<readonly string[]> {
  return expect(
    `a code lens '${beginning}'`,
    async () => (await workbench.editors.codeLenses()).filter((title) => title.startsWith(beginning)),
    (found) => found.length > 0,
  );
}
