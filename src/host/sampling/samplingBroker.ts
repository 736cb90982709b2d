import { afterTimeout, type After } from '../../base/after.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ModelAccess } from './modelAccess.ts';
import { PreparedAnswers, type PreparedFor } from './preparedAnswers.ts';
import { readSamplingRequest } from './readSamplingRequest.ts';
import { RequestLife } from './requestLife.ts';
import { SamplingAccess } from './samplingAccess.ts';
import { SamplingAnswers, type AnswerParts } from './samplingAnswers.ts';
import { samplingOccasions } from './samplingDecisions.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import { SamplingFloods } from './samplingFloods.ts';
import { rateSentence, RequestRate } from './samplingLimits.ts';
import type { SamplingRequest } from './samplingRequest.ts';
import { samplingResult } from './samplingResult.ts';
import type { SamplingOccasion, SamplingPolicy } from '../config/samplingSettings.ts';
import type {
  ConnectionSampling,
  SamplingResult,
  SamplingSource,
  ServerSampling,
} from '../connection/samplingSource.ts';
import { bookedRequest, failedEnd, failureOf, noFigures, type SamplingTurn } from './samplingTurn.ts';
import type { AskingServer } from '../questions/question.ts';

/** What the broker needs of the host and the person. */
export interface BrokerParts extends AnswerParts {
  readonly ledger: Pick<Ledger, 'begin'>;
  /** Values that the server was given, which are written down nowhere. */
  readonly secretsOf?: (id: ServerId) => Iterable<string>;
  readonly now?: () => number;
  readonly after?: After;
}

/**
 * The one way by which servers come by a language model (client/sampling): each request is read, looked at, reviewed
 * by the person where that is due, sent within the person's limits, and written down.
 */
export class SamplingBroker implements ServerSampling, Disposable {
  readonly #parts: BrokerParts;
  readonly #now: () => number;
  readonly #access: SamplingAccess;
  readonly #answers: SamplingAnswers;
  readonly #rate: RequestRate;
  readonly #floods: SamplingFloods;
  readonly #prepared = new PreparedAnswers();
  readonly #turns = new Set<SamplingTurn>();
  readonly #store = new DisposableStore();

  constructor(parts: BrokerParts) {
    this.#parts = parts;
    const { settings } = parts;
    this.#now = parts.now ?? Date.now;
    const after = parts.after ?? afterTimeout;
    this.#access = this.#store.add(new SamplingAccess(parts, this.#now));
    const surroundings = { access: this.#access, prepared: this.#prepared, after, now: this.#now };
    this.#answers = this.#store.add(new SamplingAnswers(parts, surroundings));
    // By a clock that nobody sets.
    const clock = parts.now ?? (() => performance.now());
    this.#rate = new RequestRate(() => settings.maxRequestsPerMinute, clock);
    this.#floods = this.#store.add(new SamplingFloods(this.#now, after));
    this.#store.add(this.#access.onDidChangePolicy(() => this.#policyChanged()));
    this.#store.add(this.#access.onDidChangeModels((allowed) => this.#answers.modelsChanged(allowed)));
  }

  /** How a server stands may be different. */
  get onDidChange(): SamplingAccess['onDidChange'] {
    return this.#access.onDidChange;
  }

  dispose(): void {
    this.#store.dispose();
  }

  isOffered(definition: ServerDefinition): boolean {
    return this.#access.isOffered(definition);
  }

  forServer(server: () => AskingServer): ConnectionSampling {
    return {
      isOffered: () => this.isOffered(server().definition),
      createMessage: (request, params) => this.createMessage({ ...request, server }, params),
    };
  }

  accessOf(definition: ServerDefinition): ModelAccess {
    return this.#access.accessOf(definition);
  }

  /** What holds until the window closes holds for a server under its new name, too. */
  copySession(from: ServerId, to: ServerId): void {
    this.#access.copySession(from, to);
  }

  forgetSession(id: ServerId): void {
    this.#access.forgetSession(id);
  }

  /**
   * Keeps what the person decided for a server; `default` forgets it.
   *
   * @throws what the file system says when it cannot be kept: it holds until the window closes.
   */
  async setPolicy(
    definition: ServerDefinition,
    label: string,
    occasion: SamplingOccasion | 'both',
    policy: SamplingPolicy | 'default',
  ): Promise<void> {
    if (policy === 'deny') {
      this.#prepared.forget(definition.id);
    }
    const occasions = occasion === 'both' ? samplingOccasions : [occasion];
    await this.#access.setPolicy(definition, label, occasions, policy);
  }

  /** Lets the requests of what runs now pass until the window closes. */
  allowForSession(definition: ServerDefinition, occasions: readonly SamplingOccasion[]): void {
    this.#access.allowForSession(definition, occasions, true);
  }

  async createMessage(source: SamplingSource, params: unknown): Promise<SamplingResult> {
    const server = source.server();
    const { id } = server.definition;
    const askedAt = this.#now();
    // A flood is turned away before anything is read, and costs next to nothing.
    const mayBePrepared = this.#prepared.isKeptFor(id);
    if (!mayBePrepared) {
      this.#admit(server);
    }
    const request = this.#read(server, params, source.revision);
    const about: PreparedFor = { serverId: id, launch: this.#parts.launchOf(id), request };
    const prepared = this.#prepared.find(about, source.requests);
    if (mayBePrepared && prepared?.kind !== 'answer') {
      this.#admit(server);
    }
    const turn = this.#begin(source, server, request, askedAt);
    try {
      const answer = await this.#answers.answer(turn, prepared);
      turn.life.check();
      const result = samplingResult(answer, request);
      this.#access.note(id, undefined);
      const { decision, figures } = turn;
      turn.entry.end({ decision, outcome: 'done', result, sampling: figures }, this.#secretsOf(id));
      return result;
    } catch (error) {
      const failure = failureOf(error, turn);
      this.#tell(server, failure);
      const end = failedEnd(failure, turn.decision);
      turn.entry.end({ ...end, sampling: turn.figures }, this.#secretsOf(id));
      throw failure;
    } finally {
      this.#turns.delete(turn);
      turn.life.dispose();
    }
  }

  /** Lets a request through, or counts it to a flood. @throws SamplingFailure `limited`. */
  #admit(server: AskingServer): void {
    const { id } = server.definition;
    if (this.#rate.admit(id)) {
      return;
    }
    const sentence = rateSentence(this.#parts.settings.maxRequestsPerMinute);
    this.#access.note(id, sentence);
    this.#floods.refused(id, (count) => {
      const problem = `${sentence} ${count === 1 ? 'One was' : `${count.toLocaleString('en')} were`} refused.`;
      this.#parts.log?.(id, 'warn', problem);
      const entry = this.#begun(server, undefined, () => {});
      entry.end({ decision: 'limited', outcome: 'refused', problem }, this.#secretsOf(id));
      if (this.#access.noteOf(id) === sentence) {
        this.#access.note(id, undefined);
      }
    });
    throw new SamplingFailure('limited', sentence);
  }

  #read(server: AskingServer, params: unknown, revision: string): SamplingRequest {
    try {
      return readSamplingRequest(params, revision);
    } catch (error) {
      if (error instanceof SamplingFailure) {
        this.#tell(server, error);
        const entry = this.#begun(server, undefined, () => {});
        entry.end(failedEnd(error, 'invalid'), this.#secretsOf(server.definition.id));
      }
      throw error;
    }
  }

  #begin(
    source: SamplingSource,
    server: AskingServer,
    request: SamplingRequest,
    askedAt: number,
  ): SamplingTurn {
    const life = new RequestLife(source, askedAt, this.#now);
    const cancel = new AbortController();
    const turn: SamplingTurn = {
      source,
      server,
      occasion: source.requests.length > 0 ? 'inCall' : 'unasked',
      request,
      askedAt,
      life,
      cancel,
      signal: AbortSignal.any([life.signal, cancel.signal]),
      entry: this.#begun(server, bookedRequest(request), () => cancel.abort()),
      decision: 'withdrawn',
      figures: noFigures,
    };
    this.#turns.add(turn);
    return turn;
  }

  #begun({ definition, label }: AskingServer, args: unknown, cancel: () => void): SamplingTurn['entry'] {
    return this.#parts.ledger.begin(
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

  /** What the person should know of a failure, in the log and where the server is shown. */
  #tell({ definition: { id } }: AskingServer, { kind, message }: SamplingFailure): void {
    switch (kind) {
      case 'limited':
        this.#access.note(id, message);
        this.#parts.log?.(id, 'warn', `A request for a language model was refused: ${message}`);
        break;
      case 'noModel':
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

  #secretsOf(id: ServerId): Iterable<string> {
    return this.#parts.secretsOf?.(id) ?? [];
  }

  /** What is denied now is denied to those that are on their way, too. */
  #policyChanged(): void {
    for (const { source, occasion, cancel } of this.#turns) {
      if (this.#access.policyOf(source.server().definition, occasion).policy === 'deny') {
        cancel.abort();
      }
    }
    this.#answers.limitsChanged();
  }
}
