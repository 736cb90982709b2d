import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Gathered } from '../../../../src/base/time/gathered.ts';

suite('What is gathered', () => {
  let acts = 0;
  let gathered: Gathered;

  setup(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    acts = 0;
    gathered = new Gathered(100, () => (acts += 1));
  });

  teardown(() => mock.timers.reset());

  test('is done once, some time after the first event', () => {
    gathered.soon();
    mock.timers.tick(60);
    gathered.soon();
    mock.timers.tick(39);
    assert.equal(acts, 0);
    mock.timers.tick(1);
    assert.equal(acts, 1);
    mock.timers.tick(1_000);
    assert.equal(acts, 1);
    gathered.soon();
    mock.timers.tick(100);
    assert.equal(acts, 2);
  });

  test('is not done again after it was done at once, nor after its end', () => {
    gathered.soon();
    gathered.now();
    assert.equal(acts, 1);
    gathered.soon();
    gathered.dispose();
    mock.timers.tick(1_000);
    assert.equal(acts, 1);
  });
});

suite('What is gathered until nothing more happens', () => {
  setup(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  teardown(() => mock.timers.reset());

  test('is done once, some time after the last event', () => {
    let done = 0;
    const gathered = new Gathered(250, () => (done += 1), 50);
    gathered.soon();
    mock.timers.tick(40);
    gathered.soon();
    mock.timers.tick(49);
    assert.equal(done, 0);
    mock.timers.tick(1);
    assert.equal(done, 1);
    mock.timers.tick(1_000);
    assert.equal(done, 1);
  });

  test('is not delayed forever by events that do not end', () => {
    let done = 0;
    const gathered = new Gathered(250, () => (done += 1), 50);
    for (let ms = 0; ms < 2_600; ms += 10) {
      gathered.soon();
      mock.timers.tick(10);
    }
    assert.equal(done, 10);
  });

  test('is not done after dispose', () => {
    let done = 0;
    const gathered = new Gathered(250, () => (done += 1), 50);
    gathered.soon();
    gathered.dispose();
    mock.timers.tick(1_000);
    assert.equal(done, 0);
  });
});
