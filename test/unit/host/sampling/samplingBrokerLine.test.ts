import assert from 'node:assert/strict';
import { SamplingFailure } from '../../../../src/host/errors/samplingFailure.ts';
import { SamplingLine } from '../../../../src/host/sampling/samplingLine.ts';

const never = new AbortController().signal;

suite('The line of requests for a model', () => {
  let line: SamplingLine;
  let entered: string[];
  setup(() => {
    line = new SamplingLine();
    entered = [];
  });

  function enter(id: string, name: string, signal = never): Promise<() => void> {
    return line.enter(id, signal).then((leave) => {
      entered.push(name);
      return leave;
    });
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('lets one of each server through, the others in their order', async () => {
    const first = await enter('a', 'a1');
    const second = enter('a', 'a2');
    void enter('a', 'a3');
    await enter('b', 'b1');
    assert.deepEqual(entered, ['a1', 'b1']);
    first();
    first();
    await settled();
    assert.deepEqual(entered, ['a1', 'b1', 'a2']);
    (await second)();
    await settled();
    assert.deepEqual(entered, ['a1', 'b1', 'a2', 'a3']);
  });

  test('is free again when nobody is in it', async () => {
    (await enter('a', 'a1'))();
    (await enter('a', 'a2'))();
    assert.deepEqual(entered, ['a1', 'a2']);
  });

  test('loses those that give up, and nobody else', async () => {
    const leave = await enter('a', 'a1');
    const abort = new AbortController();
    const second = enter('a', 'a2', abort.signal);
    const third = enter('a', 'a3');
    abort.abort(new SamplingFailure('over', 'It stopped waiting.'));
    await assert.rejects(second, { kind: 'over' });
    leave();
    await third;
    assert.deepEqual(entered, ['a1', 'a3']);
  });

  test('takes nobody in who has given up', async () => {
    const leave = await enter('a', 'a1');
    await assert.rejects(enter('a', 'a2', AbortSignal.abort(new SamplingFailure('over', 'Over.'))));
    leave();
    await enter('a', 'a3');
  });

  test('turns away those that wait, and serves those that come later', async () => {
    const leave = await enter('a', 'a1');
    const second = enter('a', 'a2');
    line.turnAway(new SamplingFailure('noModel', 'None.'));
    await assert.rejects(second, { kind: 'noModel' });
    const third = enter('a', 'a3');
    leave();
    await third;
  });

  test('is not endless', async () => {
    const leave = await enter('a', 'first');
    for (let count = 0; count < 100; count += 1) {
      void enter('a', String(count));
    }
    await assert.rejects(enter('a', 'too many'), { kind: 'limited' });
    leave();
    await settled();
    assert.equal(entered.length, 2);
  });
});
