import { failureWord } from '../connection/failures/failureWord.ts';
import type { HostError } from '../errors/hostError.ts';
import type { ConnectionState } from '../state/connectionState.ts';

/** A server's state in a word or two, for rows, lists and screen readers; `now` in milliseconds. */
export function stateWord(state: ConnectionState, now = Date.now()): string {
  switch (state.kind) {
    case 'disabled':
      return 'disabled';
    case 'restricted':
      return 'workspace not trusted';
    case 'awaitingApproval':
      return 'needs approval';
    case 'denied':
      return 'denied';
    case 'forbidden':
      return state.reason.word ?? 'not allowed';
    case 'signInRequired':
      return requiredWord(state.reason);
    case 'stopped':
      return 'stopped';
    case 'starting':
      return state.asks ? 'waiting for you' : 'starting…';
    case 'authorizing':
      return 'waiting for the browser…';
    case 'running':
      return 'running';
    case 'backingOff':
      return retryWord(state.until - now);
    case 'failed':
      return `failed: ${failureWord(state.reason)}`;
    case 'stopping':
      return 'stopping…';
  }
}

/** What a server requires of you before it can run. */
export function requiredWord({ needs, word }: HostError): string {
  return needs === 'token' && word !== undefined ? word : 'sign in required';
}

function retryWord(left: number): string {
  const seconds = Math.ceil(left / 1_000);
  return seconds > 0 ? `retrying in ${seconds} s` : 'retrying…';
}
