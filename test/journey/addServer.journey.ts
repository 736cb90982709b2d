import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from '../editor/expectation.ts';
import { node24 } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers } from '../editor/workspaces.ts';
import { begin, openServers, waitUntilRunning, type Journey } from './support.ts';

const script = demoServers.everything.args[0] ?? '';

const settings = `{
  // How we write here.
  "editor.rulers": [100], // wide enough
  "mcpHost.servers": {
    // "old": { "command": "old" },
    "kept": { "command": "kept", "disabled": true } // for later
  },
  /* The end. */
}
`;

suite('Add Server', () => {
  let folder: TemporaryFolder;
  let home: TemporaryFolder;
  let journey: Journey;
  let workbench: Workbench;
  let servers: TreeView;

  const write = (name: string, text: string): void => {
    mkdirSync(dirname(folder.join(name)), { recursive: true });
    writeFileSync(folder.join(name), text);
  };
  const read = (name: string): string => readFileSync(folder.join(name), 'utf8');
  const continueFrom = async (step: number): Promise<void> => {
    await workbench.quickInput.waitUntilOpen(`Add Server (${step}/7)`);
    await workbench.quickInput.pick('Continue');
  };
  const chooseFile = async (name: string): Promise<void> => {
    await workbench.quickInput.waitUntilOpen('Add Server (6/7)');
    await workbench.quickInput.pick(`${basename(folder.path)}/${name}`);
    await workbench.quickInput.waitUntilOpen('Add Server (7/7)');
  };

  suiteSetup(async () => {
    folder = new TemporaryFolder('add');
    home = new TemporaryFolder('home');
    write('.vscode/settings.json', settings);
    journey = await begin({ folder: folder.path }, { env: { HOME: home.path } });
    ({ workbench } = journey);
    servers = await openServers(workbench);
    await servers.row('kept');
  });

  suiteTeardown(async () => {
    await journey?.end();
    folder?.remove();
    home?.remove();
  });

  test('writes a pasted command line, and starts it without another question', async () => {
    const { quickInput, dialog } = workbench;
    await workbench.run('MCP Host: Add Server…');
    await quickInput.waitUntilOpen('Add Server (1/7)');
    await workbench.screenshot('add-server-kind');
    await quickInput.pick('Command');
    await quickInput.waitUntilOpen('Add Server (2/7)');
    await quickInput.enter('node server.js | tee log');
    assert.match(await quickInput.validationMessage(), /without a shell/);
    await workbench.screenshot('add-server-refused');
    await quickInput.enter(`LEVEL=1 ${node24} '${script}' stdio "a b"`);
    await quickInput.waitUntilOpen('Add Server (3/7)');
    const labels = (await quickInput.items()).map(({ label }) => label);
    assert.deepEqual(labels, ['Continue', node24, script, 'stdio', '"a b"', 'Add Argument…']);
    await workbench.screenshot('add-server-arguments');
    await quickInput.press('Back');
    await quickInput.waitUntilOpen('Add Server (2/7)');
    assert.match(await quickInput.value(), /"a b"$/);
    await quickInput.accept();
    await continueFrom(3);
    await quickInput.waitUntilOpen('Add Server (4/7)');
    await quickInput.pick('Add Environment Variable…');
    await quickInput.waitUntilOpen('Add Server: Environment Variable (4/7)');
    await quickInput.enter('DEMO');
    await quickInput.waitUntilOpen('Add Server: DEMO (4/7)');
    assert.match(await quickInput.prompt(), /value of DEMO/);
    await quickInput.enter('yes');
    await expect(
      'the variable in the list',
      () => quickInput.itemsNow(),
      (items) => items.some(({ label, description }) => label === 'DEMO' && description === 'yes'),
    );
    await workbench.screenshot('add-server-environment');
    await continueFrom(4);
    await chooseFile('.vscode/settings.json');
    await workbench.screenshot('add-server-name');
    await quickInput.enter('kept');
    assert.match(await quickInput.validationMessage(), /already a server 'kept'/);
    await quickInput.enter('all');
    await dialog.text();
    await workbench.screenshot('add-server-launch');
    assert.match(await dialog.answer('Save and Start'), /Argument 3: "a b"[^]*Folders shared: mcp-host-add-/);
    await waitUntilRunning(servers, 'all');
    await workbench.screenshot('add-server-written');
    assert.equal(
      read('.vscode/settings.json'),
      settings.replace(
        '"disabled": true } // for later\n',
        `"disabled": true }, // for later
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
    assert.deepEqual(await workbench.notifications.now(), []);
  });

  test('is taken back by one undo', async () => {
    await workbench.page.locator('.part.editor .monaco-editor').first().click();
    await workbench.run('Undo');
    await workbench.run('File: Save');
    await expect(
      `the settings as they were, ${settings}`,
      () => Promise.resolve(read('.vscode/settings.json')),
      (text) => text === settings,
    );
    await servers.waitUntilGone('all');
  });

  test('keeps a pasted secret out of the file', async () => {
    const { quickInput, dialog } = workbench;
    await workbench.run('MCP Host: Add Server…');
    await quickInput.pick('Address');
    await quickInput.waitUntilOpen('Add Server (2/7)');
    await quickInput.enter(
      '{"mcpServers":{"shop":{"url":"http://127.0.0.1:9/mcp","headers":{"Authorization":"Bearer s3cret"}}}}',
    );
    await continueFrom(4);
    await quickInput.waitUntilOpen('Add Server (5/7)');
    await expect(
      'the header',
      () => quickInput.itemsNow(),
      (items) =>
        items.some(({ label, description }) => label === 'Authorization' && description === 'header'),
    );
    await workbench.screenshot('add-server-secrets');
    await quickInput.press('OK');
    await chooseFile('.mcp.json');
    assert.equal(await quickInput.value(), 'shop');
    await quickInput.accept();
    assert.doesNotMatch(await dialog.answer('Save'), /s3cret/);
    await expect(
      'a .mcp.json',
      () => Promise.resolve(existsSync(folder.join('.mcp.json')) && read('.mcp.json') !== ''),
      Boolean,
    );
    assert.deepEqual(JSON.parse(read('.mcp.json')), {
      mcpServers: {
        shop: {
          type: 'http',
          url: 'http://127.0.0.1:9/mcp',
          headers: { Authorization: 'Bearer ${input:shop-authorization}' },
          autoStart: false,
        },
      },
      inputs: [
        {
          type: 'promptString',
          id: 'shop-authorization',
          description: 'Authorization for shop',
          password: true,
        },
      ],
    });
    await workbench.editors.waitFor('.mcp.json');
    await workbench.run('MCP Host: Manage Stored Inputs…');
    await quickInput.waitUntilOpen('Stored Inputs');
    const [stored] = await quickInput.items();
    assert.deepEqual([stored?.label, stored?.description], ['shop-authorization', 'password']);
    await workbench.screenshot('manage-inputs');
    await quickInput.cancel();
  });

  test('takes over the servers of another program', async () => {
    const { quickInput, dialog } = workbench;
    mkdirSync(home.join('.cursor'));
    const cursor = {
      mcpServers: { tour: { command: node24, args: [script, 'stdio'] }, bad: { type: 'ws' } },
    };
    writeFileSync(home.join('.cursor', 'mcp.json'), JSON.stringify(cursor));
    await workbench.run('MCP Host: Import Servers…');
    await quickInput.waitUntilOpen('Import Servers (1/2)');
    await quickInput.toggle('tour');
    await workbench.screenshot('import-servers');
    await quickInput.press('OK');
    await quickInput.waitUntilOpen('Import Servers (2/2)');
    await quickInput.pick('User Settings');
    await dialog.text();
    await workbench.screenshot('import-servers-launch');
    await dialog.answer('Save and Start');
    const file = join(journey.server.folder, 'data/User/settings.json');
    await expect(
      'the server in the user settings',
      () => Promise.resolve(readFileSync(file, 'utf8')),
      (text) => text.includes('"tour"'),
    );
    await workbench.screenshot('import-servers-written');
    // An open window does not take up the changed settings of the user.
    await workbench.reload();
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'tour');
    assert.deepEqual(await workbench.notifications.now(), []);
  });

  test('has a walkthrough', async () => {
    await workbench.run('View: Close All Editors');
    await workbench.useTheme('dark');
    await workbench.run('Welcome: Open Walkthrough...');
    await workbench.quickInput.pick('Get Started with MCP Host');
    await workbench.page.locator('.getting-started-step').first().waitFor();
    await workbench.screenshot('walkthrough-dark');
  });
});
