import { createHash } from 'node:crypto';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { counted } from '../../base/text/words.ts';
import { afterTimeout, type After } from '../../base/time/clock.ts';
import type { UnknownRecord } from '../../base/values/record.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type {
  ConnectionElicitation,
  ElicitationSource,
  ServerElicitation,
} from '../connection/elicitationSource.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { ElicitationFailure } from '../errors/elicitationFailure.ts';
import { messageOf } from '../errors/hostError.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerEnd } from '../ledger/ledgerEntry.ts';
import type { AskingServer } from '../questions/question.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { whenOver } from '../sampling/requestEnd.ts';
import { FloodCounter, RequestRate } from '../sampling/requestLimits.ts';
import { RequestQueue } from '../sampling/requestQueue.ts';
import { prepareSchema } from '../schemas/schemaCheck.ts';
import { elicitationDecisionKind, type ElicitationDecision } from './elicitationDecision.ts';
import { elicitationQuestions, type ElicitationQuestion } from './elicitationQuestion.ts';
import { OpenElicitation, type ElicitationAnswer } from './openElicitation.ts';
import { readElicitation, type ElicitationRequest } from './readElicitation.ts';

/** Forms of one server in a minute. */
const MAX_PER_MINUTE = 20;
/** Last answers that are kept. */
const MAX_PROPOSALS = 50;

/** What the broker needs of the host and the editor. */
export interface ElicitationParts {
  readonly questions: Pick<QuestionQueue, 'ask'>;
  readonly decisions: DecisionStore;
  readonly ledger: Pick<Ledger, 'begin'>;
  /** The fingerprint of the running launch. */
  readonly launchOf: (id: ServerId) => string | undefined;
  readonly log?: (id: ServerId, level: 'info' | 'warn' | 'error', message: string) => void;
  /** Values that a server was given, which are never written. */
  readonly secretsOf?: (id: ServerId) => Iterable<string>;
  readonly now?: () => number;
  readonly after?: After;
}

/**
 * The one way for servers to ask you to fill in a form (client/elicitation, form mode). Each request passes these
 * steps: your decision about the server, the rate limit, reading, the server's queue, your answer, the check against the
 * schema, and the activity. Nothing is sent that the form did not show.
 */
export class ElicitationBroker implements ServerElicitation, Disposable {
  readonly #parts: ElicitationParts;
  readonly #now: () => number;
  readonly #rate: RequestRate;
  readonly #floods: FloodCounter;
  readonly #queue = new RequestQueue();
  /** What you sent the last time, by launch and schema. */
  readonly #proposals = new Map<string, UnknownRecord>();
  /** Servers that you refused, until that is saved. */
  readonly #refused = new Set<ServerId>();
  readonly #store = new DisposableStore();

  constructor(parts: ElicitationParts) {
    this.#parts = parts;
    const { now = Date.now, after = afterTimeout } = parts;
    this.#now = now;
    this.#rate = new RequestRate(() => MAX_PER_MINUTE, parts.now ?? (() => performance.now()));
    this.#floods = this.#store.add(new FloodCounter(now, after));
  }

  dispose(): void {
    this.#store.dispose();
  }

  forServer(server: () => AskingServer): ConnectionElicitation {
    return {
      isOffered: () => this.isOffered(server().definition),
      elicit: (request, params) => this.#elicit({ ...request, server }, params),
    };
  }

  /** Whether a server is told that it may ask: unless you decided that it can't. */
  isOffered({ id }: ServerDefinition): boolean {
    const { decisions } = this.#parts;
    const key = decisions.keyOf(elicitationDecisionKind, id);
    return !this.#refused.has(id) && decisions.get(key) === undefined && !decisions.isUnreadable(key);
  }

  async #elicit(source: ElicitationSource, params: unknown): Promise<ElicitResult> {
    const server = source.server();
    const { id } = server.definition;
    const { decisions } = this.#parts;
    decisions.refresh(decisions.keyOf(elicitationDecisionKind, id));
    if (!this.isOffered(server.definition)) {
      return { action: 'decline' };
    }
    this.#admit(server);
    let request: ElicitationRequest;
    try {
      request = readElicitation(params, source.revision);
    } catch (error) {
      this.#refuse(server, error, 'invalid');
      throw error;
    }
    return this.#answer(source, request);
  }

  /** @throws ElicitationFailure `limited`, before anything is read, so that a flood costs next to nothing. */
  #admit(server: AskingServer): void {
    const { id } = server.definition;
    if (this.#rate.admit(id)) {
      return;
    }
    const sentence = `More than ${counted(MAX_PER_MINUTE, 'form')} came in a minute, which is the limit.`;
    this.#floods.refused(id, (count) =>
      this.#refuse(
        server,
        new ElicitationFailure('limited', `${sentence} ${counted(count, 'form')} not shown.`),
        'limited',
      ),
    );
    throw new ElicitationFailure('limited', sentence);
  }

  /** Records a request that was not shown. */
  #refuse(server: AskingServer, error: unknown, decision: 'invalid' | 'limited'): void {
    const problem = messageOf(error);
    const { id } = server.definition;
    this.#parts.log?.(id, 'warn', `A form was refused: ${problem}`);
    this.#record(server, undefined, () => {})({ decision, outcome: 'refused', problem });
  }

  async #answer(source: ElicitationSource, request: ElicitationRequest): Promise<ElicitResult> {
    const server = source.server();
    const { id } = server.definition;
    const over = new AbortController();
    const cancelled = new AbortController();
    const signal = AbortSignal.any([over.signal, cancelled.signal]);
    const end = this.#record(server, request, () => cancelled.abort());
    // A second abort does nothing: the first reason stays.
    const listening = whenOver(source, this.#now(), this.#now, (sentence) =>
      over.abort(new ElicitationFailure('over', sentence)),
    );
    try {
      const answer = await this.#ask(source, request, signal);
      over.signal.throwIfAborted();
      const result = this.#resultOf(server, answer);
      end(endOf(answer, request.isFlagged && answer.action === 'accept' ? { action: 'accept' } : result));
      return result;
    } catch (error) {
      if (cancelled.signal.aborted && !over.signal.aborted) {
        end({ decision: 'withdrawn', outcome: 'cancelled', result: { action: 'cancel' } });
        return { action: 'cancel' };
      }
      const failure = failureOf(error);
      const isOver = failure.kind === 'over';
      this.#parts.log?.(id, isOver ? 'info' : 'warn', `A form got no answer: ${failure.message}`);
      end({
        decision: isOver ? 'withdrawn' : 'limited',
        outcome: isOver ? 'cancelled' : 'refused',
        problem: failure.message,
      });
      throw failure;
    } finally {
      listening.dispose();
    }
  }

  /** Asks when the request is next. @throws the signal's reason; SamplingFailure `limited`. */
  async #ask(
    source: ElicitationSource,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const server = source.server();
    const { id } = server.definition;
    signal.throwIfAborted();
    const leave = await this.#queue.enter(id, signal);
    try {
      signal.throwIfAborted();
      if (!this.isOffered(server.definition)) {
        return { action: 'decline' };
      }
      const key = `${id}\n${this.#parts.launchOf(id) ?? ''}\n${schemaHash(request)}`;
      const prepared = await prepareSchema(request.schema);
      signal.throwIfAborted();
      const open = new OpenElicitation(request, prepared, this.#proposals.get(key));
      const question: ElicitationQuestion = {
        kind: elicitationQuestions,
        server,
        requests: source.requests,
        open,
      };
      const asked = this.#parts.questions.ask(question, () => {});
      try {
        const answer = await untilAborted(open.answered, signal);
        if (answer.action === 'accept' && !request.isFlagged) {
          this.#propose(key, answer.content);
        }
        return answer;
      } finally {
        asked.dispose();
      }
    } finally {
      leave();
    }
  }

  #propose(key: string, content: UnknownRecord): void {
    this.#proposals.delete(key);
    this.#proposals.set(key, content);
    const [oldest] = this.#proposals.keys();
    if (this.#proposals.size > MAX_PROPOSALS && oldest !== undefined) {
      this.#proposals.delete(oldest);
    }
  }

  #resultOf(server: AskingServer, answer: ElicitationAnswer): ElicitResult {
    switch (answer.action) {
      case 'accept':
        return { action: 'accept', content: answer.content as NonNullable<ElicitResult['content']> };
      case 'never':
        this.#neverAgain(server);
        return { action: 'decline' };
      default:
        return { action: answer.action };
    }
  }

  #neverAgain({ definition: { id }, label }: AskingServer): void {
    const { decisions } = this.#parts;
    const decision: ElicitationDecision = {
      kind: 'elicitation',
      key: decisions.keyOf(elicitationDecisionKind, id),
      serverId: id,
      label,
      at: this.#now(),
      answer: 'deny',
    };
    this.#refused.add(id);
    decisions.put(decision).then(
      () => this.#refused.delete(id),
      (error: unknown) =>
        this.#parts.log?.(id, 'error', `Your answer could not be saved: ${messageOf(error)}`),
    );
  }

  /** Begins the entry in the activity; the result ends it. */
  #record(
    { definition, label }: AskingServer,
    request: ElicitationRequest | undefined,
    cancel: () => void,
  ): (end: LedgerEnd) => void {
    const entry = this.#parts.ledger.begin(
      {
        caller: { kind: 'server' },
        serverId: definition.id,
        server: label,
        method: 'elicitation/create',
        target: 'form',
        ...(request && { args: { message: request.message, requestedSchema: request.schema } }),
      },
      cancel,
    );
    return (end) => entry.end(end, this.#parts.secretsOf?.(definition.id) ?? []);
  }
}

function endOf({ action }: ElicitationAnswer, result: ElicitResult): LedgerEnd {
  switch (action) {
    case 'accept':
      return { decision: 'asked', outcome: 'done', result };
    case 'cancel':
      return { decision: 'withdrawn', outcome: 'cancelled', result };
    case 'decline':
    case 'never':
      return { decision: 'denied', outcome: 'refused', result };
  }
}

function failureOf(error: unknown): ElicitationFailure {
  if (error instanceof ElicitationFailure) {
    return error;
  }
  // The queue is the one of requests for a model.
  const kind = error instanceof SamplingFailure && error.kind === 'limited' ? 'limited' : 'over';
  return new ElicitationFailure(kind, messageOf(error), { cause: error });
}

function schemaHash({ schema }: ElicitationRequest): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('base64');
}

/** Resolves with the promise, or rejects with the signal's reason. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
