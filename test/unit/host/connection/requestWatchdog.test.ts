import assert from 'node:assert/strict';
import { CancellationError } from '../../../../src/base/cancellation.ts';
import { PersonPause } from '../../../../src/host/connection/requestWatchdog.ts';

/** A request that is never answered; it ends when it is told to. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

suite('The watchdog of a request', () => {
  test('ends it after the silence allowed', async () => {
    await assert.rejects(new PersonPause().watch({ silenceMs: 20 }, silence), {
      name: 'HostError',
      code: 'timedOut',
      message: 'the server did not answer within 0.02 s; the setting mcpHost.requestTimeout allows more',
    });
  });

  test('ends it after the time allowed in all, however much progress it makes', async () => {
    let timer: NodeJS.Timeout | undefined;
    const busy = (signal: AbortSignal, onProgress: () => void): Promise<never> => {
      timer = setInterval(onProgress, 5);
      return silence(signal);
    };
    await assert.rejects(new PersonPause().watch({ silenceMs: 10_000, maxTotalMs: 60 }, busy), {
      code: 'timedOut',
      message: 'the server did not finish within 0.06 s',
    });
    clearInterval(timer);
  });

  test('gives what the request gives, and throws what it throws', async () => {
    const pause = new PersonPause();
    assert.equal(await pause.watch({ silenceMs: 10_000 }, () => Promise.resolve(7)), 7);
    const failure = new Error('No.');
    await assert.rejects(
      pause.watch({ silenceMs: 10_000 }, () => Promise.reject(failure)),
      failure,
    );
  });

  test('tells the caller’s own cancellation apart', async () => {
    const abort = new AbortController();
    const watched = new PersonPause().watch({ silenceMs: 10_000 }, silence, abort.signal);
    abort.abort();
    await assert.rejects(watched, CancellationError);
  });

  test('stands still while the person is asked, and goes on afterwards', async () => {
    const pause = new PersonPause();
    const answer = Promise.withResolvers<void>();
    const asking = pause.whileAsking(() => answer.promise);
    const watched = pause.watch({ silenceMs: 30 }, silence);
    let isOver = false;
    watched.catch(() => {
      isOver = true;
    });
    // Long after the silence allowed: the watchdog would have bitten.
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(isOver, false);
    answer.resolve();
    await asking;
    await assert.rejects(watched, { code: 'timedOut' });
  });

  test('stands still until the last of several questions is answered', async () => {
    const pause = new PersonPause();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asking = [pause.whileAsking(() => first.promise), pause.whileAsking(() => second.promise)];
    const watched = pause.watch({ silenceMs: 30 }, silence);
    let isOver = false;
    watched.catch(() => {
      isOver = true;
    });
    first.resolve();
    await asking[0];
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(isOver, false);
    second.resolve();
    await assert.rejects(watched, { code: 'timedOut' });
  });

  test('stands still for progress that comes while the person is asked', async () => {
    const pause = new PersonPause();
    const answer = Promise.withResolvers<void>();
    const asking = pause.whileAsking(() => answer.promise);
    const watched = pause.watch({ silenceMs: 30 }, (signal, onProgress) => {
      onProgress();
      return silence(signal);
    });
    answer.resolve();
    await asking;
    await assert.rejects(watched, { code: 'timedOut' });
  });

  test('goes on when a question fails', async () => {
    const pause = new PersonPause();
    await assert.rejects(pause.whileAsking(() => Promise.reject(new Error('No panel.'))));
    await assert.rejects(pause.watch({ silenceMs: 20 }, silence), { code: 'timedOut' });
  });
});
