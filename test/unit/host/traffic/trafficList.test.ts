import assert from 'node:assert/strict';
import { noFilter, TrafficList } from '../../../../src/host/traffic/trafficList.ts';
import { numberOnLine } from '../../../../src/host/traffic/trafficLine.ts';
import { TrafficRecorder } from '../../../../src/host/traffic/trafficRecorder.ts';
import type { TrafficMessage, TrafficNote } from '../../../../src/host/traffic/trafficEntry.ts';

suite('The list of traffic', () => {
  let recorder: TrafficRecorder;
  let list: TrafficList;
  setup(() => {
    recorder = new TrafficRecorder([]);
    list = new TrafficList(recorder, 'notes');
  });

  const add = (method: string, more: Partial<TrafficMessage> = {}): TrafficMessage =>
    recorder.add<TrafficMessage>({
      kind: 'message',
      session: 1,
      direction: 'sent',
      is: 'request',
      method,
      target: undefined,
      json: `{"method":"${method}"}`,
      bytes: 10,
      relation: undefined,
      ms: undefined,
      note: undefined,
      isFailure: false,
      faults: [],
      ...more,
    });
  const numbers = (): readonly (number | undefined)[] =>
    list.text
      .split('\n')
      .slice(2, -1)
      .map((line) => numberOnLine(line));

  test('grows at its end, and says what it is', () => {
    add('tools/list');
    assert.equal(list.update(), true);
    const before = list.text;
    assert.match(before, /^Traffic of 'notes'\. Go to Definition on a line shows the whole message\.\n\n/);
    assert.equal(list.update(), false);
    add('tools/call');
    list.update();
    assert.ok(list.text.startsWith(before));
    assert.deepEqual(numbers(), [1, 2]);
  });

  test('either drops lines or adds some, in one update', () => {
    for (let count = 0; count < 5_000; count += 1) {
      add('ping');
    }
    list.update();
    const before = list.text.split('\n').slice(2 + 1_000);
    add('ping');
    assert.equal(list.update(), true);
    assert.deepEqual(list.text.split('\n').slice(2), before);
    assert.equal(list.update(), true);
    assert.equal(numbers().at(-1), 5_001);
    recorder.clear();
    list.update();
    assert.deepEqual(numbers(), []);
  });

  test('stands still while it is paused, and catches up', () => {
    add('tools/list');
    list.update();
    list.isPaused = true;
    add('tools/call');
    assert.equal(list.update(), false);
    assert.deepEqual(numbers(), [1]);
    list.isPaused = false;
    list.update();
    assert.deepEqual(numbers(), [1, 2]);
  });

  test('shows what its filter lets through, of what came before, too', () => {
    add('tools/list');
    add('tools/call', { direction: 'received', is: 'error', isFailure: true });
    recorder.add<TrafficNote>({
      kind: 'stderr',
      session: 1,
      text: 'tools/call',
      isFailure: false,
      faults: [],
    });
    const fault = { text: 'a', clause: 'basic', revision: '2025-11-25' };
    add('ping', { faults: [{ ...fault, isAdvice: true }] });
    add('ping', { faults: [{ ...fault, isAdvice: false }] });
    list.update();
    const shown = (filter: Partial<typeof noFilter>): readonly (number | undefined)[] => {
      list.filter = { ...noFilter, ...filter };
      list.update();
      return numbers();
    };
    assert.deepEqual(shown({ failuresOnly: true }), [2, 5]);
    assert.deepEqual(shown({ from: new Set(['between']) }), [3]);
    assert.deepEqual(shown({ from: new Set(['sent', 'received']) }), [1, 2, 4, 5]);
    assert.deepEqual(shown({ methods: new Set(['tools/call']) }), [2]);
    assert.notDeepEqual(list.filter, noFilter);
    assert.deepEqual(shown({}), [1, 2, 3, 4, 5]);
    assert.deepEqual(list.filter, noFilter);
  });

  test('has numbers only where it has entries', () => {
    assert.equal(numberOnLine("Traffic of 'notes'."), undefined);
    assert.equal(numberOnLine(''), undefined);
    assert.equal(numberOnLine('10:02:11.123    12 ✗ ← error'), 12);
  });
});
