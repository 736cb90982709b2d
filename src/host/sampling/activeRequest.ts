import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { SamplingSource } from '../connection/samplingSource.ts';
import { messageOf } from '../errors/hostError.ts';
import { rejected, SamplingFailure, type SamplingFailureKind } from '../errors/samplingFailure.ts';
import type { OpenEntry } from '../ledger/ledger.ts';
import type { LedgerDecision, LedgerEnd, SamplingFigures } from '../ledger/ledgerEntry.ts';
import { whenOver } from '../limits/requestEnd.ts';
import type { AskingServer } from '../questions/question.ts';
import type { SamplingOccasion, SamplingPart, SamplingRequest } from './request/samplingRequest.ts';
import type { SamplingParts } from './samplingAccess.ts';

/** Where requests for a model are recorded. */
type Recording = Pick<SamplingParts, 'ledger' | 'secretsOf'>;

/**
 * A request that is being answered: until the server gives up, its session ends, everything that it worked on has
 * ended, or the request is cancelled. It is an entry of the activity.
 */
export class ActiveRequest implements Disposable {
  readonly source: SamplingSource;
  /** As it was called when it asked. */
  readonly server: AskingServer;
  readonly occasion: SamplingOccasion;
  readonly request: SamplingRequest;
  readonly askedAt: number;
  readonly entry: OpenEntry;
  decision: LedgerDecision = 'withdrawn';
  figures: SamplingFigures = { inputTokens: 0, outputTokens: 0, isEdited: false };
  readonly #recording: Recording;
  readonly #over = new AbortController();
  readonly #cancelled = new AbortController();
  /** Aborts when the request ends without an answer. */
  readonly signal = AbortSignal.any([this.#over.signal, this.#cancelled.signal]);
  readonly #listening: Disposable;

  constructor(source: SamplingSource, request: SamplingRequest, recording: Recording, now: () => number) {
    this.source = source;
    this.server = source.server();
    this.occasion = source.requests.length > 0 ? 'inCall' : 'unasked';
    this.request = request;
    this.askedAt = now();
    this.#recording = recording;
    // You cancel the request in the activity.
    this.entry = begin(recording, this.server, recordedRequest(request), () => this.cancel());
    // A second abort does nothing: the first reason stays.
    this.#listening = whenOver(source, this.askedAt, now, (sentence) =>
      this.#over.abort(new SamplingFailure('over', sentence)),
    );
  }

  /** Why nobody waits for an answer any longer; undefined while the server waits. */
  get over(): SamplingFailure | undefined {
    return this.#over.signal.aborted ? (this.#over.signal.reason as SamplingFailure) : undefined;
  }

  /** Refuses the request: you cancelled it in the activity, or denied the server model access. */
  cancel(): void {
    this.#cancelled.abort();
  }

  /** @throws SamplingFailure `over`. */
  throwIfOver(): void {
    if (this.over) {
      throw this.over;
    }
  }

  succeeded(result: unknown): void {
    this.#end({ decision: this.decision, outcome: 'done', result });
  }

  /** Ends with whatever was thrown while the request was answered; gives the failure that the server gets. */
  failed(error: unknown): SamplingFailure {
    const failure = this.#failureOf(error);
    this.#end(endOf(failure, this.decision));
    return failure;
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #end(end: LedgerEnd): void {
    const secrets = this.#recording.secretsOf?.(this.server.definition.id) ?? [];
    this.entry.end({ ...end, sampling: this.figures }, secrets);
  }

  #failureOf(error: unknown): SamplingFailure {
    if (this.over) {
      return new SamplingFailure('over', this.over.message, { cause: error });
    }
    if (this.#cancelled.signal.aborted) {
      return rejected();
    }
    if (error instanceof SamplingFailure) {
      return error;
    }
    const words =
      error instanceof CancellationError
        ? 'The language model was cancelled'
        : messageOf(error) || 'The language model failed';
    return new SamplingFailure('model', words, { cause: error });
  }
}

/** Records a request that was refused before it was read. */
export function recordRefused(recording: Recording, server: AskingServer, failure: SamplingFailure): void {
  const secrets = recording.secretsOf?.(server.definition.id) ?? [];
  begin(recording, server, undefined, () => {}).end(endOf(failure, 'withdrawn'), secrets);
}

function begin(
  { ledger }: Recording,
  { definition, label }: AskingServer,
  args: unknown,
  cancel: () => void,
): OpenEntry {
  return ledger.begin(
    {
      caller: { kind: 'server' },
      serverId: definition.id,
      server: label,
      method: 'sampling/createMessage',
      target: 'no model',
      ...(args !== undefined && { args }),
    },
    cancel,
  );
}

/** How each kind of failure is recorded; without a decision of its own, that of the request. */
const ends: Readonly<
  Record<SamplingFailureKind, { readonly decision?: LedgerDecision; readonly outcome: LedgerEnd['outcome'] }>
> = {
  rejected: { decision: 'denied', outcome: 'refused' },
  malformed: { decision: 'invalid', outcome: 'refused' },
  limited: { decision: 'limited', outcome: 'refused' },
  noModel: { outcome: 'failed' },
  model: { outcome: 'failed' },
  over: { outcome: 'cancelled' },
};

function endOf({ kind, message }: SamplingFailure, decision: LedgerDecision): LedgerEnd {
  return { decision, ...ends[kind], problem: message };
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
