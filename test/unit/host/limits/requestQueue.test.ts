import assert from 'node:assert/strict';
import { SamplingFailure } from '../../../../src/host/errors/samplingFailure.ts';
import { RequestQueue } from '../../../../src/host/limits/requestQueue.ts';

const never = new AbortController().signal;

suite('The queue of requests for a model', () => {
  let queue: RequestQueue;
  let entered: string[];
  setup(() => {
    queue = new RequestQueue();
    entered = [];
  });

  /** Resolves when the request is handled; the result ends that. */
  function enter(id: string, name: string, signal = never): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const handle = (): Promise<void> => {
        entered.push(name);
        const end = Promise.withResolvers<void>();
        resolve(end.resolve);
        return end.promise;
      };
      queue.handle(id, signal, handle).catch(reject);
    });
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('lets one request of each server through, the others in their order', async () => {
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

  test('is free again when it is empty', async () => {
    (await enter('a', 'a1'))();
    (await enter('a', 'a2'))();
    assert.deepEqual(entered, ['a1', 'a2']);
  });

  test('drops the requests that give up, and no others', async () => {
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

  test('does not admit a request that has given up', async () => {
    const leave = await enter('a', 'a1');
    await assert.rejects(enter('a', 'a2', AbortSignal.abort(new SamplingFailure('over', 'Over.'))));
    leave();
    await enter('a', 'a3');
  });

  test('rejects the waiting requests, and admits later ones', async () => {
    const leave = await enter('a', 'a1');
    const second = enter('a', 'a2');
    queue.rejectWaiting(new SamplingFailure('noModel', 'None.'));
    await assert.rejects(second, { kind: 'noModel' });
    const third = enter('a', 'a3');
    leave();
    await third;
  });

  test('has a maximum length', async () => {
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
