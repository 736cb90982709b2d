import assert from 'node:assert/strict';
import { CancellationError } from '../../../../../src/base/cancellation.ts';
import { allowedTime, type AllowedTime } from '../../../../../src/host/connection/requests/allowedTime.ts';
import { PersonPause } from '../../../../../src/host/connection/requests/requestWatchdog.ts';
import { legacyServer } from '../../../support/definitions.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

/** A request that is never answered; it ends when it is told to. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function silent(silenceMs: number, totalMs = 60_000): AllowedTime {
  return { silenceMs, totalMs, advice: 'this allows more' };
}

suite('The watchdog of a request', () => {
  test('ends it after the silence allowed', async () => {
    await assert.rejects(new PersonPause().watch(silent(20), silence), {
      name: 'HostError',
      code: 'timedOut',
      message: 'the server did not answer within 0.02 s; this allows more',
    });
  });

  test('ends it after the time allowed in all, however much progress it makes', async () => {
    let timer: NodeJS.Timeout | undefined;
    const busy = (signal: AbortSignal, onProgress: () => void): Promise<never> => {
      timer = setInterval(onProgress, 5);
      return silence(signal);
    };
    await assert.rejects(new PersonPause().watch(silent(10_000, 60), busy), {
      code: 'timedOut',
      message: 'the server did not finish within 0.06 s; this allows more',
    });
    clearInterval(timer);
  });

  test('gives what the request gives, and throws what it throws', async () => {
    const pause = new PersonPause();
    assert.equal(await pause.watch(silent(10_000), () => Promise.resolve(7)), 7);
    const failure = new Error('No.');
    await assert.rejects(
      pause.watch(silent(10_000), () => Promise.reject(failure)),
      failure,
    );
  });

  test('tells the caller’s own cancellation apart', async () => {
    const abort = new AbortController();
    const watched = new PersonPause().watch(silent(10_000), silence, abort.signal);
    abort.abort();
    await assert.rejects(watched, CancellationError);
  });

  test('stands still while the person is asked, and goes on afterwards', async () => {
    const pause = new PersonPause();
    const answer = Promise.withResolvers<void>();
    const asking = pause.whileAsking(() => answer.promise);
    const watched = pause.watch(silent(30), silence);
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
    const watched = pause.watch(silent(30), silence);
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
    const watched = pause.watch(silent(30), (signal, onProgress) => {
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
    await assert.rejects(pause.watch(silent(20), silence), { code: 'timedOut' });
  });

  test('does not count the time that the machine sleeps', async () => {
    const clock = new FakeClock();
    let isOver = false;
    const watched = new PersonPause(clock).watch(silent(60_000), silence).catch(() => {
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
    await new PersonPause(clock).watch(silent(60_000), () => Promise.resolve());
    assert.equal(clock.pending, 0);
  });
});

suite('The time allowed to a request', () => {
  const definition = legacyServer();

  test('is that of the setting, and ten times as much in all', () => {
    assert.deepEqual(allowedTime(definition, 90_000), {
      silenceMs: 90_000,
      totalMs: 900_000,
      advice: 'the setting mcpHost.requestTimeout allows more',
    });
  });

  test('is ten minutes in all, at least', () => {
    assert.equal(allowedTime(definition, 1_000).totalMs, 600_000);
  });

  test('is that of the definition before that of the setting', () => {
    assert.deepEqual(allowedTime({ ...definition, timeout: 3_600_000 }, 60_000), {
      silenceMs: 3_600_000,
      totalMs: 36_000_000,
      advice: "a higher 'timeout' in its definition allows more",
    });
  });
});
