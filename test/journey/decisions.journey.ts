import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, expect, plain } from '../editor/expectation.ts';
import { node24, root } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { CodeServer } from '../editor/codeServer.ts';
import { demoServers, type Workspace } from '../editor/workspaces.ts';
import { serveTasks, type TaskHttpServer } from '../fixtures/servers/taskHttp.ts';
import { beginShared } from './sharedWindow.ts';
import {
  allowedDirectories,
  expectNoQuestion,
  openServers,
  openTool,
  processesOf,
  processOf,
  rootsAre,
  waitForState,
  waitUntilEnded,
  waitUntilRunning,
} from './support.ts';

const fixture = (name: string): string => join(root, 'test/fixtures/servers', name);
const tokenServer = fixture('tokenServer.ts');
/** It ignores signals. */
const stubbornServer = fixture('legacyServer.ts');
const guard = 'dist/guard.cjs';

suite('decisions', () => {
  const first = 'first-hidden-value';
  const second = 'second-hidden-value';
  let folder: TemporaryFolder;
  let proof: string;
  /** Starts of this kind of server that a journey before has left in the logs. */
  let earlierStarts: number;
  let served: TaskHttpServer;
  let demo: Workspace;
  let server: CodeServer;
  let workbench: Workbench;
  let servers: TreeView;

  const waitForProof = async (...values: readonly string[]): Promise<void> => {
    const wanted = values.map((value) => `${createHash('sha256').update(value).digest('hex')}\n`).join('');
    const read = () => Promise.resolve(existsSync(proof) ? readFileSync(proof, 'utf8') : '');
    await expect('the server with its value', read, (text) => text === wanted);
  };

  const startsIn = (text: string): number => text.split("The token is '•••'.").length - 1;

  /** Everything that the editor and its extensions have written into logs. */
  const logs = (): string =>
    globSync('data/logs/**/*.log', { cwd: server.folder })
      .map((file) => readFileSync(join(server.folder, file), 'utf8'))
      .join('');

  suiteSetup(async () => {
    served = await serveTasks('legacy');
    served.tasks.status = 'working';
    folder = new TemporaryFolder('proof');
    proof = folder.join('proof');
    const store = {
      command: node24,
      args: [tokenServer],
      env: { TOKEN: '${input:token}', PROOF: proof },
    };
    const token = { type: 'promptString', id: 'token', description: 'The key of the store', password: true };
    ({ demo, server, workbench } = await beginShared({
      servers: { ...demoServers, tasks: { type: 'http', url: served.url } },
      settings: { 'mcpHost.servers': { store }, 'mcpHost.inputs': [token] },
    }));
    earlierStarts = startsIn(logs());
    const bad = { comand: node24, args: [stubbornServer, '--stubborn'] };
    writeFileSync(demo.folder.join('notes/.mcp.json'), JSON.stringify({ mcpServers: { bad } }));
    servers = await openServers(workbench);
  });

  suiteTeardown(async () => {
    folder?.remove();
    await served?.close();
  });

  test('wait until a typo is fixed, by a quick fix', async () => {
    const { problems, editors } = workbench;
    await waitForState(servers, 'bad', "can't be started");
    await workbench.run('Problems: Focus on Problems View');
    await problems.waitFor(/"comand"/);
    await problems.open(/"comand"/);
    await editors.waitFor('.mcp.json');
    const fix = 'Rename "comand" to "command"';
    const fixes = await problems.quickFixes(fix);
    assert.equal(fixes[0], fix);
    await workbench.screenshot('decisions-quick-fix');
    await workbench.page.keyboard.press('Enter');
    await editors.waitForText(/"bad":\{"command"/);
    await workbench.run('File: Save');
    await waitForState(servers, 'bad', 'needs approval');
    await problems.waitUntilGone(/"comand"/);
    await workbench.execute('workbench.action.closePanel');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('are asked for at once: launches, folders, and then the value of an input', async () => {
    const { quickInput, review } = workbench;
    await waitForState(servers, 'store', 'needs approval');
    await traceLog();
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    await review.waitFor(5);
    await review.answer('everything', "Don't Allow");
    await review.setFolder('filesystem', 'shop', false);
    await workbench.screenshot('decisions-folders');
    await review.answer('filesystem', 'Allow');
    await review.answer('tasks', 'Allow');
    await review.answer('bad', 'Allow');
    await review.answer('store', 'Allow');
    await review.waitUntilClosed();
    await quickInput.waitUntilOpen("'store' needs 'token'");
    await eventually.equal(
      () => quickInput.prompt(),
      "The key of the store. Declared in your user settings. Kept in the editor's secret storage",
    );
    assert.deepEqual(await processesOf(workbench, tokenServer), []);
    await quickInput.type(first);
    await eventually.equal(() => quickInput.isMasked(), true);
    await workbench.screenshot('inputs-ask');
    await quickInput.accept();
    await waitUntilRunning(servers, 'store');
    await waitForProof(first);
  });

  test('show the value of an input in no log', async () => {
    await servers.runFromMenu(['store'], 'Show Log');
    const lines = workbench.page.locator('.part.panel .view-line');
    const shown = await expect(
      'the messages in the log',
      async () => plain((await lines.allInnerTexts()).join('\n')),
      (text) => text.includes('[trace]'),
    );
    assert.ok(!shown.includes(first));
    await workbench.screenshot('inputs-log');
    const written = logs();
    assert.ok(written.includes("The token is '•••'."));
    assert.ok(written.includes('"method":"tools/list"'));
    assert.ok(!written.includes(first));
    await workbench.execute('workbench.action.closePanel');
  });

  test('hold when the extension host was killed, whose guard ends servers that ignore signals', async () => {
    await waitUntilRunning(servers, 'bad');
    await waitUntilRunning(servers, 'tasks');
    assert.deepEqual(await allowedDirectories(workbench), [demo.folder.join('notes')]);
    await openTool(workbench, 'work');
    await workbench.statusBar.waitFor(/MCP: work on tasks/);
    const pids = [await processOf(workbench, stubbornServer), await processOf(workbench, guard)];
    await workbench.restartExtensionHost();
    await waitUntilEnded(pids);
    await workbench.execute('workbench.action.closeAllEditors');
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'store');
    await waitForProof(first, first);
    assert.equal(await workbench.quickInput.isOpen(), false);
    await waitForState(servers, 'filesystem', '14 tools · not in chat'); // it runs before its tools are listed
    await waitForState(servers, 'everything', 'denied');
    await rootsAre(servers, 'notes · 1 not shared');
    await workbench.screenshot('decisions-folders-tree');
    await expectNoQuestion(workbench);
  });

  test('keep the list of activity after that, without contents, with tasks that go on', async () => {
    const activity = await workbench.openView('MCP Host', 'Activity');
    await activity.select('list_allowed_directories');
    await workbench.editors.waitForText(
      /^Server: filesystem\nTool: list_allowed_directories\n[^]*no longer kept/,
    );
    const waitForTask = (state: RegExp) =>
      activity.waitForRow(['work'], `match ${String(state)}`, ({ description }) => state.test(description));
    const { ariaLabel } = await waitForTask(/^tasks · you · task · running… · since /);
    assert.match(ariaLabel, /^work, tasks · you · task · running… · since /);
    await workbench.screenshot('activity-task-again');
    served.tasks.status = 'completed';
    await waitForTask(/^tasks · you · task · done · \d\d:\d\d:\d\d$/);
    await activity.runInline(['work'], 'Open Result');
    const result = /^Server: tasks\nTool: work\nCalled: .*\nArguments: not kept\n[^]*the result/;
    await workbench.editors.waitForText(result);
    assert.equal(served.peer.of('tools/call').length, 1);
    await workbench.screenshot('activity-task-result');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('share no other folder after that', async () => {
    assert.deepEqual(await allowedDirectories(workbench), [demo.folder.join('notes')]);
  });

  test('are asked for again once the value of an input is forgotten', async () => {
    const { quickInput } = workbench;
    await workbench.runToInput('MCP Host: Manage Stored Inputs…', 'Stored Inputs');
    const detail = 'your user settings · used by store';
    const stored = await quickInput.items();
    assert.deepEqual(
      stored.filter((item) => item.detail === detail),
      [{ label: 'token', description: 'password', detail, isChecked: undefined }],
    );
    await workbench.screenshot('inputs-stored');
    // What other journeys have stored is in the browser, and still there.
    for (const { label } of stored) {
      await quickInput.pressInRow(label, 'Forget');
    }
    await workbench.notifications.waitFor(/^No inputs are stored\./);
    await servers.runInline(['store'], 'Restart Server');
    await quickInput.waitUntilOpen("'store' needs 'token'");
  });

  test('leave the server stopped at Escape', async () => {
    await workbench.quickInput.cancel();
    await waitForState(servers, 'store', 'stopped');
    assert.deepEqual(await processesOf(workbench, tokenServer), []);
    const entries = await workbench.statusBar.now();
    assert.deepEqual(
      entries.filter(({ text }) => text.includes('failed')),
      [],
    );
    await workbench.screenshot('inputs-escaped');
    await servers.runInline(['store'], 'Start Server');
    await workbench.quickInput.waitUntilOpen("'store' needs 'token'");
    await workbench.quickInput.enter(second);
    await waitUntilRunning(servers, 'store');
    await waitForProof(first, first, second);
    await expect('the new value, left out of the log', () => Promise.resolve(logs()), hasThreeStarts);
    assert.ok(![first, second].some((value) => logs().includes(value)));
  });

  test('leave no process when the guard was killed with the extension host: the next one ends it', async () => {
    await waitUntilRunning(servers, 'bad');
    const [left, killed] = [await processOf(workbench, stubbornServer), await processOf(workbench, guard)];
    process.kill(killed, 'SIGSTOP'); // it would end the server first
    await workbench.restartExtensionHost(() => {
      process.kill(killed, 'SIGKILL');
      process.kill(left, 0); // it is alive
    });
    await waitUntilEnded([killed, left]);
  });

  const hasThreeStarts = (text: string): boolean => startsIn(text) - earlierStarts === 3;

  async function traceLog(): Promise<void> {
    const { quickInput } = workbench;
    // The editor knows a log from its first line, or its first look, on.
    await servers.runFromMenu(['store'], 'Show Log');
    await workbench.page.locator('.part.panel .monaco-editor').first().waitFor(); // it would close the input
    await workbench.execute('workbench.action.closePanel');
    await workbench.runToInput('Developer: Set Log Level...');
    await quickInput.pick('MCP: store');
    await quickInput.pick('Trace');
    await quickInput.waitUntilClosed();
  }
});
