import { toDisposable, type Disposable } from '../../base/lifetime/disposable.ts';
import type { SamplingSource } from '../connection/samplingSource.ts';

/**
 * Calls `end` with the reason when nobody waits for the answer to a server's request any longer: the server gave up,
 * its session ended, or everything that it worked on has. `askedAt` and `now` are in milliseconds.
 */
export function whenOver(
  { signal, ended, requests, server }: SamplingSource,
  askedAt: number,
  now: () => number,
  end: (sentence: string) => void,
): Disposable {
  const { label } = server();
  const check = (): void => {
    const seconds = Math.round((now() - askedAt) / 1_000);
    if (ended.aborted) {
      end(`'${label}' has stopped; it had waited for ${seconds} s.`);
    } else if (signal.aborted) {
      end(`'${label}' stopped waiting after ${seconds} s.`);
    } else if (requests.length > 0 && requests.every((request) => request.ended.aborted)) {
      end(`What '${label}' was working on ended after ${seconds} s.`);
    }
  };
  const watched = [signal, ended, ...requests.map((request) => request.ended)];
  watched.forEach((one) => one.addEventListener('abort', check));
  check();
  return toDisposable(() => watched.forEach((one) => one.removeEventListener('abort', check)));
}
