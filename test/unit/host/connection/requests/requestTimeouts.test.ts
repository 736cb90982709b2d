import assert from 'node:assert/strict';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import {
  allowedTime,
  type AllowedTime,
  RequestTimeouts,
} from '../../../../../src/host/connection/requests/requestTimeouts.ts';
import { legacyServer } from '../../../support/definitions.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

/** A request that is never answered; it ends with its signal. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function silent(silenceMs: number, totalMs = 60_000): () => AllowedTime {
  return () => ({ silenceMs, totalMs, advice: 'change this' });
}

suite('The timeout of a request', () => {
  test('ends it after the allowed silence', async () => {
    await assert.rejects(new RequestTimeouts(silent(20)).watch(silence), {
      name: 'HostError',
      code: 'timedOut',
      message: 'the server did not answer within 0.02 s; change this',
    });
  });

  test('ends it after the time allowed in all, despite its progress', async () => {
    let timer: NodeJS.Timeout | undefined;
    const busy = (signal: AbortSignal, onProgress: () => void): Promise<never> => {
      timer = setInterval(onProgress, 5);
      return silence(signal);
    };
    await assert.rejects(new RequestTimeouts(silent(10_000, 60)).watch(busy), {
      code: 'timedOut',
      message: 'the server did not finish within 0.06 s; change this',
    });
    clearInterval(timer);
  });

  test('returns the result of the request, and throws its failure', async () => {
    const timeouts = new RequestTimeouts(silent(10_000));
    assert.equal(await timeouts.watch(() => Promise.resolve(7)), 7);
    const failure = new Error('No.');
    await assert.rejects(
      timeouts.watch(() => Promise.reject(failure)),
      failure,
    );
  });

  test('differs from a cancellation by the caller', async () => {
    const abort = new AbortController();
    const watched = new RequestTimeouts(silent(10_000)).watch(silence, abort.signal);
    abort.abort();
    await assert.rejects(watched, CancellationError);
  });

  test('pauses while you are asked, and goes on afterwards', async () => {
    const timeouts = new RequestTimeouts(silent(30));
    const answer = Promise.withResolvers<void>();
    const asking = timeouts.pauseWhile(() => answer.promise);
    const watched = timeouts.watch(silence);
    let isOver = false;
    watched.catch(() => {
      isOver = true;
    });
    // Long after the allowed silence.
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(isOver, false);
    answer.resolve();
    await asking;
    await assert.rejects(watched, { code: 'timedOut' });
  });

  test('pauses until the last of several questions is answered', async () => {
    const timeouts = new RequestTimeouts(silent(30));
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asking = [timeouts.pauseWhile(() => first.promise), timeouts.pauseWhile(() => second.promise)];
    const watched = timeouts.watch(silence);
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

  test('stays paused when progress comes while you are asked', async () => {
    const timeouts = new RequestTimeouts(silent(30));
    const answer = Promise.withResolvers<void>();
    const asking = timeouts.pauseWhile(() => answer.promise);
    const watched = timeouts.watch((signal, onProgress) => {
      onProgress();
      return silence(signal);
    });
    answer.resolve();
    await asking;
    await assert.rejects(watched, { code: 'timedOut' });
  });

  test('goes on when a question fails', async () => {
    const timeouts = new RequestTimeouts(silent(20));
    await assert.rejects(timeouts.pauseWhile(() => Promise.reject(new Error('No panel.'))));
    await assert.rejects(timeouts.watch(silence), { code: 'timedOut' });
  });

  test('does not count the time that the machine sleeps', async () => {
    const clock = new FakeClock();
    let isOver = false;
    const watched = new RequestTimeouts(silent(60_000), clock).watch(silence).catch(() => {
      isOver = true;
    });
    await clock.tick(59_000);
    clock.sleep(8 * 3_600_000);
    await clock.tick(4_000);
    assert.equal(isOver, false);
    await clock.tick(1_000);
    await watched;
    assert.equal(isOver, true);
  });

  test('leaves no timer behind', async () => {
    const clock = new FakeClock();
    await new RequestTimeouts(silent(60_000), clock).watch(() => Promise.resolve());
    assert.equal(clock.pending, 0);
  });
});

suite('The time allowed to a request', () => {
  const definition = legacyServer();

  test('is that of the setting, and ten times as much in all', () => {
    assert.deepEqual(allowedTime(definition, 90_000), {
      silenceMs: 90_000,
      totalMs: 900_000,
      advice: 'you can allow more time in the setting mcpHost.requestTimeout',
    });
  });

  test('is at least ten minutes in all', () => {
    assert.equal(allowedTime(definition, 1_000).totalMs, 600_000);
  });

  test('is that of the definition rather than of the setting', () => {
    assert.deepEqual(allowedTime({ ...definition, timeout: 3_600_000 }, 60_000), {
      silenceMs: 3_600_000,
      totalMs: 36_000_000,
      advice: "you can allow more time with 'timeout' in its definition",
    });
  });
});
