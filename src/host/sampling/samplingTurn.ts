import { CancellationError } from '../../base/cancellation.ts';
import type { OpenEntry } from '../ledger/ledger.ts';
import type { LedgerDecision, LedgerEnd, SamplingFigures } from '../ledger/ledgerEntry.ts';
import { messageOf } from '../errors/hostError.ts';
import { ModelError } from './languageModels.ts';
import type { RequestLife } from './requestLife.ts';
import { rejected, SamplingFailure, type SamplingFailureKind } from '../errors/samplingFailure.ts';
import type { SamplingPart, SamplingRequest } from './samplingRequest.ts';
import type { SamplingOccasion } from '../config/samplingSettings.ts';
import type { SamplingSource } from '../connection/samplingSource.ts';
import type { AskingServer } from '../questions/question.ts';

/** One request on its way, and what is written down of it in the end. */
export interface SamplingTurn {
  readonly source: SamplingSource;
  /** As it was called when it asked. */
  readonly server: AskingServer;
  readonly occasion: SamplingOccasion;
  readonly request: SamplingRequest;
  readonly askedAt: number;
  readonly life: RequestLife;
  readonly entry: OpenEntry;
  /** Refuses it: the person has cancelled it where running requests are listed, or has said never meanwhile. */
  readonly cancel: AbortController;
  /** Aborts when it comes to nothing, for either reason. */
  readonly signal: AbortSignal;
  decision: LedgerDecision;
  figures: SamplingFigures;
}

/** What a request is as long as nothing has come of it. */
export const noFigures: SamplingFigures = { inputTokens: 0, outputTokens: 0, isEdited: false };

/** Whatever was thrown, as the failure that the server is told. */
export function failureOf(
  error: unknown,
  { life, cancel }: Pick<SamplingTurn, 'life' | 'cancel'>,
): SamplingFailure {
  if (life.signal.aborted) {
    return new SamplingFailure('over', life.why, { cause: error });
  }
  if (cancel.signal.aborted) {
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

/** True when the model is not the extension's to use without another click of the person's. */
export function isPermissionMissing(error: unknown): boolean {
  const one = error instanceof SamplingFailure ? error.cause : error;
  return one instanceof ModelError && one.kind === 'noPermissions';
}

/** True when it is the model that failed, and another one may not. */
export function isModelFailure(error: unknown): boolean {
  return error instanceof ModelError || (error instanceof SamplingFailure && error.kind === 'model');
}

/** How a request that failed is written down. */
export function failedEnd({ kind, message }: SamplingFailure, before: LedgerDecision): LedgerEnd {
  const [decision, outcome] = endsOf(kind, before);
  return { decision, outcome, problem: message };
}

function endsOf(
  kind: SamplingFailureKind,
  before: LedgerDecision,
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
      return [before, 'failed'];
    case 'over':
      return [before, 'cancelled'];
  }
}

/** What was asked, as it is written down: images by their size. */
export function bookedRequest(request: SamplingRequest): unknown {
  const { messages, tools, stopSequences, hints, toolChoice, wantsContext, ...rest } = request;
  return {
    ...rest,
    ...(stopSequences.length > 0 && { stopSequences }),
    ...(hints.length > 0 && { hints }),
    ...(tools.length > 0 && { tools, toolChoice }),
    ...(wantsContext && { wantsContext }),
    messages: messages.map(({ role, content }) => ({ role, content: content.map(bookedPart) })),
  };
}

function bookedPart(part: SamplingPart): unknown {
  switch (part.kind) {
    case 'image':
      return { kind: part.kind, mimeType: part.mimeType, bytes: Math.floor((part.data.length * 3) / 4) };
    case 'toolResult':
      return { ...part, content: part.content.map(bookedPart) };
    case 'text':
    case 'toolUse':
      return part;
  }
}
