import { HostError } from '../../errors/hostError.ts';

export function lostAnswer(cause?: unknown): HostError {
  return new HostError(
    'lost',
    'the connection broke before the server answered; it may or may not have handled the request',
    { cause },
  );
}

/** The failure of a request whose stream could not be opened again. */
export function notResumed(tries: number): HostError {
  return new HostError(
    'lost',
    `the connection broke before the server answered and could not be resumed in ${tries} tries; it may or may not have handled the request`,
  );
}

/**
 * The failure of a request that got status 202, which is for messages without a response (2025-03-26, basic/transports,
 * sending messages to the server): no response will come.
 */
export function onlyAccepted(words: string): HostError {
  const detail = words.trim() === '' ? undefined : words;
  return new HostError(
    'protocol',
    'the server only acknowledged the request (status 202), so no answer will come',
    { detail },
  );
}

/** `words` are those of the server. */
export function lostSession(words?: string): HostError {
  return new HostError('sessionLost', 'the server no longer knows this session', {
    detail: words === undefined ? undefined : `The server says: ${words}`,
  });
}
