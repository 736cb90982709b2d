import { setImmediate } from 'node:timers/promises';
import type { ConnectionSampling } from './samplingSource.ts';
import type { PersonPause } from './requests/requestWatchdog.ts';
import type { RequestsInFlight } from './requests/requestsInFlight.ts';
import type { SessionContext } from './sessionContext.ts';

/**
 * What answers a server's requests for a language model, with what it works on for us as the likely reason. No
 * request of ours runs out of time meanwhile; undefined for a server that is not told that it may ask.
 */
export function answering(
  sampling: ConnectionSampling | undefined,
  inFlight: RequestsInFlight,
  pause: PersonPause,
): SessionContext['createMessage'] {
  return sampling?.isOffered() === true
    ? (request, params) =>
        pause.whileAsking(async () => {
          // A call whose answer came right before this has not settled yet, and is no reason any more.
          await setImmediate();
          return sampling.createMessage({ ...request, requests: inFlight.all }, params);
        })
    : undefined;
}
