import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { SamplingSource } from '../connection/samplingSource.ts';
import { messageOf } from '../errors/hostError.ts';
import { rejected, SamplingFailure } from '../errors/samplingFailure.ts';
import type { AskingServer } from '../questions/question.ts';
import { whenOver } from '../limits/requestEnd.ts';
import { SamplingEntry, type EntryParts } from './samplingEntry.ts';
import type { SamplingRequest, SamplingOccasion } from './request/samplingRequest.ts';

/**
 * A request that is being answered: until the server gives up, its session ends, everything that it worked on has
 * ended, or the request is cancelled.
 */
export class ActiveRequest implements Disposable {
  readonly source: SamplingSource;
  /** As it was called when it asked. */
  readonly server: AskingServer;
  readonly occasion: SamplingOccasion;
  readonly request: SamplingRequest;
  readonly askedAt: number;
  readonly entry: SamplingEntry;
  readonly #over = new AbortController();
  readonly #cancelled = new AbortController();
  /** Aborts when the request ends without an answer. */
  readonly signal = AbortSignal.any([this.#over.signal, this.#cancelled.signal]);
  readonly #listening: Disposable;

  constructor(
    source: SamplingSource,
    request: SamplingRequest,
    askedAt: number,
    parts: EntryParts,
    now: () => number,
  ) {
    this.source = source;
    this.server = source.server();
    this.occasion = source.requests.length > 0 ? 'inCall' : 'unasked';
    this.request = request;
    this.askedAt = askedAt;
    this.entry = new SamplingEntry(parts, this.server, request, () => this.cancel());
    // A second abort does nothing: the first reason stays.
    this.#listening = whenOver(source, askedAt, now, (sentence) =>
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

  /** Whatever was thrown while the request was answered, as the failure that the server gets. */
  failureOf(error: unknown): SamplingFailure {
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

  dispose(): void {
    this.#listening.dispose();
  }
}
