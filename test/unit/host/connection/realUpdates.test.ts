import assert from 'node:assert/strict';
import { ConnectionBed } from '../../support/connectionBed.ts';
import { realServers } from '../../support/realServers/realServers.ts';
import { scriptedSampling } from '../../support/realServers/scriptedSampling.ts';
import { startServer } from '../../support/realServers/startServer.ts';

/** Every 5 s the one of 2024, every 10 s those of 2025: all are waited for at once. */
const longestMs = 60_000;

suite('A published server that reports changed resources at intervals', function () {
  this.timeout(longestMs);
  let bed: ConnectionBed;
  const all = realServers.flatMap(({ name, ways }) =>
    ways.flatMap((way) => way.clockUpdates.map((uri) => ({ what: `${name} over ${way.name}`, way, uri }))),
  );
  const updates = new Map<string, Promise<string>>();

  suiteSetup(async () => {
    bed = new ConnectionBed();
    await Promise.all(
      all.map(async ({ what, way, uri }) => {
        const { definition } = await startServer(bed, way);
        // It asks for a language model before it says that it has subscribed.
        const connection = bed.connection(definition, { sampling: scriptedSampling([]) });
        await connection.start();
        updates.set(what, new Promise((resolve) => connection.resourceWatch.onDidUpdate(resolve)));
        connection.resourceWatch.watch(uri);
      }),
    );
  });
  suiteTeardown(() => bed.close());

  for (const { what, uri } of all) {
    test(`is followed: ${what}`, async () => {
      assert.equal(await updates.get(what), uri);
    });
  }
});
