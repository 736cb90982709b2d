import assert from 'node:assert/strict';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoWorkspace, type Workspace } from '../editor/workspaces.ts';
import { allowServers, begin, openServers, waitUntilRunning, type Journey } from './support.ts';

suite('Run Tool…', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    demo = demoWorkspace();
    journey = await begin({ workspace: demo.file }, { folders: 2 });
    ({ workbench } = journey);
    await allowServers(workbench, 2);
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'everything');
    await waitUntilRunning(servers, 'filesystem');
  });

  teardown(async () => {
    await workbench.run('View: Close All Editors');
  });

  suiteTeardown(async () => {
    await journey?.end();
    demo?.folder.remove();
  });

  const choose = async (title: string): Promise<void> => {
    await workbench.run('MCP Host: Run Tool…');
    await workbench.quickInput.waitUntilOpen('Run Tool');
    await workbench.quickInput.pick(title);
  };

  test('offers the tools of all running servers', async () => {
    await workbench.run('MCP Host: Run Tool…');
    await workbench.quickInput.waitUntilOpen('Run Tool');
    const items = await workbench.quickInput.items();
    assert.ok(items.length > 5);
    await workbench.screenshot('run-tool-pick');
    await workbench.quickInput.cancel();
  });

  test('runs a tool from its row in the tree', async () => {
    await servers.expand('filesystem', 'Tools');
    await servers.runInline(['filesystem', 'Tools', 'List Allowed Directories'], 'Run Tool…');
    const text = await workbench.editors.waitForText(/Allowed directories:/);
    assert.match(text, /^Server: filesystem\nTool: list_allowed_directories\n/);
    await servers.collapse('filesystem', 'Tools');
  });

  test('asks for numbers, refuses what is none, and goes back', async () => {
    const { quickInput } = workbench;
    await choose('Get Sum Tool');
    await quickInput.waitUntilOpen('Run get-sum on everything (1/2)');
    await quickInput.enter('four');
    assert.match(await quickInput.validationMessage(), /number/);
    await workbench.screenshot('run-tool-refused');
    await quickInput.enter('4');
    await quickInput.waitUntilOpen('Run get-sum on everything (2/2)');
    await quickInput.press('Back');
    await quickInput.waitUntilOpen('Run get-sum on everything (1/2)');
    assert.equal(await quickInput.value(), '4');
    await quickInput.enter('40');
    await quickInput.waitUntilOpen('Run get-sum on everything (2/2)');
    await quickInput.enter('2');
    const text = await workbench.editors.waitForText(/The sum of 40 and 2 is 42/);
    assert.match(text, /"a": 40/);
    await workbench.screenshot('run-tool-result');
  });

  test('offers the values of an enumeration', async () => {
    await choose('Get Structured Content Tool');
    await workbench.quickInput.waitUntilOpen('Run get-structured-content on everything');
    const items = await workbench.quickInput.items();
    assert.deepEqual(
      items.map(({ label }) => label),
      ['New York', 'Chicago', 'Los Angeles'],
    );
    await workbench.quickInput.pick('Chicago');
    const text = await workbench.editors.waitForText(/temperature/);
    assert.match(text, /"conditions"/);
  });

  test('takes Enter that is ahead of the rows for what is typed', async () => {
    const { quickInput } = workbench;
    await workbench.run('MCP Host: Run Tool…');
    await quickInput.waitUntilOpen('Run Tool');
    await quickInput.enter('read multiple files');
    await quickInput.waitUntilOpen(/^Run read_multiple_files on filesystem/);
    await quickInput.cancel();
  });

  test('takes a list as JSON', async () => {
    const { quickInput } = workbench;
    await choose('Read Multiple Files');
    await quickInput.waitUntilOpen(/^Run read_multiple_files on filesystem/);
    await quickInput.enter('not JSON');
    assert.match(await quickInput.validationMessage(), /JSON/);
    await quickInput.enter(JSON.stringify([demo.folder.join('notes', 'todo.md')]));
    await workbench.editors.waitForText(/todo\.md:/);
  });

  test('opens an image in the viewer of the editor', async () => {
    await choose('Get Tiny Image Tool');
    await workbench.editors.waitForText(/image-1\.png, image\/png/);
    const titles = (await workbench.editors.tabs()).map(({ title }) => title);
    assert.ok(
      titles.some((title) => /^get-tiny-image .*\.png$/.test(title)),
      titles.join(),
    );
    await workbench.screenshot('run-tool-image');
  });

  test('shows a failure of the tool as a result', async () => {
    await choose('Get File Info');
    await workbench.quickInput.waitUntilOpen('Run get_file_info on filesystem');
    await workbench.quickInput.enter('/etc/passwd');
    const text = await workbench.editors.waitForText(/The tool reported an error/);
    assert.match(text, /Access denied/);
    await workbench.screenshot('run-tool-error');
  });

  test('shows progress, and cancels quietly', async () => {
    const { quickInput, notifications } = workbench;
    await choose('Trigger Long Running Operation Tool');
    await quickInput.waitUntilOpen(/\(1\/2\)$/);
    await quickInput.enter('600');
    await quickInput.waitUntilOpen(/\(2\/2\)$/);
    await quickInput.enter('600');
    await notifications.waitFor(/Running trigger-long-running-operation on everything/);
    await workbench.screenshot('run-tool-progress');
    await notifications.press(/Running trigger-long-running-operation/, 'Cancel');
    await notifications.waitUntilGone(/Running trigger-long-running-operation/);
    assert.deepEqual(await notifications.now(), []);
    assert.deepEqual(await workbench.editors.tabs(), []);
  });
});
