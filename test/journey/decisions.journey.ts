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
import { beginShared } from './sharedWindow.ts';
import {
  allowedDirectories,
  allowServers,
  expectNoQuestion,
  openServers,
  processesOf,
  processOf,
  rootsAre,
  waitForState,
  waitUntilRunning,
} from './support.ts';

const fixture = (name: string): string => join(root, 'test/fixtures/servers', name);
const legacyServer = fixture('legacyServer.ts');
const tokenServer = fixture('tokenServer.ts');

suite('decisions about a definition with a typo', () => {
  let file: string;
  let workbench: Workbench;
  let servers: TreeView;

  const before = `{
  // What this project needs.
  "mcpServers": {
    "good": { "command": ${JSON.stringify(node24)}, "args": [${JSON.stringify(legacyServer)}] },
    "bad": { "comand": ${JSON.stringify(node24)}, "args": [${JSON.stringify(legacyServer)}] }, // late at night
  }
}
`;

  const brokenJson = /is not valid JSON/;
  const write = (text: string): void => writeFileSync(file, text);

  suiteSetup(async () => {
    const { demo, ...shared } = await beginShared({ servers: {} });
    ({ workbench } = shared);
    file = demo.folder.join('notes/.mcp.json');
    write(before);
    await allowServers(workbench, 1);
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'good');
  });

  test('are fixed by a quick fix, while the other server keeps its process', async () => {
    const { problems, editors } = workbench;
    await waitForState(servers, 'bad', "can't be started");
    const pid = await processOf(workbench, legacyServer);

    await workbench.run('Problems: Focus on Problems View');
    await problems.waitFor(/"comand"/);
    await workbench.screenshot('decisions-problem');
    await problems.open(/"comand"/);
    await editors.waitFor('.mcp.json');
    const fix = 'Rename "comand" to "command"';
    const fixes = await problems.quickFixes(fix);
    assert.equal(fixes[0], fix);
    await workbench.screenshot('decisions-quick-fix');
    await workbench.page.keyboard.press('Enter');
    await editors.waitForText(/"bad": \{ "command"/);
    await workbench.run('File: Save');

    await waitForState(servers, 'bad', 'needs approval');
    await problems.waitUntilGone(/"comand"/);
    // The editor empties a file before it writes it.
    const saved = () => Promise.resolve(readFileSync(file, 'utf8'));
    await eventually.equal(saved, before.replace('comand', 'command'));
    assert.equal(await processOf(workbench, legacyServer), pid);
    await allowServers(workbench, 1);
    await waitUntilRunning(servers, 'bad');
    const pids = await processesOf(workbench, legacyServer);
    assert.ok(pids.length === 2 && pids.includes(pid), `${pid} is not one of ${pids.join(', ')}`);
  });

  test('a half-typed file stops no server', async () => {
    const pids = await processesOf(workbench, legacyServer);
    const whole = readFileSync(file, 'utf8');
    write(whole.slice(0, whole.indexOf('"args"')));
    await workbench.problems.waitFor(brokenJson);
    await servers.row('notes/.mcp.json');
    await workbench.screenshot('decisions-half-typed');
    await waitUntilRunning(servers, 'good');
    await waitUntilRunning(servers, 'bad');
    write(whole);
    await workbench.problems.waitUntilGone(brokenJson);
    assert.deepEqual(await processesOf(workbench, legacyServer), pids);
  });
});

suite('decisions about inputs', () => {
  const first = 'first-hidden-value';
  const second = 'second-hidden-value';
  let folder: TemporaryFolder;
  let proof: string;
  /** Starts of such a server that a journey before has left in the logs. */
  let earlierStarts: number;
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
    folder = new TemporaryFolder('proof');
    proof = folder.join('proof');
    const store = {
      command: node24,
      args: [tokenServer],
      env: { TOKEN: '${input:token}', PROOF: proof },
    };
    const token = { type: 'promptString', id: 'token', description: 'The key of the store', password: true };
    ({ server, workbench } = await beginShared({
      servers: {},
      settings: { 'mcpHost.servers': { store }, 'mcpHost.inputs': [token] },
    }));
    earlierStarts = startsIn(logs());
    servers = await openServers(workbench);
  });

  suiteTeardown(() => {
    folder?.remove();
  });

  test('asks for the value once the launch is allowed, and starts with it', async () => {
    const { quickInput } = workbench;
    await waitForState(servers, 'store', 'needs approval');
    await traceLog();
    await allowServers(workbench, 1);
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

  test('shows the value in no log', async () => {
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

  test('does not ask again after a reload', async () => {
    await workbench.restartExtensionHost();
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'store');
    await waitForProof(first, first);
    assert.equal(await workbench.quickInput.isOpen(), false);
  });

  test('forgets the value, and then asks again', async () => {
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

  test('leaves the server stopped at Escape', async () => {
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

  const hasThreeStarts = (text: string): boolean => startsIn(text) - earlierStarts === 3;

  async function traceLog(): Promise<void> {
    const { quickInput } = workbench;
    // The editor knows a log from its first line, or its first look, on.
    await servers.runFromMenu(['store'], 'Show Log');
    await workbench.execute('workbench.action.closePanel');
    await workbench.runToInput('Developer: Set Log Level...');
    await quickInput.pick('MCP: store');
    await quickInput.pick('Trace');
    await quickInput.waitUntilClosed();
  }
});

suite('decisions about folders', () => {
  test('a server sees only the folders that were left checked, after a reload too', async () => {
    const { demo, workbench } = await beginShared();
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    await workbench.review.waitFor(2);
    await workbench.review.answer('everything', "Don't Allow");
    await workbench.review.setFolder('filesystem', 'shop', false);
    await workbench.screenshot('decisions-folders');
    await workbench.review.answer('filesystem', 'Allow');
    await workbench.review.waitUntilClosed();
    let servers = await openServers(workbench);
    await waitUntilRunning(servers, 'filesystem');
    await rootsAre(servers, 'notes · 1 not shared');
    assert.deepEqual(await allowedDirectories(workbench), [demo.folder.join('notes')]);

    await workbench.restartExtensionHost();
    servers = await openServers(workbench);
    await waitForState(servers, 'filesystem', '14 tools · not in chat'); // it runs before its tools are listed
    await waitForState(servers, 'everything', 'denied');
    assert.deepEqual(await allowedDirectories(workbench), [demo.folder.join('notes')]);
    await workbench.screenshot('decisions-folders-tree');
    await expectNoQuestion(workbench);
  });
});
