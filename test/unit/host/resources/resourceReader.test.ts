import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import type { ResourceAddress } from '../../../../src/host/resources/resourceAddress.ts';
import { ResourceReader, type ResourceChange } from '../../../../src/host/resources/resourceReader.ts';
import { IncreasingTime } from '../../../../src/base/time/increasingTime.ts';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import { textOf } from '../../support/connectionBed.ts';
import { resourceServer } from '../../support/definitions.ts';
import { HostBed } from '../../support/hostBed.ts';
import { untilSeen } from '../../support/until.ts';

const definition = resourceServer({ name: 'odd' });

suite('ResourceReader', () => {
  let bed: HostBed;
  let connection: ServerConnection;
  let reader: ResourceReader;
  let changes: ResourceChange[];

  setup(async () => {
    bed = new HostBed();
    [connection] = (await bed.run(definition)) as [ServerConnection];
    reader = watched(new ResourceReader(bed.host));
  });
  teardown(async () => {
    reader.dispose();
    await bed.close();
  });

  function watched(one: ResourceReader): ResourceReader {
    changes = [];
    one.onDidChange((change) => changes.push(change));
    return one;
  }

  const at = (uri: string): ResourceAddress => ({ serverId: definition.id, uri });
  const notes = at('odd://home/notes.md');

  async function readsOf(uri: string): Promise<number> {
    const counts = JSON.parse(await textOf(connection.callTool('reads', {}))) as Record<string, number>;
    return counts[uri] ?? 0;
  }

  async function write(uri: string, text?: string): Promise<void> {
    await connection.callTool('write', { uri, ...(text !== undefined && { text }) });
  }

  async function textAt(address: ResourceAddress): Promise<string> {
    return Buffer.from((await reader.read(address)).contents[0]?.bytes ?? []).toString();
  }

  test('reads once for those who ask at one time, and for those who ask soon after', async () => {
    const [one, other] = await Promise.all([reader.read(notes), reader.read(notes)]);
    assert.equal(one, other);
    assert.equal(await reader.read(notes), one);
    assert.equal(reader.peek(notes), one);
    assert.equal(await readsOf(notes.uri), 1);
    assert.equal(Buffer.from(one.contents[0]?.bytes ?? []).toString(), '# Notes\n\nBuy milk.\n');
    assert.deepEqual([one.contents[0]?.mimeType, one.ttlMs], [undefined, undefined]);
  });

  test('reads again when asked to, and the same content is not a change', async () => {
    const before = await reader.read(notes);
    changes = [];
    const same = await reader.refresh(notes);
    assert.equal(same.mtime, before.mtime);
    assert.ok(same.readAt >= before.readAt);
    assert.deepEqual(changes, []);
    await write(notes.uri, '# Notes\n\nBuy tea!.\n\n');
    const after = await reader.refresh(notes);
    assert.ok(after.mtime > before.mtime);
    assert.deepEqual(changes, [{ address: notes, before: same, after }]);
    assert.equal(await readsOf(notes.uri), 3);
  });

  test('gives each change a later time, however quickly they follow', async () => {
    const times: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      await write(notes.uri, String(turn % 2));
      times.push((await reader.refresh(notes)).mtime);
    }
    assert.ok(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0)));
    reader.forget(notes);
    assert.ok((await reader.read(notes)).mtime > (times.at(-1) ?? 0));
  });

  test('cancels a request when no caller waits for it any longer', async () => {
    const one = new AbortController();
    const other = new AbortController();
    const readings = [reader.read(at('odd://held'), one.signal), reader.read(at('odd://held'), other.signal)];
    const settled = Promise.allSettled(readings);
    await untilSeen(async () => (await readsOf('odd://held')) === 1, 'it is asked for');
    one.abort();
    await assert.rejects(readings[0] ?? Promise.resolve(), CancellationError);
    await connection.callTool('release', {});
    assert.equal(Buffer.from((await readings[1])?.contents[0]?.bytes ?? []).toString(), 'Released.\n');
    await settled;
    reader.forget(at('odd://held'));
    const alone = new AbortController();
    const reading = reader.read(at('odd://held'), alone.signal);
    alone.abort();
    await assert.rejects(reading, CancellationError);
    assert.equal(reader.peek(at('odd://held')), undefined);
  });

  test('lets a later reading win over an earlier one that is answered later', async () => {
    const held = at('odd://held');
    const early = reader.read(held);
    await untilSeen(async () => (await readsOf(held.uri)) === 1, 'it is asked for');
    await write(held.uri, 'Written meanwhile.');
    const late = await reader.refresh(held);
    await connection.callTool('release', {});
    assert.equal(await early, late);
    assert.equal(reader.peek(held), late);
  });

  for (const [uri, message] of [
    ['odd://home/fails', /The disk of the server is on fire/],
    ['odd://home/none', /There is no odd:\/\/home\/none/],
    ['odd://home/unpadded', /not valid base64/],
    ['odd://home/broken', /Invalid Base64/],
  ] as const) {
    test(`passes on why ${uri} cannot be read`, async () => {
      await assert.rejects(reader.read(at(uri)), { name: 'HostError', code: 'protocol', message });
      assert.equal(reader.peek(at(uri)), undefined);
    });
  }

  test('says so when the server no longer has it', async () => {
    const before = await reader.read(notes);
    await write(notes.uri);
    changes = [];
    await assert.rejects(reader.refresh(notes), { code: 'protocol' });
    assert.deepEqual(changes, [{ address: notes, before, after: undefined }]);
    assert.equal(reader.peek(notes), undefined);
  });

  test('forgets what a stopped server gave, and says so', async () => {
    const before = await reader.read(notes);
    changes = [];
    await bed.host.stop(definition.id);
    assert.deepEqual(changes, [{ address: notes, before, after: undefined }]);
    await assert.rejects(reader.read(notes), { code: 'notRunning' });
    await bed.host.start(definition.id);
    assert.ok((await reader.read(notes)).mtime > before.mtime);
  });

  test('reads again from a server that has restarted', async () => {
    await write(notes.uri, 'Only in this process.');
    assert.equal(await textAt(notes), 'Only in this process.');
    await bed.host.restart(definition.id);
    assert.equal(await textAt(notes), '# Notes\n\nBuy milk.\n');
  });

  test('forgets the resources of a server that is removed', async () => {
    await reader.read(notes);
    bed.configure([]);
    assert.equal(reader.peek(notes), undefined);
    await assert.rejects(reader.read(notes), { code: 'notRunning', message: /no longer configured/ });
  });

  test('refuses what is too large, and keeps its cache within the limit', async () => {
    reader.dispose();
    reader = watched(
      new ResourceReader(bed.host, new IncreasingTime(), { resource: 2_000_000, kept: 3_000_000 }),
    );
    await write('odd://big', 'x'.repeat(2_000_001));
    await assert.rejects(reader.read(at('odd://big')), { message: /larger than 1 MB/ });
    const uris = ['odd://1', 'odd://2', 'odd://3'];
    for (const uri of uris) {
      await write(uri, 'x'.repeat(1_200_000));
      await reader.read(at(uri));
    }
    await reader.read(at('odd://2'));
    assert.deepEqual(
      uris.map((uri) => reader.peek(at(uri)) !== undefined),
      [false, true, true],
    );
  });

  test('keeps apart what two servers call the same', async () => {
    const twin = resourceServer({ name: 'twin' });
    await bed.run(definition, twin);
    await write(notes.uri, 'Of the first.');
    const other = await reader.read({ serverId: twin.id, uri: notes.uri });
    assert.equal(await textAt(notes), 'Of the first.');
    assert.equal(Buffer.from(other.contents[0]?.bytes ?? []).toString(), '# Notes\n\nBuy milk.\n');
  });
});
