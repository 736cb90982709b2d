import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { fixtureServer } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import {
  allowServers,
  openServers,
  openTool,
  processesOf,
  processOf,
  waitUntilEnded,
  waitUntilRunning,
} from './support.ts';

const guard = 'dist/guard.cjs';
const server = 'legacyServer.ts';

suite('the guard', () => {
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ workbench } = await beginShared({ servers: { stubborn: fixtureServer(server, '--stubborn') } }));
    servers = await openServers(workbench);
  });

  test('is a small process, and there only while a server runs', async () => {
    assert.deepEqual(await processesOf(workbench, guard), []);
    await allowServers(workbench, 1);
    await waitUntilRunning(servers, 'stubborn');
    const pid = await processOf(workbench, guard);
    console.log(`      The guard takes ${Math.round(Number(ps('rss', pid)) / 1_000)} MB.`);
    await servers.runFromMenu(['stubborn'], 'Stop Server');
    await waitUntilEnded([pid]);
    await servers.runFromMenu(['stubborn'], 'Start Server');
    await waitUntilRunning(servers, 'stubborn');
    assert.notEqual(await processOf(workbench, guard), pid);
  });

  test('ends servers that ignore signals when the extension host is killed', async () => {
    await openTool(workbench, 'spawn');
    const grandchild = Number(/^\d+$/m.exec(await workbench.toolForm.result(/^\d+$/m))?.[0]);
    const pid = await processOf(workbench, server);
    assert.equal(Number(ps('ppid', grandchild)), pid);
    const pids = [pid, grandchild, await processOf(workbench, guard)];
    await workbench.restartExtensionHost();
    await waitUntilEnded(pids);
  });

  test('is replaced by the next extension host when it is also killed', async () => {
    await waitUntilRunning(servers, 'stubborn');
    const [left, killed] = [await processOf(workbench, server), await processOf(workbench, guard)];
    process.kill(killed, 'SIGSTOP'); // it would end the server first
    await workbench.restartExtensionHost(() => {
      process.kill(killed, 'SIGKILL');
      assert.equal(Number(ps('pid', left)), left);
    });
    await waitUntilEnded([killed, left]);
    await waitUntilRunning(servers, 'stubborn');
  });
});

/** What `ps` says of a process. */
function ps(column: string, pid: number): string {
  return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
}
