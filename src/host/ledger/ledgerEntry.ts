import type { ServerId } from '../config/serverDefinition.ts';
import type { Caller } from './caller.ts';

/** What is asked of a server. */
export type CallMethod = 'tools/call' | 'resources/read' | 'prompts/get';

/** That, what is asked while somebody types an argument, or what a server asks of a language model. */
export type LedgerMethod = CallMethod | 'completion/complete' | 'sampling/createMessage';

/** Who asks. */
export type LedgerCaller = Caller | { readonly kind: 'server' };

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
  | 'withdrawn'
  /** Over a limit of the person's, or of this host's. */
  | 'limited'
  /** The answer was approved before, for a tool that was run again. */
  | 'prepared';

export type LedgerOutcome = 'done' | 'toolError' | 'failed' | 'cancelled' | 'refused';

/** What is known of a request when it comes to the gate. */
export interface LedgerRequest {
  readonly caller: LedgerCaller;
  readonly serverId: ServerId;
  /** What the server is called before the person. */
  readonly server: string;
  readonly method: LedgerMethod;
  /** The tool's name, the resource's URI, the prompt's name, or what the model is called that was asked. */
  readonly target: string;
  readonly args?: unknown;
}

/** One request, and what happened to it. */
export interface LedgerEntry extends Omit<LedgerRequest, 'args'> {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The workspace of the window that it came through (`Ledger.workspace`); earlier versions did not keep it. */
  readonly workspace?: string;
  readonly decision: LedgerDecision;
  readonly outcome: LedgerOutcome;
  /** Milliseconds from the request to its end, the time for which the person was asked included. */
  readonly durationMs: number;
  /** Bytes of JSON sent to the server, and received from it. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** What went wrong, in a sentence. */
  readonly problem?: string;
  readonly sampling?: SamplingFigures;
  /** How many requests in a row it stands for; absent where that is one. */
  readonly count?: number;
}

/** What a request for a model came to. */
export interface SamplingFigures {
  /** The model that answered; none when it did not come to that. */
  readonly model?: string;
  /** Estimated. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether the person changed the request, or its answer. */
  readonly isEdited: boolean;
}

/** How a request ended. */
export interface LedgerEnd {
  readonly decision: LedgerDecision;
  readonly outcome: LedgerOutcome;
  readonly result?: unknown;
  readonly problem?: string;
  readonly sampling?: SamplingFigures;
}
