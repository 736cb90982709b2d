import type { WebAddress } from '../addresses/webAddress.ts';
import type { HostError } from '../errors/hostError.ts';

/** The two eras of the protocol: up to 2025-11-25 with a handshake, from 2026-07-28 without. */
export type ProtocolEra = 'legacy' | 'modern';

/** Why a server does not run although nothing went wrong. */
export type IdleState =
  | { readonly kind: 'disabled' }
  /** The workspace is not trusted. */
  | { readonly kind: 'restricted' }
  /** You have not yet decided whether this launch may run. */
  | { readonly kind: 'awaitingApproval' }
  | { readonly kind: 'denied' }
  /** A setting of the editor doesn't let it run: which one, and why. */
  | { readonly kind: 'forbidden'; readonly reason: HostError }
  | { readonly kind: 'stopped' };

/** How you would sign in, as far as it is shown. */
export interface OfferedSignIn {
  readonly issuer: string;
  /** How MCP Host is, or will be, known there; see `PlannedClient`. */
  readonly oauthClient: 'preRegistered' | 'metadataDocument' | 'known' | 'register' | 'editor';
  /** The issuer has refused scopes, and whether they are no longer asked for. */
  readonly refused?: { readonly isLeftOut: boolean };
}

/** Where the sign-in to a server is, from what the server requires until there is an account. */
export type SignInState =
  /** You have to sign in, or to grant more; MCP Host finds out how. */
  | { readonly kind: 'finding'; readonly reason: HostError }
  /** You can sign in as offered; without an offer, `reason` says why you can't. */
  | {
      readonly kind: 'required';
      readonly reason: HostError;
      readonly offer?: OfferedSignIn;
      /** You ended a sign-in at an issuer that should know MCP Host: its page may have said that it doesn't. */
      readonly mayBeUnknown?: true;
    }
  /** MCP Host prepares the sign-in, or exchanges its answer. */
  | { readonly kind: 'working' }
  | {
      readonly kind: 'inBrowser';
      readonly offer: OfferedSignIn;
      /** The address at which you sign in. */
      readonly address: string;
      /** Whether the editor opened it. */
      readonly isOpened: boolean;
    };

export interface RunningState {
  readonly kind: 'running';
  readonly era: ProtocolEra;
  /** The negotiated revision, for example `2025-11-25`. */
  readonly revision: string;
  /** The process of a stdio server. */
  readonly pid?: number;
  /** Counts how often the server has reached this state. */
  readonly run: number;
}

/** What a program asks you to do before it goes on with its start; all of it is the program's own text. */
export interface StartRequest {
  readonly words: string;
  /** What you open, if it may be opened: see `refusedReason`. */
  readonly address?: WebAddress;
  /** What you enter there. */
  readonly code?: string;
}

/** What a server does; and its sign-in, where it requires one: also of a server that runs, or has failed since. */
export type ConnectionState = (
  | IdleState
  /** You have to sign in, or to set a token, first, for this reason. */
  | { readonly kind: 'signInRequired'; readonly reason: HostError }
  /** You are signing in, and the server starts afterwards. */
  | { readonly kind: 'authorizing' }
  | { readonly kind: 'starting'; readonly asks?: StartRequest }
  | RunningState
  | {
      readonly kind: 'backingOff';
      readonly reason: HostError;
      /** The number of the next try, from 1. */
      readonly attempt: number;
      /** When it starts, in milliseconds since the epoch. */
      readonly until: number;
    }
  | { readonly kind: 'failed'; readonly reason: HostError }
  | { readonly kind: 'stopping' }
) & { readonly signIn?: SignInState };

/** The state with another sign-in: it decides whether a server waits for you, or for the browser. */
export function withSignIn(state: ConnectionState, signIn: SignInState | undefined): ConnectionState {
  if (isIdle(state) || state.signIn === signIn) {
    return state;
  }
  const { signIn: _before, ...rest } = state;
  if (!signIn) {
    return rest;
  }
  const isWaiting = rest.kind === 'signInRequired' || rest.kind === 'authorizing';
  if (isWaiting && 'reason' in signIn) {
    return { kind: 'signInRequired', reason: signIn.reason, signIn };
  }
  return { ...(isWaiting ? { kind: 'authorizing' } : rest), signIn };
}

/** Whether a server is stopped, or may not run: then it requires no sign-in. */
export function isIdle(state: ConnectionState): state is IdleState {
  switch (state.kind) {
    case 'disabled':
    case 'restricted':
    case 'awaitingApproval':
    case 'denied':
    case 'forbidden':
    case 'stopped':
      return true;
    case 'signInRequired':
    case 'authorizing':
    case 'starting':
    case 'running':
    case 'backingOff':
    case 'failed':
    case 'stopping':
      return false;
  }
}

/** Whether a server still runs as in the state `before`, whatever has become of its sign-in. */
export function isSameRun(state: ConnectionState, before: ConnectionState | undefined): boolean {
  return state.kind === 'running' && before?.kind === 'running' && state.run === before.run;
}

/** Whether a server has, or will soon have, a process or a connection. */
export function isActive(state: ConnectionState): boolean {
  return !isIdle(state) && state.kind !== 'signInRequired' && state.kind !== 'failed';
}

/** Whether you have to sign in, or to grant more, and have not begun to. */
export function isRequired(
  signIn: SignInState | undefined,
): signIn is Extract<SignInState, { readonly reason: HostError }> {
  return signIn?.kind === 'finding' || signIn?.kind === 'required';
}
