import assert from 'node:assert/strict';
import { ProgressMeter } from '../../../../src/host/tools/progressMeter.ts';

suite('ProgressMeter', () => {
  test('reports how much further it is, and never back', () => {
    const meter = new ProgressMeter();
    assert.deepEqual(meter.next({ progress: 1, total: 4, message: 'a' }), { increment: 25, message: 'a' });
    assert.deepEqual(meter.next({ progress: 3, total: 4 }), { increment: 50 });
    assert.deepEqual(meter.next({ progress: 2, total: 4 }), {});
    assert.deepEqual(meter.next({ progress: 9, total: 4 }), { increment: 25 });
  });

  test('shows messages alone without a total', () => {
    assert.deepEqual(new ProgressMeter().next({ progress: 7, message: 'x' }), { message: 'x' });
  });
});
