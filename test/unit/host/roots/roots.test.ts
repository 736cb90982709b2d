import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceFolder } from '../../../../src/host/folders/sharedRoot.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { receivedBy, textOf } from '../../support/connectionBed.ts';
import { legacyServer, modernServer } from '../../support/definitions.ts';
import { FakeDisk } from '../../support/fakeDisk.ts';
import { HostBed } from '../../support/hostBed.ts';
import { untilSeen } from '../../support/until.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

const listChanged = 'notifications/roots/list_changed';
const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const web = { uri: uriOnDisk('/projects/web'), name: 'web' };

suite('When the folders of the workspace change', () => {
  let bed: HostBed;
  setup(() => {
    bed = new HostBed();
    bed.folders = [api, web];
  });
  teardown(() => bed.close());

  const changes: [string, readonly WorkspaceFolder[]][] = [
    ['a folder is added', [api, web, { uri: uriOnDisk('/projects/docs'), name: 'docs' }]],
    ['a folder is removed', [web]],
    ['a folder is renamed', [api, { ...web, name: 'site' }]],
    ['the folders change their order', [web, api]],
  ];
  for (const [what, folders] of changes) {
    for (const hasAsked of [true, false]) {
      test(`a server that ${hasAsked ? 'has' : 'has not'} asked gets exactly one notification: ${what}`, async () => {
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

  test('a server gets no notification if nothing has changed', async () => {
    const [server] = await bed.run(legacyServer());
    assert.ok(server);
    bed.folders = [{ ...api }, { ...web }];
    bed.folders = [api];
    bed.folders = [api, web];
    await settled();
    assert.equal((await receivedBy(server))[listChanged], undefined);
  });

  test('a server gets no notification of a folder that is on no disk', async () => {
    const [server] = await bed.run(legacyServer());
    assert.ok(server);
    bed.folders = [api, web, { uri: 'vscode-vfs://github/owner/name', name: 'remote' }];
    await settled();
    assert.equal((await receivedBy(server))[listChanged], undefined);
    assert.deepEqual(await rootsSeenBy(server), [api, web]);
  });

  test('a modern server gets no notification, and its next request gets the current folders', async () => {
    const [server] = await bed.run(modernServer());
    assert.ok(server);
    assert.deepEqual(await rootsSeenBy(server), [api, web]);
    bed.folders = [web];
    assert.deepEqual(await rootsSeenBy(server), [web]);
    await settled();
    assert.ok(![...bed.logs.values()].some((log) => log.lines.some((line) => /^(warn|error)/.test(line))));
  });

  test('each server is notified of its own folders only', async () => {
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

suite('When what is shared of the folders changes', () => {
  let bed: HostBed;
  let disk: FakeDisk;
  setup(() => {
    disk = new FakeDisk();
    bed = new HostBed({ disk });
    bed.folders = [api, web];
  });
  teardown(() => bed.close());

  const toggle = ({ definition }: ServerConnection, uri: string, isShared: boolean): Promise<void> =>
    bed.roots.setShared({ definition, label: definition.name }, uri, isShared);
  /** Each with the list that the server sees afterwards, and how often it is notified of that at most. */
  const changes: [string, (server: ServerConnection) => unknown, readonly WorkspaceFolder[], number?][] = [
    ['one folder is unchecked', (server) => toggle(server, api.uri, false), [web]],
    [
      'the last one is unchecked',
      async (server) => {
        await toggle(server, api.uri, false);
        await toggle(server, web.uri, false);
      },
      [],
      2, // where the disk takes longer than changes are gathered
    ],
    [
      'a sub-folder is added',
      ({ definition }) =>
        bed.roots.addSubfolder({ definition, label: 'one' }, pathOnDisk('/projects/api/src')),
      [api, { uri: uriOnDisk('/projects/api/src'), name: 'api/src' }, web],
    ],
    [
      'a folder is deleted',
      () => {
        disk.take(pathOnDisk('/projects/web'));
        disk.tell(pathOnDisk('/projects'), 'web');
      },
      [api],
    ],
    [
      'a folder leads elsewhere',
      () => {
        disk.link(pathOnDisk('/projects/web'), '/secret');
        disk.tell(pathOnDisk('/projects'), 'web');
      },
      [api],
    ],
  ];
  for (const [what, change, expected, most = 1] of changes) {
    for (const hasAsked of [true, false]) {
      test(`${what}: a server that ${hasAsked ? 'has' : 'has not'} asked gets ${most === 1 ? 'exactly one notification' : 'one or two notifications'}`, async () => {
        const [server] = await bed.run(legacyServer());
        assert.ok(server);
        if (hasAsked) {
          assert.deepEqual(await rootsSeenBy(server), [api, web]);
        }
        await change(server);
        await untilTold(server, 1);
        assert.deepEqual(await rootsSeenBy(server), expected);
        await settled();
        const told = (await receivedBy(server))[listChanged] ?? 0;
        assert.ok(told <= most, `${told} times`);
      });
    }

    test(`a modern server gets no notification, and its next request gets the current folders: ${what}`, async () => {
      const [server] = await bed.run(modernServer());
      assert.ok(server);
      assert.deepEqual(await rootsSeenBy(server), [api, web]);
      await change(server);
      assert.deepEqual(await rootsSeenBy(server), expected);
      await settled();
      assert.ok(![...bed.logs.values()].some((log) => log.lines.some((line) => line.startsWith('error'))));
    });
  }

  test('a server gets two notifications or none when a folder is unchecked and checked at once', async () => {
    const [server] = await bed.run(legacyServer());
    assert.ok(server);
    await Promise.all([toggle(server, api.uri, false), toggle(server, api.uri, true)]);
    await settled();
    // Of both where a disk takes longer than changes are gathered: see `rootsAnnouncer.test.ts`.
    assert.ok([undefined, 2].includes((await receivedBy(server))[listChanged]));
    assert.deepEqual(await rootsSeenBy(server), [api, web]);
  });

  test('a server is notified of the decision on its own folders only', async () => {
    const [one, other] = await bed.run(
      legacyServer([], { name: 'one' }),
      legacyServer([], { name: 'other' }),
    );
    assert.ok(one && other);
    await toggle(one, api.uri, false);
    await untilTold(one, 1);
    await settled();
    assert.equal((await receivedBy(other))[listChanged], undefined);
    assert.deepEqual(await rootsSeenBy(other), [api, web]);
  });

  test('a request for roots finds a removed folder before the watch reports it', async () => {
    const [server] = await bed.run(legacyServer());
    assert.ok(server);
    disk.take(pathOnDisk('/projects/web'));
    assert.deepEqual(await rootsSeenBy(server), [api]);
    disk.giveBack(pathOnDisk('/projects/web'));
    assert.deepEqual(await rootsSeenBy(server), [api, web]);
  });

  test('the log says which folder is withdrawn, why, and that it has come back', async () => {
    const [server] = await bed.run(legacyServer());
    assert.ok(server);
    disk.take(pathOnDisk('/projects/web'), 'unreadable');
    await rootsSeenBy(server);
    disk.giveBack(pathOnDisk('/projects/web'));
    await rootsSeenBy(server);
    const lines = bed.logs.get('server')?.lines ?? [];
    assert.deepEqual(
      lines.filter((line) => line.includes("'web'")),
      [
        "warn: The folder 'web' is not shared with this server: It is unreadable.",
        "info: The folder 'web' is shared with this server again.",
      ],
    );
  });

  test('the setting immediately applies to a server that the user has not decided on', async () => {
    const definition = legacyServer();
    bed.rootsDefault = 'none';
    const [server] = await bed.run(definition);
    assert.ok(server);
    assert.deepEqual(await rootsSeenBy(server), []);
    bed.rootsDefault = 'all';
    await untilTold(server, 1);
    assert.deepEqual(await rootsSeenBy(server), [api, web]);
    assert.deepEqual(
      bed.decisions.all().map(({ kind }) => kind),
      ['launch'],
    );
  });

  test('a change of "roots" in a definition notifies the server without a restart', async () => {
    const definition = legacyServer([], { roots: 'all' });
    const [server] = await bed.run(definition);
    assert.ok(server);
    const pid = bed.pidOf(definition);
    bed.configure([{ ...definition, roots: ['${workspaceFolder:web}'] }]);
    await untilTold(server, 1);
    assert.deepEqual(await rootsSeenBy(server), [web]);
    assert.equal(bed.pidOf(definition), pid);
  });

  const workspaces: [string, readonly WorkspaceFolder[], readonly WorkspaceFolder[]][] = [
    ['no folder', [], []],
    ['one folder', [api], [api]],
    ['several folders', [api, web], [api, web]],
    ['a folder on no disk', [{ uri: 'vscode-vfs://github/owner/name', name: 'name' }], []],
    ['an address that climbs', [{ uri: uriOnDisk('/projects/%2e%2e/secret'), name: 'api' }, web], [web]],
    ['an address on another machine', [{ uri: 'file://server/share', name: 'share' }, web], [web]],
  ];
  for (const [what, folders, expected] of workspaces) {
    test(`in a workspace of ${what} a server of either era gets its list, and no error`, async function () {
      if (process.platform === 'win32' && what === 'an address on another machine') {
        this.skip();
      }
      bed.folders = folders;
      const servers = await bed.run(legacyServer([], { name: 'one' }), modernServer({ name: 'other' }));
      for (const server of servers) {
        assert.deepEqual(await rootsSeenBy(server), expected);
      }
    });
  }

  test('the folders of removed servers are no longer watched', async () => {
    await bed.run(legacyServer());
    assert.deepEqual(disk.watched, [pathOnDisk('/projects')]);
    bed.configure([]);
    assert.deepEqual(disk.watched, []);
  });
});

/** That nothing more is sent can only be seen once the time for it has passed: more than 250 ms. */
function settled(): Promise<void> {
  return delay(350);
}

function untilTold(server: ServerConnection, times: number): Promise<void> {
  return untilSeen(
    async () => ((await receivedBy(server))[listChanged] ?? 0) >= times,
    `the server is notified ${times} times`,
  );
}

async function rootsSeenBy(server: ServerConnection): Promise<unknown> {
  const { roots } = JSON.parse(await textOf(server.callTool('roots', {}))) as { readonly roots: unknown };
  return roots;
}
