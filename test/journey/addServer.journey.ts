import assert from 'node:assert/strict';
import { serveStreamableHttp } from '../fixtures/servers/httpServers.ts';
import { serveLocked } from '../fixtures/servers/lockedServer.ts';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually, expect } from '../editor/expectation.ts';
import { node24 } from '../editor/paths.mjs';
import type { TemporaryFolder } from '../editor/temporaryFolder.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers } from '../editor/workspaces.ts';
import { beginShared, type SharedWindow } from './sharedWindow.ts';
import { openServers, pageSays, rowSays, waitUntilRunning } from './support.ts';

const script = demoServers.everything.args[0] ?? '';

/** In the user's settings. */
const comment = '// How I work.';

const settings = `{
  // How we write here.
  "editor.rulers": [100], // wide enough
  "mcpHost.servers": {
    // "old": { "command": "old" },
    "kept": { "command": "kept", "disabled": true, "timeout": 90000 } // for later
  },
  /* The end. */
}
`;

suite('Add Server', () => {
  let window: SharedWindow;
  let home: TemporaryFolder;
  let workbench: Workbench;
  let servers: TreeView;

  /** A file of the first folder. */
  const fileOf = (name: string): string => window.demo.folder.join('notes', name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(fileOf(name)), { recursive: true });
    writeFileSync(fileOf(name), text);
  };
  const read = (name: string): string => readFileSync(fileOf(name), 'utf8');
  /** Opens the box, puts a text into it, and takes what is understood first. */
  const addServer = async (text: string): Promise<void> => {
    await workbench.runToInput('MCP Host: Add Server…', 'Add Server');
    await workbench.quickInput.enter(text);
  };
  const userSettings = (): string => join(window.server.folder, 'data/User/settings.json');
  const readUser = (): string => readFileSync(userSettings(), 'utf8');
  const rows = async (): Promise<readonly string[]> =>
    (await workbench.quickInput.itemsNow()).map(({ label, description }) => `${label}: ${description}`);

  suiteSetup(async () => {
    window = await beginShared({ servers: {} });
    ({ workbench, home } = window);
    write('.vscode/settings.json', settings);
    servers = await openServers(workbench);
    await servers.row('kept');
    await workbench.watchSettings();
  });

  test('takes a server from the pasted line to its first tool in six actions', async () => {
    const { quickInput, serverPage } = workbench;
    const started = performance.now();
    await workbench.runToInput('MCP Host: Add Server…', 'Add Server'); // 1
    await quickInput.type(`${node24} ${script} stdio`); // 2
    await expect(
      'what is understood',
      rows,
      ([first]) => first === `Run a program: ${node24} ${script} stdio`,
    );
    await workbench.screenshot('add-server-understood');
    await quickInput.accept(); // 3
    await serverPage.waitFor('Add an MCP Server');
    await eventually.equal(() => serverPage.value('Name'), 'everything');
    await eventually.equal(() => serverPage.focused(), 'Name');
    await workbench.screenshot('add-server-page');
    await serverPage.leaveBy('Save and Start'); // 4
    await waitUntilRunning(servers, 'everything');
    await servers.waitUntilSelected('everything');
    await workbench.screenshot('add-server-started');
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool'); // 5
    await quickInput.pick('Get Tiny Image Tool'); // 6
    await workbench.toolForm.result(/image-1\.png/);
    console.log(`      6 actions, ${Math.round(performance.now() - started)} ms`);
    assert.deepEqual(await workbench.settingsShown(), []);
    assert.deepEqual(await workbench.notifications.told(), []);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('changes the user settings without showing them, and keeps the focus and your comments', async () => {
    const { notifications, page, quickInput } = workbench;
    writeFileSync(userSettings(), readUser().replace('{', `{\n  ${comment}`));
    const before = readUser();
    await servers.runFromMenu(['everything'], 'More', 'Disable Server');
    await servers.waitForRow(['everything'], 'be disabled', ({ description }) => description === 'disabled');
    await eventually.equal(() => servers.hasFocus(), true);
    await servers.pressKey('F2');
    await quickInput.waitUntilOpen(/^Rename 'everything'/);
    await quickInput.enter('all');
    await servers.row('all');
    await servers.waitUntilGone('everything');
    await servers.waitUntilSelected('all');
    await eventually.equal(() => servers.hasFocus(), true);
    const renamed = readUser();
    await page.keyboard.press('Delete');
    await servers.waitUntilGone('all');
    assert.ok(readUser().includes(`${comment}\n`));
    await notifications.press("Removed 'all' from your user settings.", 'Undo');
    await servers.row('all');
    assert.equal(readUser(), renamed);
    await servers.runFromMenu(['all'], 'More', 'Enable Server');
    await servers.waitForRow(['all'], 'be enabled', ({ description }) => description !== 'disabled');
    assert.equal(readUser(), before.replace('"everything"', '"all"'));
    await servers.runFromMenu(['all'], 'Remove Server');
    await servers.waitUntilGone('all');
    await notifications.waitFor("Removed 'all' from your user settings.");
    await workbench.execute('notifications.clearAll');
    assert.deepEqual(await workbench.settingsShown(), []);
  });

  test('takes a pasted address with a plain 401 to a running server in five actions', async () => {
    const { quickInput, serverPage } = workbench;
    const server = await serveLocked(await serveStreamableHttp(), {
      header: 'authorization',
      value: 'Bearer key-0123456789',
    });
    try {
      await workbench.runToInput('MCP Host: Add Server…', 'Add Server'); // 1
      await quickInput.enter(server.url); // 2
      await serverPage.waitFor('Add an MCP Server');
      await serverPage.fill('Name', 'keyed'); // the name only makes the rows of this test clear
      await workbench.screenshot('add-server-token');
      await serverPage.leaveBy('Save and Start'); // 3
      await quickInput.waitUntilOpen(/^Set the token of 'keyed'/);
      assert.equal(await quickInput.isMasked(), true);
      await workbench.screenshot('set-token');
      await quickInput.enter('wrong-key-99'); // a mistake
      await workbench.notifications.waitFor(/refuses the token that you set/);
      await servers.waitForRow(['keyed'], 'say so', ({ description }) => description === 'token refused');
      await workbench.screenshot('token-refused');
      await workbench.notifications.press(/refuses the token that you set/, 'Set Token…'); // 4
      await quickInput.enter('key-0123456789'); // 5
      await waitUntilRunning(servers, 'keyed');
      await pageSays(workbench, servers, 'keyed', ['Token', /./]);
      await workbench.screenshot('token-set');
    } finally {
      await server.close();
    }
    await servers.runFromMenu(['keyed'], 'Remove Server');
    await servers.waitUntilGone('keyed');
    await workbench.execute('notifications.clearAll');
  });

  test('shows what it understands as you type, and never filters it out', async () => {
    const { quickInput } = workbench;
    await workbench.runToInput('MCP Host: Add Server…', 'Add Server');
    await workbench.screenshot('add-server-empty');
    await quickInput.type('node server.js | tee log');
    await expect('what is wrong', rows, ([first]) => first?.includes('No shell') === true);
    await workbench.screenshot('add-server-refused');
    await quickInput.accept();
    await eventually.equal(() => quickInput.isOpen(), true);
    await quickInput.type('mcp-server-git');
    await expect('both registries', rows, (labels) => labels.length === 3);
    await eventually.deepEqual(rows, [
      'npm package: mcp-server-git — npx -y mcp-server-git',
      'PyPI package: mcp-server-git — uvx mcp-server-git',
      'Run a program: mcp-server-git',
    ]);
    await workbench.screenshot('add-server-package');
    await quickInput.pick('PyPI package');
    const { serverPage } = workbench;
    await serverPage.waitFor('Add an MCP Server');
    assert.deepEqual(
      [
        await serverPage.value('Command'),
        await serverPage.value('Argument 1'),
        await serverPage.value('Name'),
      ],
      ['uvx', 'mcp-server-git', 'git'],
    );
    await serverPage.leaveBy('Cancel');
    assert.equal(read('.vscode/settings.json'), settings);
  });

  test('writes what the page shows into a file that has comments', async () => {
    const { serverPage, page } = workbench;
    await addServer(`LEVEL=1 ${node24} '${script}' stdio`);
    await serverPage.waitFor('Add an MCP Server');
    await serverPage.saveIn('notes/.vscode/settings.json');
    await serverPage.fill('Name', 'kept');
    await serverPage.waitForProblem('Name', /already a server 'kept'/);
    await serverPage.pressUntil('Save and Start', /Fix the problem first/);
    await serverPage.fill('Name', 'all');
    await serverPage.field('Argument 2').press('Enter');
    await eventually.equal(() => serverPage.focused(), 'Argument 3');
    await page.keyboard.type('a b');
    await serverPage.press('Add Variable');
    await page.keyboard.type('DEMO');
    await serverPage.fill('Variable 2: value', 'yes');
    await workbench.screenshot('add-server-edited');
    assert.deepEqual(await findingsOfAxe(await serverPage.frame()), []);
    await serverPage.leaveBy('Save and Start');
    await waitUntilRunning(servers, 'all');
    assert.equal(
      read('.vscode/settings.json'),
      settings.replace(
        '"timeout": 90000 } // for later\n',
        `"timeout": 90000 }, // for later
    "all": {
      "type": "stdio",
      "command": ${JSON.stringify(node24)},
      "args": [
        ${JSON.stringify(script)},
        "stdio",
        "a b"
      ],
      "env": {
        "LEVEL": "1",
        "DEMO": "yes"
      }
    }
`,
      ),
    );
    assert.deepEqual(await workbench.notifications.told(), []);
    await eventually.deepEqual(() => workbench.editors.tabs(), []);
  });

  test('edits a definition in its place, and duplicates it', async () => {
    const { serverPage, quickInput } = workbench;
    const before = read('.vscode/settings.json');
    await workbench.runToInput('MCP Host: Edit Server…');
    await quickInput.pick('all');
    await serverPage.waitFor("Edit the MCP Server 'all'");
    assert.equal(await serverPage.field('Name').getAttribute('readonly'), '');
    await serverPage.fill('Variable 1: value', '2');
    await workbench.screenshot('edit-server');
    await serverPage.leaveBy('Save and Start');
    const edited = before.replace('"LEVEL": "1"', '"LEVEL": "2"');
    await expect(
      'the change in its place',
      () => Promise.resolve(read('.vscode/settings.json')),
      (text) => text === edited,
    );
    await waitUntilRunning(servers, 'all');
    await servers.runFromMenu(['kept'], 'More', 'Duplicate Server…');
    await serverPage.waitFor("Duplicate the MCP Server 'kept'");
    await eventually.equal(() => serverPage.value('Name'), 'kept-2');
    await serverPage.leaveBy('Save');
    await servers.row('kept-2');
    assert.match(read('.vscode/settings.json'), /"kept-2": \{[^}]*"timeout": 90000,\s*"autoStart": false/);
    assert.deepEqual(await workbench.notifications.told(), []);
  });

  test('is undone by one undo', async () => {
    await servers.row('kept-2');
    const before = read('.vscode/settings.json');
    await servers.runFromMenu(['kept-2'], 'More', 'Open Definition');
    await workbench.editors.waitFor('settings.json');
    await workbench.run('Undo');
    await workbench.run('File: Save');
    await expect(
      'the settings before the last change',
      () => Promise.resolve(read('.vscode/settings.json')),
      (text) => text !== before && !text.includes('kept-2'),
    );
    await servers.waitUntilGone('kept-2');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('keeps a pasted secret out of the file, and asks for one that is only an example', async () => {
    const { quickInput, serverPage } = workbench;
    await addServer(
      '{"mcpServers":{"shop":{"url":"http://127.0.0.1:9/mcp","headers":{"Authorization":"Bearer s3cret","X-Api-Key":"<YOUR_KEY>"}},"other":{"command":"other"}}}',
    );
    await serverPage.waitFor('Add an MCP Server (1 of 2)');
    await eventually.equal(() => serverPage.value('Name'), 'shop');
    assert.equal(await serverPage.value('Header 2: value'), '');
    await serverPage.waitForText(/Enter X-Api-Key here/);
    await serverPage.saveIn('notes/.mcp.json');
    await workbench.screenshot('add-server-secrets');
    await serverPage.pressUntil('Save', /\(2 of 2\)/);
    await serverPage.leaveBy('Cancel');
    await expect(
      'a .mcp.json',
      () => Promise.resolve(existsSync(fileOf('.mcp.json')) && read('.mcp.json') !== ''),
      Boolean,
    );
    const inputOf = (id: string, name: string) => ({
      type: 'promptString',
      id,
      description: `${name} for shop`,
      password: true,
    });
    assert.deepEqual(JSON.parse(read('.mcp.json')), {
      mcpServers: {
        shop: {
          type: 'http',
          url: 'http://127.0.0.1:9/mcp',
          headers: {
            Authorization: 'Bearer ${input:shop-authorization}',
            'X-Api-Key': '${input:shop-x-api-key}',
          },
          autoStart: false,
        },
      },
      inputs: [inputOf('shop-authorization', 'Authorization'), inputOf('shop-x-api-key', 'X-Api-Key')],
    });
    await workbench.runToInput('MCP Host: Manage Stored Inputs…', 'Stored Inputs');
    const stored = await quickInput.items();
    assert.deepEqual(
      stored
        .map(({ label, description }) => [label, description])
        .filter(([label]) => label?.startsWith('shop-')),
      [['shop-authorization', 'password']],
    );
    await workbench.screenshot('manage-inputs');
    await quickInput.cancel();
  });

  test('imports the servers of other programs, each on its page, in two actions and one for each', async () => {
    const { quickInput, serverPage } = workbench;
    const named = (name: string) => ({ command: node24, args: [script, 'stdio', name] });
    mkdirSync(home.join('.cursor'));
    const cursor = { mcpServers: { tour: named('tour'), bad: { type: 'ws' } } };
    writeFileSync(home.join('.cursor', 'mcp.json'), JSON.stringify(cursor));
    write('.vscode/mcp.json', JSON.stringify({ servers: { guide: { type: 'stdio', ...named('guide') } } }));
    await workbench.runToInput('MCP Host: Import Servers…', 'Import Servers');
    // Selected are those that no server is equal to.
    await workbench.screenshot('import-servers');
    await quickInput.press('OK');
    await serverPage.waitFor('Add an MCP Server (1 of 2)');
    await eventually.equal(() => serverPage.value('Name'), 'guide');
    await workbench.screenshot('import-servers-page');
    await serverPage.pressUntil('Save and Start', /\(2 of 2\)/);
    await eventually.equal(() => serverPage.value('Name'), 'tour');
    await serverPage.leaveBy('Save and Start');
    await waitUntilRunning(servers, 'guide');
    await waitUntilRunning(servers, 'tour');
    await workbench.screenshot('import-servers-running');
    assert.deepEqual(await workbench.settingsShown(), []);
    assert.deepEqual(await workbench.notifications.told(), []);
  });

  test("writes into Copilot's file as Copilot does, and changes only what you edit", async () => {
    const { quickInput, serverPage } = workbench;
    const file = home.join('.copilot', 'mcp-config.json');
    const first = { type: 'local', command: node24, args: ['first'], tools: ['*'] };
    mkdirSync(dirname(file));
    writeFileSync(file, `${JSON.stringify({ mcpServers: { first }, own: true }, undefined, 2)}\n`);
    const written = async (mcpServers: unknown): Promise<void> => {
      const now = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
      await eventually.deepEqual(() => Promise.resolve(now()), { mcpServers, own: true });
    };
    await workbench.run("MCP Host: Use Copilot's Servers");
    await rowSays(servers, ['first'], 'needs approval');
    await addServer(`${node24} second`);
    await serverPage.waitFor('Add an MCP Server');
    await serverPage.fill('Name', 'second');
    await serverPage.saveIn('~/.copilot/mcp-config.json');
    // Chat has it anyway, in each session of Copilot.
    await serverPage.waitForText(/^(?![^]*Use in chat)/);
    await workbench.screenshot('add-server-copilot');
    await serverPage.leaveBy('Save');
    const second = { type: 'local', command: node24, args: ['second'], tools: ['*'], autoStart: false };
    await written({ first, second });
    await workbench.runToInput('MCP Host: Edit Server…');
    await quickInput.pick('first');
    await serverPage.waitFor("Edit the MCP Server 'first'");
    await serverPage.fill('Argument 1', 'changed');
    await serverPage.leaveBy('Save');
    await written({ first: { ...first, args: ['changed'] }, second });
  });
});
