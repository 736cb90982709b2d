import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { textOf } from './connectionBed.ts';
import { faultyServer, type FaultBed } from './faultBed.ts';
import { FaultyHttp, httpKinds, type HttpKind } from './faultyHttp.ts';
import { Turns } from './turns.ts';
import { untilSeen } from './until.ts';

/** The servers that flood, by what they speak. */
export const floodingServers: Readonly<Record<string, (bed: FaultBed) => Promise<ServerDefinition>>> = {
  'stdio, legacy': () => Promise.resolve(faultyServer('legacy')),
  'stdio, modern': () => Promise.resolve(faultyServer('modern')),
  ...Object.fromEntries(
    (Object.keys(httpKinds) as HttpKind[]).map((kind) => [
      kind,
      async (bed: FaultBed) => (await FaultyHttp.start(bed, kind)).definition,
    ]),
  ),
};

/**
 * Has a server write six notifications so many times, without a break, and proves that another one answers
 * meanwhile, and that what comes of it is bounded.
 */
export async function flood(bed: FaultBed, definition: ServerDefinition, times: number): Promise<void> {
  const [flooding, other] = [definition, faultyServer('legacy')].map((one) =>
    bed.connection(one, { requestTimeout: () => 60_000 }),
  ) as [ServerConnection, ServerConnection];
  await Promise.all([flooding.start(), other.start()]);
  let updates = 0;
  flooding.resourceWatch.onDidUpdate(() => (updates += 1));
  const watch = flooding.resourceWatch.watch('test:///note');
  await untilSeen(() => flooding.resourceWatch.isLive('test:///note'), 'the resource is watched');
  const lists = (): number =>
    ['tools', 'resources', 'prompts'].reduce((sum, kind) => sum + bed.received.times(`${kind}/list`), 0);
  const before = { lists: lists(), lines: bed.logger.lines.length };
  const began = performance.now();
  const turns = new Turns();

  const flooded = textOf(flooding.callTool('flood', { times }));
  for (let call = 0; call < 25; call += 1) {
    assert.equal(await textOf(other.callTool('echo', { text: `${call}` })), `${call}`);
  }
  const atOnce = Array.from({ length: 25 }, (_, call) =>
    textOf(other.callTool('echo', { text: `at once ${call}` })),
  );
  assert.deepEqual(
    await Promise.all(atOnce),
    atOnce.map((_, call) => `at once ${call}`),
  );
  assert.equal(await flooded, 'flooded');
  assert.equal(await textOf(flooding.callTool('echo', { text: 'dry' })), 'dry');
  turns.end('the flood');

  watch.dispose();
  await Promise.all([flooding.stop(), other.stop()]);
  const tenths = Math.ceil((performance.now() - began) / 100) + 1;
  assert.ok(updates >= 1 && updates <= tenths, `${updates} updates in ${tenths} tenths of a second`);
  // Each kind is listed once every 50 ms at the most, and the other server's lists count, too.
  const listed = lists() - before.lists;
  assert.ok(listed <= 3 * (2 * tenths + 2), `${listed} lists in ${tenths} tenths of a second`);
  const logged = bed.logger.lines.length - before.lines;
  const seconds = Math.ceil(tenths / 10) + 1;
  assert.ok(logged <= 400 * seconds, `${logged} lines in the log in ${seconds} s`);
}
