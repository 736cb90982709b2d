import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { Workbench } from '../editor/workbench.ts';
import { vsix } from '../editor/paths.mjs';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, waitUntilRunning } from './support.ts';

const maxVsixBytes = 1_000_000;

suite('the footprint', () => {
  let workbench: Workbench;

  suiteSetup(async () => {
    ({ workbench } = await beginShared());
  });

  test('is a small package', () => {
    const { size } = statSync(vsix);
    console.log(`      The VSIX has ${Math.round(size / 1_000)} KB.`);
    assert.ok(size < maxVsixBytes);
  });

  test('is an activation that loads no SDK, which only a server needs', async () => {
    await workbench.run('Probe: Loaded');
    await workbench.statusBar.waitFor('probe: loaded extension.cjs');
    await workbench.run('Developer: Startup Performance');
    // | extension | eager | load code | call activate | finish activate | …, in milliseconds
    const text = await workbench.editors.waitForText(/\|\s*mcphost\.mcp-host\s*\|/);
    const [, , load, call] = (text.split('\n').find((line) => line.includes('mcphost.mcp-host')) ?? '')
      .split('|')
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '');
    console.log(`      Loading the code took ${load} ms, the synchronous part of activation ${call} ms.`);
    await workbench.execute('workbench.action.closeAllEditors');
    await allowServers(workbench, 2);
    await waitUntilRunning(await openServers(workbench), 'everything');
    await workbench.run('Probe: Loaded');
    await workbench.statusBar.waitFor('probe: loaded extension.cjs, sdk.cjs');
  });
});
