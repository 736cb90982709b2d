import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../editor/expectation.ts';
import { node24, root } from '../editor/paths.mjs';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { beginShared, type SharedWindow } from './sharedWindow.ts';
import { allowServers, openServers, untilNothingIsAsked } from './support.ts';

suite('a check-up of a server that only the login shell finds', () => {
  let home: SharedWindow['home'];
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ home, workbench } = await beginShared({
      servers: { shared: { command: 'team-server' } },
      settings: { 'mcpHost.servers': { team: { command: 'team-server' } } },
    }));
    const bin = home.join('tools', 'bin');
    mkdirSync(bin, { recursive: true });
    const script = join(root, 'test/fixtures/servers/legacyServer.ts');
    writeFileSync(join(bin, 'team-server'), `#!/bin/sh\nexec '${node24}' '${script}'\n`, { mode: 0o755 });
    for (const profile of ['.profile', '.bash_profile']) {
      writeFileSync(home.join(profile), `PATH="${bin}:$PATH"\n`);
    }
    servers = await openServers(workbench);
  });

  test('says where it is, and uses that path after the question about the changed launch', async () => {
    const { editors, quickInput } = workbench;
    await allowServers(workbench, 2);
    await servers.waitForRow(['team'], 'have failed', ({ description }) => description.startsWith('failed'));
    await servers.runFromMenu(['team'], 'More', 'Check Up…');
    const text = await editors.waitForText(/^Check-up of team/);
    assert.match(text, /\n {2}The login shell \(\S+\) finds it: \S+\/tools\/bin\/team-server\n/);
    await workbench.screenshot('check-up-use-this-path');
    await editors.pressCodeLens('Use This Path');
    const [asked = ''] = await allowServers(workbench, 1);
    assert.match(asked, /PATH: •••\$\{env:PATH\}/);
    await servers.waitForRow(['team'], 'run', ({ description }) => /tools/.test(description));
    await untilNothingIsAsked(workbench);
    await editors.select(/^Check-up of team/);
    await editors.pressCodeLens('Check Again');
    await editors.waitForText(/It runs at revision 2025-11-25.*\n[^]*OK: Ping/);
    assert.equal(await quickInput.isOpen(), false);
    await workbench.screenshot('check-up-running');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('copies a server of the workspace to your settings with that path, and says what is different', async () => {
    const { editors, serverPage } = workbench;
    await servers.runFromMenu(['shared'], 'More', 'Check Up…');
    await editors.waitForText(/^Check-up of shared/);
    await editors.pressCodeLens('Use This Path…');
    await serverPage.waitFor("Duplicate the MCP Server 'shared'");
    await serverPage.waitForText(
      /Different from the definition in .*: PATH begins with \S+\/tools\/bin, and the working directory/,
    );
    await eventually.equal(() => serverPage.value('Name'), 'shared');
    await workbench.screenshot('check-up-copy');
    await serverPage.leaveBy('Save and Start');
    await servers.waitForRow(['shared'], 'run', ({ description }) => /tools/.test(description));
    await untilNothingIsAsked(workbench);
    await workbench.execute('workbench.action.closeAllEditors');
    await servers.runFromMenu(['shared'], 'More', 'Check Up…');
    await editors.waitForText(/It is defined in your user settings\.[^]*It starts in \S+\/notes\./);
  });
});
