import type { ServerId } from '../config/serverDefinition.ts';
import type { Door } from '../gate/door.ts';

export type LedgerMethod = 'tools/call' | 'resources/read' | 'prompts/get';

/** Why a request was let through, or not. */
export type LedgerDecision =
  /** A click of the person's own. */
  | 'person'
  /** The person was asked, and let it through. */
  | 'asked'
  /** By an earlier answer. */
  | 'remembered'
  /** Agent mode asks by its own settings, which this host cannot see. */
  | 'delegated'
  /** A read of a server whose claims are trusted. */
  | 'trusted'
  /** By `mcpHost.tools.confirm`. */
  | 'unasked'
  | 'denied'
  /** The tool is not what was approved, or is not exposed. */
  | 'heldBack'
  /** The arguments do not fit the tool's schema. */
  | 'invalid'
  /** Whoever asked gave up before there was an answer. */
  | 'withdrawn';

export type LedgerOutcome = 'done' | 'toolError' | 'failed' | 'cancelled' | 'refused';

/** What is known of a request when it comes to the gate. */
export interface LedgerRequest {
  readonly door: Door;
  readonly serverId: ServerId;
  /** What the server is called before the person. */
  readonly server: string;
  readonly method: LedgerMethod;
  /** The tool's name, the resource's URI, or the prompt's name. */
  readonly target: string;
  readonly args?: unknown;
}

/** One request through a door, and what became of it. */
export interface LedgerEntry extends Omit<LedgerRequest, 'args'> {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly decision: LedgerDecision;
  readonly outcome: LedgerOutcome;
  /** Milliseconds from the request to its end, the time for which the person was asked included. */
  readonly durationMs: number;
  /** Bytes of JSON sent to the server, and received from it. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** What went wrong, in a sentence. */
  readonly problem?: string;
}

/** How a request ended. */
export interface LedgerEnd {
  readonly decision: LedgerDecision;
  readonly outcome: LedgerOutcome;
  readonly result?: unknown;
  readonly problem?: string;
}
