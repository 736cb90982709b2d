import assert from 'node:assert/strict';
import { ListWatchers } from '../../../../../src/host/connection/lists/listWatchers.ts';
import { ListThrottle } from '../../../../../src/host/connection/lists/listThrottle.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const MINUTE = 60_000;

suite('The throttle of a list', () => {
  let clock: FakeClock;
  let watchers: ListWatchers;
  let throttle: ListThrottle;
  /** When the list was read. */
  let reads: number[];
  let repeats: number;
  /** Whether the next list has changed. */
  let isDifferent: boolean;
  /** Whether the server says during each reading that the list has changed. */
  let notifiesWhenListed: boolean;

  setup(() => {
    clock = new FakeClock();
    watchers = new ListWatchers();
    reads = [];
    repeats = 0;
    isDifferent = false;
    notifiesWhenListed = true;
    const { now, after } = clock;
    throttle = new ListThrottle({ watchers, now, after, read, repeats: () => (repeats += 1) });
  });
  teardown(() => {
    throttle.dispose();
    watchers.dispose();
    assert.equal(clock.pending, 0);
  });

  function read(): void {
    reads.push(clock.now());
    throttle.begins();
    if (notifiesWhenListed) {
      throttle.notified();
    }
    throttle.ended(isDifferent);
  }

  const waits = (): readonly number[] => reads.slice(1).map((at, index) => at - (reads[index] ?? 0));

  test('waits twice as long after each list that has not changed, up to a minute', async () => {
    watchers.watch();
    read();
    await clock.tick(10 * MINUTE);
    assert.deepEqual(
      waits().slice(0, 10),
      [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000],
    );
    assert.equal(repeats, 1);
    assert.equal(throttle.isRepeating, true);
  });

  test('starts over with a list that has changed', async () => {
    watchers.watch();
    read();
    await clock.tick(5_000);
    isDifferent = true;
    notifiesWhenListed = false;
    await clock.tick(MINUTE);
    assert.equal(throttle.isRepeating, false);
    assert.equal(repeats, 2);
    const { length } = reads;
    throttle.notified();
    assert.equal(reads.length, length + 1, 'it is read at once');
  });

  test('starts over when a server has sent no notification for a minute', async () => {
    notifiesWhenListed = false;
    for (let times = 0; times < 10; times += 1) {
      throttle.notified();
      await clock.tick(MINUTE);
    }
    assert.equal(reads.length, 10);
    assert.equal(throttle.isRepeating, false);
  });

  test('notices a change at the end of the wait', async () => {
    watchers.watch();
    read();
    await clock.tick(MINUTE);
    notifiesWhenListed = false;
    await clock.tick(MINUTE);
    const { length } = reads;
    isDifferent = true;
    throttle.notified();
    await clock.tick(MINUTE);
    assert.equal(reads.length, length + 1);
  });

  test('reads nothing while the list is not watched, and at once when it is watched, shown or used by a call', async () => {
    read();
    await clock.tick(10 * MINUTE);
    assert.equal(reads.length, 4);
    assert.equal(throttle.isDelayed, true);
    const watching = watchers.watch();
    assert.equal(reads.length, 5);
    watching.dispose();
    await clock.tick(10 * MINUTE);
    assert.equal(reads.length, 5);
    throttle.looked();
    assert.equal(reads.length, 6);
    await clock.tick(10 * MINUTE);
    assert.equal(reads.length, 6);
  });

  test('counts listeners that watch all servers', async () => {
    const all = new ListWatchers();
    const one = new ListWatchers(all);
    let begun = 0;
    one.onDidBegin(() => (begun += 1));
    const watching = all.watch();
    assert.equal(one.areThere, true);
    watching.dispose();
    watching.dispose();
    assert.equal(one.areThere, false);
    assert.equal(begun, 1);
    one.dispose();
    all.dispose();
  });

  test('reads many changes without a wait, and a flood of them less and less often', async () => {
    isDifferent = true;
    watchers.watch();
    read();
    await clock.tick(10 * MINUTE);
    assert.deepEqual(waits().slice(0, 21), Array<number>(21).fill(0));
    assert.deepEqual(waits().slice(21, 25), [500, 1_000, 2_000, 4_000]);
    assert.ok(reads.length < 45, `${reads.length} lists`);
  });

  test('does not delay a list that changes once in a while', async () => {
    isDifferent = true;
    notifiesWhenListed = false;
    for (let times = 0; times < 100; times += 1) {
      throttle.notified();
      assert.equal(reads.length, times + 1);
      await clock.tick(1_000);
    }
  });
});
