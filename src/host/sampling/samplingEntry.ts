import type { ServerId } from '../config/serverDefinition.ts';
import type { SamplingFailure, SamplingFailureKind } from '../errors/samplingFailure.ts';
import type { Ledger, OpenEntry } from '../ledger/ledger.ts';
import type { LedgerDecision, LedgerEnd, SamplingFigures } from '../ledger/ledgerEntry.ts';
import type { AskingServer } from '../questions/question.ts';
import type { SamplingPart, SamplingRequest } from './request/samplingRequest.ts';

/** Where requests for a model are recorded. */
export interface EntryParts {
  readonly ledger: Pick<Ledger, 'begin'>;
  /** Values that a server was given, which are never written. */
  readonly secretsOf?: (id: ServerId) => Iterable<string>;
}

/** One request for a model in the activity. */
export class SamplingEntry {
  readonly #parts: EntryParts;
  readonly #id: ServerId;
  readonly #entry: OpenEntry;
  decision: LedgerDecision = 'withdrawn';
  figures: SamplingFigures = { inputTokens: 0, outputTokens: 0, isEdited: false };

  /** `cancel` is called when you cancel the request in the activity. */
  constructor(
    parts: EntryParts,
    { definition, label }: AskingServer,
    request: SamplingRequest | undefined,
    cancel: () => void,
  ) {
    this.#parts = parts;
    this.#id = definition.id;
    this.#entry = parts.ledger.begin(
      {
        caller: { kind: 'server' },
        serverId: definition.id,
        server: label,
        method: 'sampling/createMessage',
        target: 'no model',
        ...(request && { args: recordedRequest(request) }),
      },
      cancel,
    );
  }

  /** Records a request that was refused before it was read. */
  static refused(parts: EntryParts, server: AskingServer, { kind, message }: SamplingFailure): void {
    const [decision, outcome] = endOf(kind, 'withdrawn');
    new SamplingEntry(parts, server, undefined, () => {}).#end({ decision, outcome, problem: message });
  }

  /** The request goes to a model now. */
  sent(): void {
    this.#entry.sent();
  }

  /** The request waits for you again, with an answer or a problem. */
  asksPerson(): void {
    this.#entry.asksPerson();
  }

  succeeded(result: unknown): void {
    this.#end({ decision: this.decision, outcome: 'done', result, sampling: this.figures });
  }

  failed({ kind, message }: SamplingFailure): void {
    const [decision, outcome] = endOf(kind, this.decision);
    this.#end({ decision, outcome, problem: message, sampling: this.figures });
  }

  #end(end: LedgerEnd): void {
    this.#entry.end(end, this.#parts.secretsOf?.(this.#id) ?? []);
  }
}

function endOf(
  kind: SamplingFailureKind,
  decision: LedgerDecision,
): readonly [LedgerDecision, LedgerEnd['outcome']] {
  switch (kind) {
    case 'rejected':
      return ['denied', 'refused'];
    case 'malformed':
      return ['invalid', 'refused'];
    case 'limited':
      return ['limited', 'refused'];
    case 'noModel':
    case 'model':
      return [decision, 'failed'];
    case 'over':
      return [decision, 'cancelled'];
  }
}

/** A request as the activity keeps it: images by their size. */
function recordedRequest(request: SamplingRequest): unknown {
  const { messages, tools, stopSequences, hints, toolChoice, wantsContext, ...rest } = request;
  return {
    ...rest,
    ...(stopSequences.length > 0 && { stopSequences }),
    ...(hints.length > 0 && { hints }),
    ...(tools.length > 0 && { tools, toolChoice }),
    ...(wantsContext && { wantsContext }),
    messages: messages.map(({ role, content }) => ({ role, content: content.map(recordedPart) })),
  };
}

function recordedPart(part: SamplingPart): unknown {
  switch (part.kind) {
    case 'image':
      return { kind: part.kind, mimeType: part.mimeType, bytes: Math.floor((part.data.length * 3) / 4) };
    case 'toolResult':
      return { ...part, content: part.content.map(recordedPart) };
    case 'text':
    case 'toolUse':
      return part;
  }
}
