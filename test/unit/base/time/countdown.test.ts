import assert from 'node:assert/strict';
import { Countdown } from '../../../../src/base/time/countdown.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const hour = 3_600_000;

suite('A countdown', () => {
  let clock: FakeClock;
  let ends: number[];
  setup(() => {
    clock = new FakeClock();
    ends = [];
  });

  function started(ms: number): Countdown {
    const countdown = new Countdown(ms, () => ends.push(clock.now()), clock);
    countdown.start();
    return countdown;
  }

  test('ends after its time, however long that is', async () => {
    started(30 * 24 * hour);
    await clock.tick(30 * 24 * hour - 1);
    assert.deepEqual(ends, []);
    await clock.tick(1);
    assert.deepEqual(ends, [30 * 24 * hour]);
    assert.equal(clock.pending, 0);
  });

  test('stops while it is paused', async () => {
    const countdown = started(20_000);
    await clock.tick(12_345);
    countdown.pause();
    await clock.tick(hour);
    countdown.start();
    await clock.tick(20_000 - 12_345 - 1);
    assert.deepEqual(ends, []);
    await clock.tick(1);
    assert.equal(ends.length, 1);
  });

  test('restarts, running or not', async () => {
    const countdown = started(8_000);
    for (let times = 0; times < 100; times += 1) {
      await clock.tick(7_900);
      countdown.restart();
    }
    countdown.pause();
    countdown.restart();
    await clock.tick(hour);
    assert.deepEqual(ends, []);
    countdown.start();
    await clock.tick(7_999);
    assert.deepEqual(ends, []);
    await clock.tick(1);
    assert.equal(ends.length, 1);
  });

  test('can be used again when it is over', async () => {
    const countdown = started(8_000);
    await clock.tick(8_000);
    countdown.start();
    await clock.tick(8_000);
    assert.equal(ends.length, 2);
  });

  test('does not count the time that the machine sleeps', async () => {
    started(60_000);
    await clock.tick(12_000);
    clock.sleep(8 * hour);
    await clock.tick(0);
    assert.deepEqual(ends, []);
    // The step in which the machine fell asleep counts as if it had been awake.
    await clock.tick(60_000 - 15_000 - 1);
    assert.deepEqual(ends, []);
    await clock.tick(1);
    assert.equal(ends.length, 1);
  });

  test('leaves time for pending messages when the machine wakes, but never more than was left', async () => {
    for (const [ms, grace] of [
      [60_000, 5_000],
      [300, 300],
    ] as const) {
      ends = [];
      const begin = clock.now();
      started(ms);
      await clock.tick(ms - 1);
      clock.sleep(8 * hour);
      await clock.tick(0);
      assert.deepEqual(ends, [], `${ms}`);
      await clock.tick(grace);
      assert.equal(ends.length, 1, `${ms}`);
      assert.equal((ends[0] ?? 0) - begin, ms - 1 + 8 * hour + grace);
    }
  });

  test('does nothing once it is disposed', async () => {
    const countdown = started(8_000);
    countdown.dispose();
    countdown.start();
    await clock.tick(hour);
    assert.deepEqual(ends, []);
    assert.equal(clock.pending, 0);
  });
});
