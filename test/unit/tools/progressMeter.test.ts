import assert from 'node:assert/strict';
import { ProgressMeter } from '../../../src/host/tools/progressMeter.ts';

suite('ProgressMeter', () => {
  test('reports how much further it is, and never back', () => {
    const meter = new ProgressMeter();
    assert.deepEqual(meter.next({ progress: 1, total: 4, message: 'a' }, 0), { increment: 25, message: 'a' });
    assert.deepEqual(meter.next({ progress: 3, total: 4 }, 1_000), { increment: 50 });
    assert.deepEqual(meter.next({ progress: 2, total: 4 }, 2_000), {});
    assert.deepEqual(meter.next({ progress: 9, total: 4 }, 3_000), { increment: 25 });
  });

  test('shows messages alone without a total', () => {
    assert.deepEqual(new ProgressMeter().next({ progress: 7, message: 'x' }, 0), { message: 'x' });
  });

  test('lets a flood pass by', () => {
    const meter = new ProgressMeter();
    meter.next({ progress: 1, total: 100 }, 0);
    assert.equal(meter.next({ progress: 2, total: 100 }, 10), undefined);
    assert.deepEqual(meter.next({ progress: 5, total: 100 }, 200), { increment: 4 });
  });
});
