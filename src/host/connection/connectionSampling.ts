import { setImmediate } from 'node:timers/promises';
import type { SamplingResult, SamplingSource } from './samplingSource.ts';
import type { PersonPause } from './requests/requestWatchdog.ts';
import type { RequestsInFlight } from './requests/requestsInFlight.ts';
import type { SessionContext } from './sessionContext.ts';

/** How one server comes by the editor's language models. */
export interface ConnectionSampling {
  /** Whether it is told that it may ask; asked right before each launch. */
  isOffered(): boolean;
  /** @throws SamplingFailure. */
  createMessage(request: Omit<SamplingSource, 'server'>, params: unknown): Promise<SamplingResult>;
}

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
