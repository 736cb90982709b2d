import type { ServerId } from '../config/serverDefinition.ts';
import type { Caller } from './caller.ts';

/** The requests to a server. */
export type CallMethod = 'tools/call' | 'resources/read' | 'prompts/get';

/** The same, requests for suggestions while you type, and requests of a server for a language model or to you. */
export const ledgerMethods = [
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'sampling/createMessage',
  'elicitation/create',
] as const;

export type LedgerMethod = (typeof ledgerMethods)[number];

/** Whether a server asks with it, and gets the answer. */
export function isOfServer(method: LedgerMethod | undefined): boolean {
  return method === 'sampling/createMessage' || method === 'elicitation/create';
}

/** Who asks. */
export type LedgerCaller = Caller | { readonly kind: 'server' };

/** Why a request was allowed, or not. */
export const ledgerDecisions = [
  /** The user clicked. */
  'person',
  /** The user was asked, and allowed it. */
  'asked',
  /** An earlier answer of the user. */
  'remembered',
  /** Agent mode asks according to its own settings, which this host can't see. */
  'delegated',
  /** It only reads, according to a server whose claims are trusted. */
  'trusted',
  /** `mcpHost.tools.confirm` asks for nothing. */
  'unasked',
  'denied',
  /** The tool is not the one that was approved, or is not exposed. */
  'heldBack',
  /** The arguments do not fit the tool's schema. */
  'invalid',
  /** The caller cancelled before there was an answer. */
  'withdrawn',
  /** Over a limit of the user or of this host. */
  'limited',
  /** The answer was approved before, for a tool that was run again. */
  'prepared',
] as const;

export type LedgerDecision = (typeof ledgerDecisions)[number];

export const ledgerOutcomes = ['done', 'toolError', 'failed', 'cancelled', 'refused'] as const;

export type LedgerOutcome = (typeof ledgerOutcomes)[number];

/** What is known about a request when it reaches the gate. */
export interface LedgerRequest {
  readonly caller: LedgerCaller;
  readonly serverId: ServerId;
  /** The label of the server. */
  readonly server: string;
  readonly method: LedgerMethod;
  /** The name of the tool or prompt, the URI of the resource, or the name of the model. */
  readonly target: string;
  readonly args?: unknown;
}

/** One request, and what happened to it. */
export interface LedgerEntry extends Omit<LedgerRequest, 'args'> {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The workspace of the window (`Ledger.workspace`); absent before the entry is recorded. */
  readonly workspace?: string;
  readonly decision: LedgerDecision;
  readonly outcome: LedgerOutcome;
  /** Milliseconds from the request to its end, including the time in which the user was asked. */
  readonly durationMs: number;
  /**
   * Bytes of JSON: the parameters that were sent to the server, and the result that was received from it. A large result
   * counts as the message that it came in, which is a few bytes longer.
   */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** What went wrong, in a sentence. */
  readonly problem?: string;
  readonly sampling?: SamplingFigures;
  /** Present if the request ran as a task of its server; `gone` if the server had lost it before its end. */
  readonly task?: 'ended' | 'gone';
  /** How many requests in a row it means; absent if one. */
  readonly count?: number;
}

/** The figures of a request for a model. */
export interface SamplingFigures {
  /** The model that answered, if one did. */
  readonly model?: string;
  /** Estimated. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether the user changed the request, or its answer. */
  readonly isEdited: boolean;
}

/** How a request ended. */
export interface LedgerEnd {
  readonly decision: LedgerDecision;
  readonly outcome: LedgerOutcome;
  readonly result?: unknown;
  readonly problem?: string;
  readonly sampling?: SamplingFigures;
  /** The server no longer has the task that the request had become. */
  readonly isTaskGone?: boolean;
}

/** The task that a request has become, while it runs. */
export interface RunningTask {
  /** `waiting`: its server isn't asked about it, because it isn't running here. */
  readonly status: 'working' | 'input_required' | 'waiting';
  /** What the server says about it. */
  readonly message?: string | undefined;
}
