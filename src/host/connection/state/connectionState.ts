import type { HostError } from '../../errors/hostError.ts';

/** The two eras of the protocol: up to 2025-11-25 with a handshake, from 2026-07-28 without. */
export type ProtocolEra = 'legacy' | 'modern';

/** Why a server does not run, when nothing went wrong. */
export type IdleState =
  | { readonly kind: 'disabled' }
  /** The workspace is not trusted. */
  | { readonly kind: 'restricted' }
  /** The person has not said yet whether this launch may run. */
  | { readonly kind: 'awaitingApproval' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'stopped' };

export interface RunningState {
  readonly kind: 'running';
  readonly era: ProtocolEra;
  /** The negotiated revision, for example `2025-11-25`. */
  readonly revision: string;
  /** The process of a stdio server. */
  readonly pid?: number;
}

export type ConnectionState =
  | IdleState
  | { readonly kind: 'starting' }
  | { readonly kind: 'authorizing' }
  | RunningState
  | {
      readonly kind: 'backingOff';
      readonly reason: HostError;
      /** The try that comes next, from 1. */
      readonly attempt: number;
      /** When it comes, in milliseconds since the epoch. */
      readonly until: number;
    }
  | { readonly kind: 'failed'; readonly reason: HostError }
  | { readonly kind: 'stopping' };

/** True while a server has, or is about to have, a process or a connection. */
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
    case 'stopped':
    case 'failed':
      return false;
  }
}
