import { counted } from '../../base/words.ts';
import { failureWord } from '../../host/connection/failures/failureWord.ts';
import type { ConnectionState } from '../../host/connection/state/connectionState.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';

/** A server's state in a word or two, as rows, lists and a screen reader say it; `now` in milliseconds. */
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
    case 'stopped':
      return 'stopped';
    case 'starting':
      return 'starting…';
    case 'authorizing':
      return 'signing in…';
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

function retryWord(left: number): string {
  const seconds = Math.ceil(left / 1_000);
  return seconds > 0 ? `retrying in ${seconds} s` : 'retrying…';
}

/** How long a start has been waiting for its server, in steps of five seconds. */
function startingWord({ since, runner }: StartWaiting, now = Date.now()): string {
  const seconds = Math.floor((now - since) / 5_000) * 5;
  if (seconds < 5) {
    return 'starting…';
  }
  const waited = `starting for ${seconds} s`;
  return runner === undefined ? waited : `${waited} · ${runner} may be downloading`;
}

type StartWaiting = NonNullable<ServerConnection['startWait']>;

/** What a closed row says of a server besides its state. */
export interface ServerFacts {
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  /** Tools that have changed and wait for a review. */
  readonly heldBack: number;
  /** The instructions have changed and wait for a review. */
  readonly areInstructionsHeldBack: boolean;
  /** Folders that were withdrawn and that the server may still use. */
  readonly lingering: number;
  /** Problems of the definition. */
  readonly problems: number;
  /** Some list was too long to be read to its end. */
  readonly isCut: boolean;
  /** It says again and again that a list has changed. */
  readonly repeatsItself: boolean;
  /** Since when a start has been waiting for the server. */
  readonly startWait?: StartWaiting | undefined;
}

/** The description of a server's row: what it offers while it runs, otherwise its state, then what needs a look. */
export function serverWord(state: ConnectionState, facts: ServerFacts, now?: number): string {
  return [
    firstWord(state, facts, now),
    ...(facts.heldBack > 0 ? [`${facts.heldBack} held back`] : []),
    ...(facts.areInstructionsHeldBack ? ['instructions held back'] : []),
    ...(facts.lingering > 0 ? ['needs a restart'] : []),
    ...(facts.isCut ? ['list cut short'] : []),
    ...(facts.repeatsItself ? ['repeats itself'] : []),
    ...(facts.problems > 0 ? [counted(facts.problems, 'problem')] : []),
  ].join(' · ');
}

function firstWord(state: ConnectionState, facts: ServerFacts, now?: number): string {
  if (state.kind === 'running') {
    return offeredWord(facts);
  }
  return state.kind === 'starting' && facts.startWait
    ? startingWord(facts.startWait, now)
    : stateWord(state, now);
}

function offeredWord({ tools, prompts, resources }: ServerFacts): string {
  if (tools > 0) {
    return counted(tools, 'tool');
  }
  const others = [
    ...(resources > 0 ? [counted(resources, 'resource')] : []),
    ...(prompts > 0 ? [counted(prompts, 'prompt')] : []),
  ];
  return others.length > 0 ? others.join(' · ') : 'running';
}
