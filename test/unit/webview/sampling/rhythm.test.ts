import assert from 'node:assert/strict';
import { durationText, Rhythm } from '../../../../src/webview/sampling/rhythm.ts';

suite('A rhythm', () => {
  test('is due at most once in its time, and not at the beginning', () => {
    let now = 100;
    const rhythm = new Rhythm(5_000, () => now);
    const due: number[] = [];
    for (; now <= 16_000; now += 200) {
      if (rhythm.isDue()) {
        due.push(now);
      }
    }
    assert.deepEqual(due, [5_100, 10_100, 15_100]);
  });
});

suite('A duration', () => {
  const cases: [number, string][] = [
    [0, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min 00 s'],
    [125_000, '2 min 05 s'],
    [3_600_000, '60 min 00 s'],
  ];
  for (const [ms, text] of cases) {
    test(`of ${ms} ms is ${text}`, () => assert.equal(durationText(ms), text));
  }
});
