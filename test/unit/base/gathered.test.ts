import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Gathered } from '../../../src/base/gathered.ts';

suite('What is gathered', () => {
  let acts = 0;
  let gathered: Gathered;

  setup(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    acts = 0;
    gathered = new Gathered(100, () => (acts += 1));
  });

  teardown(() => mock.timers.reset());

  test('is done once, so long after the first', () => {
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
