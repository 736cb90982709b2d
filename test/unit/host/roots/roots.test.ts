import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceFolder } from '../../../../src/host/config/serverDefinition.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { receivedBy, textOf } from '../../support/connectionBed.ts';
import { legacyServer, modernServer } from '../../support/definitions.ts';
import { HostBed } from '../../support/hostBed.ts';
import { untilSeen } from '../../support/until.ts';

const listChanged = 'notifications/roots/list_changed';
const api = { uri: 'file:///projects/api', name: 'api' };
const web = { uri: 'file:///projects/web', name: 'web' };

suite('When the folders of the workspace change', () => {
  let bed: HostBed;
  setup(() => {
    bed = new HostBed();
    bed.folders = [api, web];
  });
  teardown(() => bed.close());

  const changes: [string, readonly WorkspaceFolder[]][] = [
    ['a folder is added', [api, web, { uri: 'file:///projects/docs', name: 'docs' }]],
    ['a folder is removed', [web]],
    ['a folder is renamed', [api, { ...web, name: 'site' }]],
    ['the folders change their order', [web, api]],
  ];
  for (const [what, folders] of changes) {
    for (const hasAsked of [true, false]) {
      test(`${what}: a server that ${hasAsked ? 'has' : 'has not'} asked is told exactly once`, async () => {
        const [server] = await bed.run(legacyServer());
        assert.ok(server);
        if (hasAsked) {
          await rootsSeenBy(server);
        }
        bed.folders = folders;
        await untilTold(server, 1);
        assert.deepEqual(await rootsSeenBy(server), folders);
        await settled();
        assert.equal((await receivedBy(server))[listChanged], 1);
      });
    }
  }

  test('nothing has changed: the server is told nothing', async () => {
    const [server] = await bed.run(legacyServer());
    assert.ok(server);
    bed.folders = [{ ...api }, { ...web }];
    bed.folders = [api];
    bed.folders = [api, web];
    await settled();
    assert.equal((await receivedBy(server))[listChanged], undefined);
  });

  test('a folder without a disk comes: the server is told nothing', async () => {
    const [server] = await bed.run(legacyServer());
    assert.ok(server);
    bed.folders = [api, web, { uri: 'vscode-vfs://github/owner/name', name: 'remote' }];
    await settled();
    assert.equal((await receivedBy(server))[listChanged], undefined);
    assert.deepEqual(await rootsSeenBy(server), [api, web]);
  });

  test('a modern server is told nothing, and its next question sees the present', async () => {
    const [server] = await bed.run(modernServer());
    assert.ok(server);
    assert.deepEqual(await rootsSeenBy(server), [api, web]);
    bed.folders = [web];
    assert.deepEqual(await rootsSeenBy(server), [web]);
    await settled();
    assert.ok(![...bed.logs.values()].some((log) => log.lines.some((line) => /^(warn|error)/.test(line))));
  });

  test('each server is told of its own folders only', async () => {
    const inFolder = (folder: WorkspaceFolder) =>
      legacyServer([], {
        name: folder.name,
        cwd: bed.bed.directory,
        origin: { scope: 'folder', format: 'mcpJson', place: `${folder.uri}/.mcp.json`, folder },
      });
    const [ofApi, ofWeb] = await bed.run(inFolder(api), inFolder(web));
    assert.ok(ofApi && ofWeb);
    assert.deepEqual(await rootsSeenBy(ofApi), [api]);
    assert.deepEqual(await rootsSeenBy(ofWeb), [web]);
    bed.folders = [api];
    await untilTold(ofWeb, 1);
    await settled();
    assert.equal((await receivedBy(ofApi))[listChanged], undefined);
    assert.equal((await receivedBy(ofWeb))[listChanged], 1);
    assert.deepEqual(await rootsSeenBy(ofWeb), []);
  });
});

/** That nothing more is sent can only be seen once the time for it has passed: more than 250 ms. */
function settled(): Promise<void> {
  return delay(350);
}

function untilTold(server: ServerConnection, times: number): Promise<void> {
  return untilSeen(
    async () => (await receivedBy(server))[listChanged] === times,
    `the server is told ${times} times`,
  );
}

async function rootsSeenBy(server: ServerConnection): Promise<unknown> {
  const { roots } = JSON.parse(await textOf(server.callTool('roots', {}))) as { readonly roots: unknown };
  return roots;
}
