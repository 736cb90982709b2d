import assert from 'node:assert/strict';
import type {
  FolderNode,
  ResourceNode,
  ListedServerNode,
} from '../../../../../src/editor/nodes/resourceNode.ts';
import { ResourceNodes } from '../../../../../src/editor/views/resources/resourceNodes.ts';
import { PAGE } from '../../../../../src/editor/views/row.ts';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { legacyServer, oddServer, serverScript, stdioServer } from '../../../support/definitions.ts';
import { HostBed } from '../../../support/hostBed.ts';
import { Turns } from '../../../support/turns.ts';
import { until } from '../../../support/until.ts';

suite('The nodes of the tree of resources', () => {
  let bed: HostBed;
  let rows: ResourceNodes;

  setup(() => {
    bed = new HostBed();
    rows = new ResourceNodes(bed.host);
  });

  teardown(() => bed.close());

  /** Makes a server list other resources, and waits until they are here. */
  const list = async (connection: ServerConnection, ...names: readonly string[]): Promise<void> => {
    const before = connection.catalogue?.resources;
    await connection.callTool('list', { kind: 'resources', names });
    await until(
      () => connection.catalogue?.resources !== before,
      'the resources are listed again',
      connection.onDidChangeCatalogue,
    );
  };

  const runOne = async (): Promise<ServerConnection> => {
    const [connection] = await bed.run(legacyServer());
    assert.ok(connection);
    await until(
      () => connection.catalogue?.resources.length === 1,
      'the resources are listed',
      connection.onDidChangeCatalogue,
    );
    return connection;
  };

  const firstServer = async (): Promise<ListedServerNode> => {
    const [server] = await rows.servers();
    assert.ok(server);
    return server;
  };

  const child = async (parent: ResourceNode, name: string): Promise<ResourceNode> => {
    const found = (await rows.children(parent)).find((node) => nameOf(node) === name);
    assert.ok(found, `there is no ${name}`);
    return found;
  };

  const nameOf = (node: ResourceNode): string => {
    switch (node.kind) {
      case 'folder':
        return node.folder.segments;
      case 'resource':
        return node.label;
      default:
        return node.kind;
    }
  };

  const names = async (parent: ResourceNode): Promise<readonly string[]> =>
    (await rows.children(parent)).map(nameOf);

  test('show what a server lists but cannot be used, except with a filter', async () => {
    const [connection] = await bed.run(oddServer('legacy', 'malformed'));
    assert.ok(connection);
    await until(
      () => connection.catalogue?.resources.length === 1,
      'the resources are listed',
      connection.onDidChangeCatalogue,
    );
    rows.update();
    const shown = async (): Promise<readonly string[]> =>
      (await rows.children(await firstServer())).map((node) =>
        node.kind === 'malformed' ? `${node.item.name}: ${node.item.reason}` : node.kind,
      );
    assert.deepEqual(await shown(), [
      'templates',
      'folder',
      'sized: `size` must be a number, not a string',
      'none: `uriTemplate` is missing',
    ]);
    rows.filter = 'note';
    assert.deepEqual(await shown(), ['folder']);
  });

  test('are the servers that run and list something', async () => {
    assert.deepEqual(await rows.servers(), []);
    const connection = await runOne();
    assert.equal(rows.update(), 'all');
    const server = await firstServer();
    assert.equal(server.server.connection, connection);
    assert.deepEqual(await names(server), ['templates', 'test:///']);
    await connection.stop();
    assert.equal(rows.update(), 'all');
    assert.deepEqual(await rows.servers(), []);
  });

  test('change only with what is listed', async () => {
    const connection = await runOne();
    rows.update();
    const server = await firstServer();
    assert.deepEqual(rows.update(), []);
    await connection.catalogue?.refresh('tools');
    assert.deepEqual(rows.update(), []);
    await list(connection, 'a/x', 'a/y');
    assert.deepEqual(rows.update(), [server], 'the editor knows the row by its identity');
    assert.deepEqual(await names(server), ['templates', 'test:///a/']);
  });

  test('keep open what was open when combined rows are split', async () => {
    const connection = await runOne();
    await list(connection, 'a/b/x', 'a/b/y');
    rows.update();
    const server = await firstServer();
    const folded = await child(server, 'test:///a/b/');
    assert.equal(rows.isOpen(folded), false);
    rows.setOpen(folded, true);

    await list(connection, 'a/b/x', 'a/b/y', 'a/c');
    rows.update();
    const upper = await child(server, 'test:///a/');
    const lower = await child(upper, 'b/');
    assert.equal(lower.id, folded.id);
    assert.deepEqual([rows.isOpen(upper), rows.isOpen(lower)], [true, true]);

    rows.setOpen(lower, false);
    await list(connection, 'a/b/x', 'a/b/y');
    rows.update();
    assert.equal(rows.isOpen(await child(server, 'test:///a/b/')), false);
  });

  test('are as open as before when a server comes back', async () => {
    const connection = await runOne();
    rows.update();
    rows.setOpen(await child(await firstServer(), 'test:///'), true);
    await connection.restart();
    await until(
      () => connection.catalogue?.resources.length === 1,
      'the resources are listed',
      connection.onDidChangeCatalogue,
    );
    rows.update();
    assert.equal(rows.isOpen(await child(await firstServer(), 'test:///')), true);
  });

  test('that match a filter are open, and others are hidden', async () => {
    const connection = await runOne();
    await list(connection, 'docs/guide', 'docs/other', 'notes/guide');
    rows.update();
    const before = await child(await firstServer(), 'test:///');
    rows.setOpen(before, true);
    rows.filter = ' GUIDE ';
    const server = await firstServer();
    assert.equal(server.matching, 2);
    const top = await child(server, 'test:///');
    assert.deepEqual(await names(top), ['docs/', 'notes/']);
    assert.equal(rows.isOpen(await child(top, 'docs/')), true);
    assert.notEqual(top.id, before.id);
    assert.deepEqual(await rows.counts(), { matching: 2, total: 4 });

    rows.filter = 'nothing at all';
    assert.deepEqual(await rows.servers(), []);
    rows.filter = '';
    assert.equal(rows.isOpen(await child(await firstServer(), 'test:///')), true);
    assert.equal(rows.isOpen(await child(before, 'docs/')), false);
  });

  test('come page by page, and show the page of a row that is revealed', async () => {
    const connection = await runOne();
    await list(connection, ...Array.from({ length: 3 * PAGE }, (_, index) => `item${index}`));
    rows.update();
    const folder = await child(await firstServer(), 'test:///');
    const shown = await rows.children(folder);
    assert.equal(shown.length, PAGE + 1);
    const more = shown.at(-1);
    assert.ok(more?.kind === 'more' && more.hidden === 2 * PAGE);
    rows.showMore(more);
    assert.equal((await rows.children(folder)).length, 2 * PAGE + 1);
    assert.equal((await rows.children(folder)).at(-1)?.kind, 'more');

    const uri = `test:///item${3 * PAGE - 1}`;
    const serverId = connection.definition.id;
    const row = await rows.nodeOf({ serverId, uri });
    assert.equal(row?.address.uri, uri);
    const [before, ...page] = await rows.children(folder);
    assert.deepEqual([page.length, page.at(-1)?.id], [PAGE, row?.id]);
    assert.ok(before?.kind === 'more' && before.hidden === 2 * PAGE);
    rows.showMore(before);
    assert.equal((await rows.children(folder)).length, 2 * PAGE + 1);
    assert.equal(await rows.nodeOf({ serverId, uri: 'test:///else' }), undefined);
  });

  test('hold up nothing else with ten thousand nested and twenty thousand flat resources', async () => {
    const [connection] = await bed.run(stdioServer([serverScript('manyResourcesServer')]));
    assert.ok(connection);
    await until(
      () => connection.catalogue?.resources.length === 30_000,
      'the resources are listed',
      connection.onDidChangeCatalogue,
    );
    const measure = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const turns = new Turns();
      const result = await work();
      turns.end(what);
      return result;
    };
    rows.update();
    const server = await firstServer();
    await measure('the top of 30,000', () => rows.children(server));
    const flat = await child(server, 'flat://items/');
    const shown = await measure('20,000 in one folder', () => rows.children(flat));
    assert.deepEqual(shown.slice(0, 3).map(nameOf), ['item-0.txt', 'item-1.txt', 'item-2.txt']);
    const nested = await child(server, 'nested://archive/all/');
    await measure('10,000 nested, all folders', async () => {
      for (const open: ResourceNode[] = [nested]; open.length > 0;) {
        const next = open.pop() as FolderNode;
        open.push(...(await rows.children(next)).filter(({ kind }) => kind === 'folder'));
      }
    });
    rows.filter = '77';
    await measure('a filter over 30,000', () => rows.servers());
    rows.filter = '';
    const address = { serverId: server.serverId, uri: 'flat://items/item-19999.txt' };
    await measure('the way to the last of 20,000', () => rows.nodeOf(address));
  });
});
