import assert from 'node:assert/strict';
import { ListAudience } from '../../../../../src/host/connection/lists/listAudience.ts';
import { ListPace } from '../../../../../src/host/connection/lists/listPace.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const MINUTE = 60_000;

suite('The pace of a list that its server says has changed', () => {
  let clock: FakeClock;
  let audience: ListAudience;
  let pace: ListPace;
  /** When the list was read. */
  let reads: number[];
  let repeats: number;
  /** Whether the next list is another one. */
  let isDifferent: boolean;
  /** Whether the server says while it is listed that the list has changed. */
  let tellsWhenListed: boolean;

  setup(() => {
    clock = new FakeClock();
    audience = new ListAudience();
    reads = [];
    repeats = 0;
    isDifferent = false;
    tellsWhenListed = true;
    const { now, after } = clock;
    pace = new ListPace({ audience, now, after, read, repeats: () => (repeats += 1) });
  });
  teardown(() => {
    pace.dispose();
    audience.dispose();
    assert.equal(clock.pending, 0);
  });

  function read(): void {
    reads.push(clock.now());
    pace.begins();
    if (tellsWhenListed) {
      pace.told();
    }
    pace.ended(isDifferent);
  }

  const waits = (): readonly number[] => reads.slice(1).map((at, index) => at - (reads[index] ?? 0));

  test('waits twice as long after each list that came back equal, up to a minute', async () => {
    audience.watch();
    read();
    await clock.tick(10 * MINUTE);
    assert.deepEqual(
      waits().slice(0, 10),
      [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000],
    );
    assert.equal(repeats, 1);
    assert.equal(pace.isRepeating, true);
  });

  test('begins again with a list that differs', async () => {
    audience.watch();
    read();
    await clock.tick(5_000);
    isDifferent = true;
    tellsWhenListed = false;
    await clock.tick(MINUTE);
    assert.equal(pace.isRepeating, false);
    assert.equal(repeats, 2);
    const { length } = reads;
    pace.told();
    assert.equal(reads.length, length + 1, 'it is read at once');
  });

  test('begins again when a server has said nothing for a minute', async () => {
    tellsWhenListed = false;
    for (let times = 0; times < 10; times += 1) {
      pace.told();
      await clock.tick(MINUTE);
    }
    assert.equal(reads.length, 10);
    assert.equal(pace.isRepeating, false);
  });

  test('sees a change within the wait', async () => {
    audience.watch();
    read();
    await clock.tick(MINUTE);
    tellsWhenListed = false;
    await clock.tick(MINUTE);
    const { length } = reads;
    isDifferent = true;
    pace.told();
    await clock.tick(MINUTE);
    assert.equal(reads.length, length + 1);
  });

  test('costs nothing while nobody watches, and is read at once for who does, looks or calls', async () => {
    read();
    await clock.tick(10 * MINUTE);
    assert.equal(reads.length, 4);
    assert.equal(pace.isHeldUp, true);
    const watching = audience.watch();
    assert.equal(reads.length, 5);
    watching.dispose();
    await clock.tick(10 * MINUTE);
    assert.equal(reads.length, 5);
    pace.looked();
    assert.equal(reads.length, 6);
    await clock.tick(10 * MINUTE);
    assert.equal(reads.length, 6);
  });

  test('is the same for who watches all servers', async () => {
    const all = new ListAudience();
    const one = new ListAudience(all);
    let begun = 0;
    one.onDidBegin(() => (begun += 1));
    const watching = all.watch();
    assert.equal(one.isWatching, true);
    watching.dispose();
    watching.dispose();
    assert.equal(one.isWatching, false);
    assert.equal(begun, 1);
    one.dispose();
    all.dispose();
  });

  test('reads many changes one after the other, and a flood of them less and less often', async () => {
    isDifferent = true;
    audience.watch();
    read();
    await clock.tick(10 * MINUTE);
    assert.deepEqual(waits().slice(0, 21), Array<number>(21).fill(0));
    assert.deepEqual(waits().slice(21, 25), [500, 1_000, 2_000, 4_000]);
    assert.ok(reads.length < 45, `${reads.length} lists`);
  });

  test('leaves a server alone that changes once in a while', async () => {
    isDifferent = true;
    tellsWhenListed = false;
    for (let times = 0; times < 100; times += 1) {
      pace.told();
      assert.equal(reads.length, times + 1);
      await clock.tick(1_000);
    }
  });
});
