import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { TurnMemory } from '../../../../src/base/time/turnMemory.ts';

suite('What is remembered for a turn', () => {
  const owner = {};
  let memory: TurnMemory<string>;
  let now: number;
  setup(() => {
    now = 1_000;
    // Once for each test: what is mocked twice is not restored.
    mock.method(performance, 'now', () => now);
    memory = new TurnMemory();
  });
  teardown(() => mock.restoreAll());

  test('is there while one promise after the other is settled, for its owner', async () => {
    await Promise.resolve();
    memory.set(owner, 'seen');
    for (let step = 0; step < 100; step += 1) {
      await Promise.resolve();
      assert.equal(memory.get(owner), 'seen');
      assert.equal(memory.get({}), undefined);
    }
  });

  test('is forgotten before any event', async () => {
    const seen = (): string | undefined => memory.get(owner);
    const looks = [nextTurn().then(seen), delay(0).then(seen)];
    memory.set(owner, 'seen');
    assert.deepEqual(await Promise.all(looks), [undefined, undefined]);
    memory.set(owner, 'again');
    assert.equal(memory.get(owner), 'again');
    await nextTurn();
    assert.equal(memory.get(owner), undefined);
  });

  test('is forgotten after 10 ms', () => {
    memory.set(owner, 'seen');
    now += 10;
    assert.equal(memory.get(owner), 'seen');
    now += 1;
    assert.equal(memory.get(owner), undefined);
  });
});
