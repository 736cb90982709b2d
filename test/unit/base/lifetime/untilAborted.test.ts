import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { abortWith, untilAborted, unlessAborted } from '../../../../src/base/lifetime/cancellation.ts';

suite('Work that a signal ends', () => {
  const never = new Promise<never>(() => {});

  test('settles as it would, and leaves no listener', async () => {
    const { signal } = new AbortController();
    assert.equal(await unlessAborted(Promise.resolve(1), signal), 1);
    await assert.rejects(unlessAborted(Promise.reject(new Error('No.')), signal), { message: 'No.' });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  test('is rejected when the signal aborts, or has aborted', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const cancelled = unlessAborted(never, signal);
    const rejected = untilAborted(never, signal);
    controller.abort(new Error('Over.'));
    await assert.rejects(cancelled, { name: 'CancellationError' });
    await assert.rejects(rejected, { message: 'Over.' });
    await assert.rejects(unlessAborted(never, signal), { name: 'CancellationError' });
  });

  test('is not rejected if it was settled before', async () => {
    assert.equal(await unlessAborted(Promise.resolve(1), AbortSignal.abort()), 1);
  });

  test('may follow another signal, until that is disposed', () => {
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    abortWith(second, first.signal);
    abortWith(third, first.signal).dispose();
    first.abort('over');
    assert.equal(second.signal.reason, 'over');
    assert.equal(third.signal.aborted, false);
    abortWith(third, first.signal);
    assert.equal(third.signal.reason, 'over');
  });
});
