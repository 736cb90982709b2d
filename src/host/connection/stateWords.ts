import { capitalized, secondsText } from '../../base/text/words.ts';
import { HostError } from '../errors/hostError.ts';
import type { ConnectionState, SignInState } from '../state/connectionState.ts';
import { failureWord } from './failures/failureWord.ts';

/** What a state is called, wherever it is shown. */
interface StateWords {
  /** A word or two, for rows, lists and screen readers. */
  readonly word: string;
  /** In the log; undefined for a failure, which is logged with its reason when it happens. */
  readonly logged?: string;
  /** What a server does that doesn't do what you want, after its name. */
  readonly predicate: string;
  /** What you can do about that in the view "MCP Host"; undefined if you can only wait. */
  readonly advice?: string;
}

const START = 'Start it in the view "MCP Host".';
const DECIDE = 'Decide about it in the view "MCP Host".';

/** The words of a server's state; `now` in milliseconds since the epoch. */
export function stateWords(state: ConnectionState, now = Date.now()): StateWords {
  switch (state.kind) {
    case 'disabled':
      return { word: 'disabled', logged: 'Disabled.', predicate: 'is disabled', advice: START };
    case 'restricted':
      return {
        word: 'workspace not trusted',
        logged: 'Not started, because the workspace is not trusted.',
        predicate: "isn't running, because the workspace isn't trusted",
        advice: 'Trust the workspace to let it start.',
      };
    case 'awaitingApproval':
      return {
        word: 'needs approval',
        logged: 'Waiting for your decision.',
        predicate: 'is waiting for your decision',
        advice: DECIDE,
      };
    case 'denied':
      return { word: 'denied', logged: 'Not allowed.', predicate: "isn't allowed to run", advice: DECIDE };
    case 'forbidden':
      return {
        word: state.reason.word ?? 'not allowed',
        logged: `Not started: ${state.reason.message}.`,
        predicate: `isn't allowed to run: ${clause(state.reason)}`,
      };
    case 'signInRequired': {
      const isToken = state.reason.needs === 'token';
      return {
        word: requiredWord(state.reason),
        logged: `${isToken ? 'Token' : 'Sign in'} required: ${state.reason.message}.`,
        predicate: `isn't running: ${clause(state.reason)}`,
        advice: `${isToken ? 'Set its token' : 'Sign in'} in the view "MCP Host".`,
      };
    }
    case 'authorizing':
      return {
        word: state.signIn ? signInWords(state.signIn).word : 'signing in…',
        logged: 'Waiting for you to sign in in the browser.',
        predicate: 'is waiting for you to sign in',
      };
    case 'stopped':
      return { word: 'stopped', logged: 'Stopped.', predicate: 'is stopped', advice: START };
    case 'starting':
      return {
        word: state.asks ? 'waiting for you' : 'starting…',
        logged: state.asks ? `Waiting for you: ${state.asks.words}` : 'Starting.',
        predicate: 'is starting',
      };
    case 'running':
      return {
        word: 'running',
        logged: `Running, revision ${state.revision}.`,
        predicate: 'did not answer',
      };
    case 'backingOff':
      return {
        word: retryWord(state.until - now),
        logged: `Waiting ${secondsText(state.until - now)} before the next try.`,
        predicate: `has failed: ${clause(state.reason)}`,
      };
    case 'failed':
      return {
        word: `failed: ${failureWord(state.reason)}`,
        predicate: `has failed: ${clause(state.reason)}`,
        advice: START,
      };
    case 'stopping':
      return { word: 'stopping…', logged: 'Stopping.', predicate: 'is stopping' };
  }
}

/** What a sign-in is called: in the row of its server, and in a row of its own. */
export function signInWords(signIn: SignInState): { readonly word: string; readonly label: string } {
  switch (signIn.kind) {
    case 'finding':
      return { word: requiredWord(signIn.reason), label: 'Finding out how you sign in…' };
    case 'required':
      return { word: requiredWord(signIn.reason), label: capitalized(causeWord(signIn)) };
    case 'working':
      return { word: 'signing in…', label: 'Signing in…' };
    case 'inBrowser':
      return {
        word: 'waiting for the browser…',
        label: signIn.isOpened ? 'Waiting for the browser' : 'Open the address yourself',
      };
  }
}

/** What you do so that a server runs. */
export function cureFor(state: ConnectionState): 'setToken' | 'signIn' | 'startServer' {
  if (state.kind !== 'signInRequired') {
    return 'startServer';
  }
  return state.reason.needs === 'token' ? 'setToken' : 'signIn';
}

/** The same at the beginning of a sentence about the server. */
export const cureWords = {
  setToken: 'Set its token',
  signIn: 'Sign in to it',
  startServer: 'Start it',
} as const;

/** What a server requires of you before it can run. */
function requiredWord({ needs, word }: HostError): string {
  return needs === 'token' && word !== undefined ? word : 'sign in required';
}

/** What is required, or why your last try failed. */
function causeWord({ reason, offer }: Extract<SignInState, { readonly kind: 'required' }>): string {
  const { word, cause } = reason;
  if (word !== undefined || cause === undefined) {
    return word ?? 'sign in required';
  }
  if (cause instanceof HostError && cause.code === 'unreachable') {
    return 'not reachable';
  }
  return offer ? 'sign-in failed' : "can't sign in";
}

function retryWord(left: number): string {
  const seconds = Math.ceil(left / 1_000);
  return seconds > 0 ? `retrying in ${seconds} s` : 'retrying…';
}

function clause({ message }: HostError): string {
  return message.trim().replace(/\.$/, '');
}
