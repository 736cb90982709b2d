import { isRecord } from '../../base/values/record.ts';
import {
  isBoolean,
  isFiniteNumber,
  isInteger,
  isOneOf,
  isOptional,
  isShape,
  isString,
  type Guard,
  type Shape,
} from '../../base/values/shape.ts';
import type { Caller } from './caller.ts';

/** The requests to a server. */
export type CallMethod = 'tools/call' | 'resources/read' | 'prompts/get';

/** The same, requests for suggestions while you type, and requests of a server for a language model or to you. */
const ledgerMethods = [
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

export function isCaller(caller: unknown): caller is LedgerCaller {
  if (!isRecord(caller)) {
    return false;
  }
  switch (caller['kind']) {
    case 'extension':
      return typeof caller['id'] === 'string' && typeof caller['label'] === 'string';
    case 'chat':
      return typeof caller['isInChat'] === 'boolean';
    default:
      return ['person', 'agentMode', 'server'].includes(String(caller['kind']));
  }
}

/** Why a request was allowed, or not. */
const ledgerDecisions = [
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

export const isDecision: Guard<LedgerDecision> = isOneOf(ledgerDecisions);

const ledgerOutcomes = ['done', 'toolError', 'failed', 'cancelled', 'refused'] as const;

export type LedgerOutcome = (typeof ledgerOutcomes)[number];

/** The figures of a request for a model. */
const samplingFields = {
  /** The model that answered, if one did. */
  model: isOptional(isString),
  /** Estimated. */
  inputTokens: isFiniteNumber,
  outputTokens: isFiniteNumber,
  /** Whether the user changed the request, or its answer. */
  isEdited: isBoolean,
};

export type SamplingFigures = Shape<typeof samplingFields>;

const requestFields = {
  caller: isCaller,
  serverId: isString,
  /** The label of the server. */
  server: isString,
  method: isOneOf(ledgerMethods),
  /** The name of the tool or prompt, the URI of the resource, or the name of the model. */
  target: isString,
};

const endFields = {
  decision: isDecision,
  outcome: isOneOf(ledgerOutcomes),
  /** What went wrong, in a sentence. */
  problem: isOptional(isString),
  sampling: isOptional(isShape(samplingFields)),
};

const entryFields = {
  ...requestFields,
  ...endFields,
  id: isString,
  /** Milliseconds since the epoch. */
  at: isFiniteNumber,
  /** The workspace of the window (`Ledger.workspace`); absent before the entry is recorded. */
  workspace: isOptional(isString),
  /** Milliseconds from the request to its end, including the time in which the user was asked. */
  durationMs: isFiniteNumber,
  /**
   * Bytes of JSON: the parameters that were sent to the server, and the result that was received from it. A large result
   * counts as the message that it came in, which is a few bytes longer.
   */
  sentBytes: isFiniteNumber,
  receivedBytes: isFiniteNumber,
  /** Present if the request ran as a task of its server; `gone` if the server had lost it before its end. */
  task: isOptional(isOneOf(['ended', 'gone'] as const)),
  /** How many requests in a row it means; absent if one. */
  count: isOptional(isInteger),
};

/** What is known about a request when it reaches the gate. */
export type LedgerRequest = Shape<typeof requestFields> & { readonly args?: unknown };

/** How a request ended. */
export type LedgerEnd = Shape<typeof endFields> & {
  readonly result?: unknown;
  /** The server no longer has the task that the request had become. */
  readonly isTaskGone?: boolean;
};

/** One request, and what happened to it. */
export type LedgerEntry = Shape<typeof entryFields>;

export const isEntry: Guard<LedgerEntry> = isShape(entryFields);

/** The task that a request has become, while it runs. */
export interface RunningTask {
  /** `waiting`: its server isn't asked about it, because it isn't running here. */
  readonly status: 'working' | 'input_required' | 'waiting';
  /** What the server says about it. */
  readonly message?: string | undefined;
}
