import { afterTimeout } from '../../base/time/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type {
  ConnectionSampling,
  SamplingResult,
  SamplingSource,
  ServerSampling,
} from '../connection/samplingSource.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import { RequestQueue } from '../limits/requestQueue.ts';
import { RequestRate } from '../limits/requestRate.ts';
import type { AskingServer } from '../questions/question.ts';
import { ActiveRequest, recordRefused } from './activeRequest.ts';
import { noModel } from './allowedModels.ts';
import { samplingResult, type GeneratedAnswer } from './request/generation.ts';
import type { LanguageModel } from './request/languageModels.ts';
import { readSamplingRequest } from './request/readSamplingRequest.ts';
import type { SamplingRequest } from './request/samplingRequest.ts';
import { RequestAnswers } from './requestAnswers.ts';
import { rateSentence } from './samplingLimits.ts';
import { PreparedAnswers } from './review/missedRequests.ts';
import type { Prepared } from './review/reviewState.ts';
import { SamplingAccess, type SamplingParts } from './samplingAccess.ts';

/**
 * The one way to a language model for servers (client/sampling). Each request passes these steps: the rate limit,
 * reading, the server's queue, its answer (`RequestAnswers`), and the activity.
 */
export class SamplingBroker implements ServerSampling, Disposable {
  readonly access: SamplingAccess;
  readonly #parts: SamplingParts;
  readonly #now: () => number;
  readonly #answers: RequestAnswers;
  readonly #rate: RequestRate;
  readonly #queue = new RequestQueue();
  readonly #prepared = new PreparedAnswers();
  readonly #active = new Set<ActiveRequest>();
  readonly #store = new DisposableStore();

  constructor(parts: SamplingParts) {
    this.#parts = parts;
    const { settings, now = Date.now, after = afterTimeout } = parts;
    this.#now = now;
    const access = this.#store.add(new SamplingAccess(parts, now));
    this.access = access;
    this.#answers = this.#store.add(new RequestAnswers(parts, access, this.#prepared, now, after));
    const monotonic = parts.now ?? (() => performance.now());
    this.#rate = this.#store.add(new RequestRate(() => settings.maxRequestsPerMinute, monotonic, after));
    this.#store.add(access.onDidDeny((id) => this.#prepared.forget(id)));
    this.#store.add(access.onDidChangePolicy(() => this.#policyChanged()));
    this.#store.add(access.models.onDidChange((models) => this.#modelsChanged(models)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  forServer(server: () => AskingServer): ConnectionSampling {
    return {
      isOffered: () => this.access.isOffered(server().definition),
      createMessage: (request, params) => this.#createMessage({ ...request, server }, params),
    };
  }

  async #createMessage(source: SamplingSource, params: unknown): Promise<SamplingResult> {
    const server = source.server();
    const { id } = server.definition;
    // A flood is refused before anything is read, so that it costs next to nothing.
    const mayBePrepared = this.#prepared.isKeptFor(id);
    if (!mayBePrepared) {
      this.#admit(server);
    }
    const request = this.#read(server, params, source.revision);
    const about = { serverId: id, launch: this.#parts.launchOf(id), request };
    const prepared = this.#prepared.find(about, source.requests);
    if (mayBePrepared && prepared?.kind !== 'answer') {
      this.#admit(server);
    }
    const active = new ActiveRequest(source, request, this.#parts, this.#now);
    this.#active.add(active);
    try {
      const answer = await this.#answer(active, prepared);
      active.throwIfOver();
      const result = samplingResult(answer, request);
      this.access.note(id, undefined);
      active.succeeded(result);
      return result;
    } catch (error) {
      const failure = active.failed(error);
      this.#report(server, failure);
      throw failure;
    } finally {
      this.#active.delete(active);
      active.dispose();
    }
  }

  /** Lets a request pass the rate limit, or counts it to a flood. @throws SamplingFailure `limited`. */
  #admit(server: AskingServer): void {
    const { id } = server.definition;
    const sentence = rateSentence(this.#parts.settings.maxRequestsPerMinute);
    const flooded = (count: number): void => {
      const problem = `${sentence} ${count === 1 ? 'One was' : `${count.toLocaleString('en')} were`} refused.`;
      this.#parts.log?.(id, 'warn', problem);
      recordRefused(this.#parts, server, new SamplingFailure('limited', problem));
      if (this.access.noteOf(id) === sentence) {
        this.access.note(id, undefined);
      }
    };
    if (!this.#rate.admit(id, flooded)) {
      this.access.note(id, sentence);
      throw new SamplingFailure('limited', sentence);
    }
  }

  #read(server: AskingServer, params: unknown, revision: string): SamplingRequest {
    try {
      return readSamplingRequest(params, revision);
    } catch (error) {
      if (error instanceof SamplingFailure) {
        this.#report(server, error);
        recordRefused(this.#parts, server, error);
      }
      throw error;
    }
  }

  /** The answer to a request once it is next; `prepared` is what you approved for it before. */
  async #answer(active: ActiveRequest, prepared: Prepared | undefined): Promise<GeneratedAnswer> {
    const { signal, server } = active;
    // What is refused in any case doesn't wait in the queue first.
    this.#answers.refuseDenied(active);
    if (prepared?.kind !== 'answer') {
      await this.access.models.list(signal);
    }
    return this.#queue.handle(server.definition.id, signal, () => {
      signal.throwIfAborted();
      this.#answers.refuseDenied(active);
      const isUsed = prepared && this.#prepared.take(prepared);
      return this.#answers.answer(active, isUsed ? prepared : undefined);
    });
  }

  /** Writes a failure to the log, and shows an exceeded limit with the server. */
  #report({ definition: { id } }: AskingServer, { kind, message }: SamplingFailure): void {
    switch (kind) {
      case 'limited':
      case 'noModel':
        if (kind === 'limited') {
          this.access.note(id, message);
        }
        this.#parts.log?.(id, 'warn', `A request for a language model was refused: ${message}`);
        break;
      case 'malformed':
      case 'model':
        this.#parts.log?.(id, 'warn', `A request for a language model failed: ${message}`);
        break;
      case 'rejected':
      case 'over':
        this.#parts.log?.(id, 'info', `A request for a language model got no answer: ${message}`);
        break;
    }
  }

  /** What is denied now is denied to requests in progress as well. */
  #policyChanged(): void {
    for (const active of this.#active) {
      const { source, occasion } = active;
      if (this.access.policyOf(source.server().definition, occasion).policy === 'deny') {
        active.cancel();
      }
    }
    this.#answers.limitsChanged();
  }

  /** Without a model, no request waits in a queue. */
  #modelsChanged(models: readonly LanguageModel[]): void {
    if (models.length === 0) {
      this.#queue.rejectWaiting(noModel());
    }
    this.#answers.modelsChanged(models);
  }
}
