import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Settled } from '../../../src/base/settled.ts';

suite('What has settled', () => {
  setup(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  teardown(() => mock.timers.reset());

  test('is done once, some time after the last event', () => {
    let done = 0;
    const settled = new Settled(50, 250, () => (done += 1));
    settled.soon();
    mock.timers.tick(40);
    settled.soon();
    mock.timers.tick(49);
    assert.equal(done, 0);
    mock.timers.tick(1);
    assert.equal(done, 1);
    mock.timers.tick(1_000);
    assert.equal(done, 1);
  });

  test('is not put off for ever by events that do not end', () => {
    let done = 0;
    const settled = new Settled(50, 250, () => (done += 1));
    for (let ms = 0; ms < 2_600; ms += 10) {
      settled.soon();
      mock.timers.tick(10);
    }
    assert.equal(done, 10);
  });

  test('is not done when it is taken back', () => {
    let done = 0;
    const settled = new Settled(50, 250, () => (done += 1));
    settled.soon();
    settled.dispose();
    mock.timers.tick(1_000);
    assert.equal(done, 0);
  });
});
