import { secondsText } from '../../base/text/words.ts';
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
  /** You have to sign in, or to set a token, first, for this reason. */
  | { readonly kind: 'signInRequired'; readonly reason: HostError }
  /** The browser is open, so that you can sign in. */
  | { readonly kind: 'authorizing' }
  | { readonly kind: 'stopped' };

export interface RunningState {
  readonly kind: 'running';
  readonly era: ProtocolEra;
  /** The negotiated revision, for example `2025-11-25`. */
  readonly revision: string;
  /** The process of a stdio server. */
  readonly pid?: number;
}

/** What a program asks you to do before it goes on with its start; all of it is the program's own text. */
export interface StartRequest {
  readonly words: string;
  /** What you open, if it may be opened: see `refusedReason`. */
  readonly address?: WebAddress;
  /** What you enter there. */
  readonly code?: string;
}

export type ConnectionState =
  | IdleState
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
  | { readonly kind: 'stopping' };

/** Whether a server has, or will soon have, a process or a connection. */
export function isActive({ kind }: ConnectionState): boolean {
  switch (kind) {
    case 'starting':
    case 'authorizing':
    case 'running':
    case 'backingOff':
    case 'stopping':
      return true;
    case 'disabled':
    case 'restricted':
    case 'awaitingApproval':
    case 'denied':
    case 'forbidden':
    case 'signInRequired':
    case 'stopped':
    case 'failed':
      return false;
  }
}

/** A state in the log; undefined for a failure, which is logged with its reason when it happens. */
export function stateText(state: ConnectionState): string | undefined {
  switch (state.kind) {
    case 'disabled':
      return 'Disabled.';
    case 'restricted':
      return 'Not started, because the workspace is not trusted.';
    case 'awaitingApproval':
      return 'Waiting for your decision.';
    case 'denied':
      return 'Not allowed.';
    case 'forbidden':
      return `Not started: ${state.reason.message}.`;
    case 'signInRequired':
      return `${state.reason.needs === 'token' ? 'Token' : 'Sign in'} required: ${state.reason.message}.`;
    case 'stopped':
      return 'Stopped.';
    case 'starting':
      return state.asks ? `Waiting for you: ${state.asks.words}` : 'Starting.';
    case 'authorizing':
      return 'Waiting for you to sign in in the browser.';
    case 'running':
      return `Running, revision ${state.revision}.`;
    case 'backingOff':
      return `Waiting ${secondsText(state.until - Date.now())} before the next try.`;
    case 'failed':
      return undefined;
    case 'stopping':
      return 'Stopping.';
  }
}
