import assert from 'node:assert/strict';
import { RequestRate } from '../../../../src/host/limits/requestRate.ts';
import { FakeClock } from '../../support/fakeClock.ts';

suite('The rate of requests', () => {
  let now = 0;
  let max = 3;
  let rate: RequestRate;
  setup(() => {
    now = 1_000;
    max = 3;
    rate = new RequestRate(
      () => max,
      () => now,
      () => ({ dispose: () => {} }),
    );
  });
  const admitted = (count: number, server = 'a'): number =>
    Array.from({ length: count }, () => rate.admit(server, () => {})).filter(Boolean).length;

  test('lets as many through as are allowed in a minute', () => {
    assert.equal(admitted(1_000), 3);
    now += 59_999;
    assert.equal(admitted(10), 0);
    now += 1;
    assert.equal(admitted(10), 3);
  });

  test('is of any minute, wherever it begins', () => {
    assert.equal(admitted(1), 1);
    now += 30_000;
    assert.equal(admitted(5), 2);
    now += 30_000;
    assert.equal(admitted(5), 1);
    now += 30_000;
    assert.equal(admitted(5), 2);
  });

  test("is each server's own", () => {
    assert.equal(admitted(10), 3);
    assert.equal(admitted(10, 'b'), 3);
  });

  test('follows the setting at the moment', () => {
    assert.equal(admitted(10), 3);
    max = 5;
    assert.equal(admitted(10), 2);
    max = 0;
    assert.equal(admitted(10, 'b'), 0);
  });
});

suite('A flood of requests', () => {
  let clock: FakeClock;
  let rate: RequestRate;
  let ended: string[];
  setup(() => {
    clock = new FakeClock();
    rate = new RequestRate(() => 0, clock.now, clock.after);
    ended = [];
  });
  const refused = (server = 'a'): void =>
    assert.equal(
      rate.admit(server, (count) => ended.push(`${server} ${count}`)),
      false,
    );

  test('is reported once, with its number, after five seconds without a request', async () => {
    refused();
    await clock.tick(1);
    refused();
    await clock.tick(5_000);
    refused();
    assert.deepEqual(ended, []);
    await clock.tick(4_999);
    assert.deepEqual(ended, []);
    await clock.tick(1);
    await clock.tick(5_000);
    assert.deepEqual(ended, ['a 3']);
    assert.equal(clock.pending, 0);
  });

  test('that is quiet for exactly five seconds has ended, and the next begins another one', async () => {
    refused();
    await clock.tick(5_000);
    assert.deepEqual(ended, ['a 1']);
    refused();
    refused();
    await clock.tick(10_000);
    assert.deepEqual(ended, ['a 1', 'a 2']);
  });

  test('that goes on is reported after a minute', async () => {
    for (let second = 0; second < 59; second += 1) {
      refused();
      await clock.tick(1_000);
    }
    assert.deepEqual(ended, []);
    refused();
    await clock.tick(1_000);
    assert.deepEqual(ended, ['a 60']);
  });

  test("is each server's own", async () => {
    refused();
    refused('b');
    refused('b');
    await clock.tick(10_000);
    assert.deepEqual(ended, ['a 1', 'b 2']);
  });

  test('ends with the rate, and only once', async () => {
    refused();
    refused();
    rate.dispose();
    assert.deepEqual(ended, ['a 2']);
    assert.equal(clock.pending, 0);
    rate.dispose();
    refused();
    await clock.tick(5_000);
    assert.deepEqual(ended, ['a 2', 'a 1']);
  });
});
