import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoWorkspace, fixtureServer, type Workspace } from '../editor/workspaces.ts';
import {
  allowServers,
  begin,
  openServers,
  processesOf,
  processOf,
  waitUntilEnded,
  waitUntilRunning,
  type Journey,
} from './support.ts';

const guard = 'dist/guard.cjs';
const server = 'legacyServer.ts';
/** Milliseconds in which everything is gone after the extension host. */
const promisedMs = 10_000;

suite('the guard', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    demo = demoWorkspace({ stubborn: fixtureServer(server, '--stubborn') });
    journey = await begin({ workspace: demo.file }, { folders: 2 });
    ({ workbench } = journey);
    servers = await openServers(workbench);
  });

  suiteTeardown(async () => {
    const pids = workbench
      ? [...(await processesOf(workbench, server)), ...(await processesOf(workbench, guard))]
      : [];
    await journey?.end();
    await waitUntilEnded(pids);
    demo?.folder.remove();
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
    await workbench.run('MCP Host: Run Tool…');
    await workbench.quickInput.waitUntilOpen('Run Tool');
    await workbench.quickInput.pick('spawn');
    const grandchild = Number(/^\d+$/m.exec(await workbench.editors.waitForText(/^\d+$/m))?.[0]);
    const pid = await processOf(workbench, server);
    assert.equal(Number(ps('ppid', grandchild)), pid);
    const pids = [pid, grandchild, await processOf(workbench, guard)];
    const since = Date.now();
    process.kill(await workbench.extensionHost(), 'SIGKILL');
    await waitUntilEnded(pids);
    const took = Date.now() - since;
    console.log(`      Server, grandchild and guard were gone after ${took} ms.`);
    assert.ok(took < promisedMs);
  });

  test('is replaced by the next window when it is also killed', async () => {
    await workbench.reload();
    await waitUntilRunning(servers, 'stubborn');
    const [left, killed] = [await processOf(workbench, server), await processOf(workbench, guard)];
    process.kill(await workbench.extensionHost(), 'SIGKILL');
    process.kill(killed, 'SIGKILL');
    await waitUntilEnded([killed]);
    assert.equal(Number(ps('pid', left)), left);
    await workbench.reload();
    await waitUntilEnded([left]);
  });

  test('leaves with its window', async () => {
    await waitUntilRunning(servers, 'stubborn');
    const pids = [await processOf(workbench, server), await processOf(workbench, guard)];
    await workbench.reload();
    await waitUntilEnded(pids);
  });
});

/** What `ps` says of a process. */
function ps(column: string, pid: number): string {
  return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
}
