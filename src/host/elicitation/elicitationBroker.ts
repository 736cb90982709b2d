import type { ElicitResult } from '@modelcontextprotocol/client';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { After } from '../../base/time/clock.ts';
import { isRecord } from '../../base/values/record.ts';
import type { AddressOpener } from '../addresses/webAddress.ts';
import type { GateSettings } from '../config/settings.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type {
  ConnectionElicitation,
  ElicitationMode,
  ElicitationSource,
  ServerElicitation,
} from '../connection/elicitationSource.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { ElicitationFailure } from '../errors/elicitationFailure.ts';
import { messageOf } from '../errors/hostError.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { Ledger, OpenEntry } from '../ledger/ledger.ts';
import type { LedgerEnd } from '../ledger/ledgerEntry.ts';
import type { AskingServer } from '../questions/question.ts';
import { whenOver } from '../limits/requestEnd.ts';
import { RequestQueue } from '../limits/requestQueue.ts';
import { AskedAddresses } from './askedAddresses.ts';
import { AskedForms, type FormParts } from './askedForms.ts';
import { ElicitationLimits } from './elicitationLimits.ts';
import type { AddressAnswer } from './openAddresses.ts';
import type { ElicitationAnswer } from './openElicitation.ts';
import { readRequiredAddresses, type AddressRequest } from './readAddress.ts';
import { readElicitation, type ElicitationRequest } from './readElicitation.ts';

/** What the broker needs of the host and the editor. */
export interface ElicitationParts extends FormParts {
  readonly decisions: DecisionStore;
  readonly settings: Pick<GateSettings, 'storesContent'>;
  readonly ledger: Pick<Ledger, 'begin'>;
  /** Without it, no server can ask you to open an address. */
  readonly opener?: AddressOpener;
  readonly log?: (id: ServerId, level: 'info' | 'warn' | 'error', message: string) => void;
  /** Values that a server was given, which are never written. */
  readonly secretsOf?: (id: ServerId) => Iterable<string>;
  readonly now?: () => number;
  readonly after?: After;
}

/** What a server asks, while it waits for you. */
interface Asked {
  /** What the activity calls it. */
  readonly target: 'form' | 'address';
  readonly args: unknown;
  /** The activity records nothing of what you enter. */
  readonly isSecret: boolean;
  /** Aborts when it ends as if you had cancelled it. */
  readonly cancelled?: AbortSignal;
  /** Shows it, and gives your answer. @throws the signal's reason. */
  show(signal: AbortSignal, entry: OpenEntry): Promise<ElicitationAnswer | AddressAnswer>;
  /** Call when it is over. */
  dispose(): void;
}

/**
 * The one way for servers to ask you to fill in a form or to open an address (client/elicitation). Each request passes
 * these steps: your decision about the server, the rate limit, reading, the server's queue, your answer, and the activity.
 * Nothing is sent that the form did not show, and nothing is opened except by you.
 */
export class ElicitationBroker implements ServerElicitation, Disposable {
  readonly #parts: ElicitationParts;
  readonly #now: () => number;
  readonly #queue = new RequestQueue();
  readonly #store = new DisposableStore();
  readonly #limits: ElicitationLimits;
  readonly #forms: AskedForms;
  readonly #addresses: AskedAddresses | undefined;

  constructor(parts: ElicitationParts) {
    this.#parts = parts;
    const { now = Date.now, questions, opener } = parts;
    this.#now = now;
    this.#limits = this.#store.add(new ElicitationLimits(parts));
    this.#forms = new AskedForms(parts);
    this.#addresses = opener && new AskedAddresses(questions, opener);
  }

  dispose(): void {
    this.#store.dispose();
  }

  forServer(server: () => AskingServer): ConnectionElicitation {
    return {
      modes: () => this.modesFor(server().definition),
      elicit: (request, params) => this.#elicit({ ...request, server }, params),
      openRequired: (request, data) => this.#openRequired({ ...request, server }, data),
      completed: (id) => this.#addresses?.completed(server().definition.id, id),
    };
  }

  /** How a server may ask, as declared to it; empty if you decided that it can't. */
  modesFor(definition: ServerDefinition): readonly ElicitationMode[] {
    return this.#limits.isAllowed(definition) ? this.#modes : [];
  }

  get #modes(): readonly ElicitationMode[] {
    return this.#addresses ? ['form', 'url'] : ['form'];
  }

  async #elicit(source: ElicitationSource, params: unknown): Promise<ElicitResult> {
    const server = source.server();
    if (!this.#limits.isStillAllowed(server.definition)) {
      return { action: 'decline' };
    }
    const target = isRecord(params) && params['mode'] === 'url' ? 'address' : 'form';
    const request = this.#admitted(server, target, () =>
      readElicitation(params, source.revision, this.#modes),
    );
    if (request.mode === 'form') {
      return this.#answer(source, this.#askedForm(source, request));
    }
    return this.#answer(source, this.#askedAddresses(source, [request], false));
  }

  async #openRequired(source: ElicitationSource, data: unknown): Promise<ElicitResult['action']> {
    const server = source.server();
    if (!this.#limits.isStillAllowed(server.definition)) {
      return 'decline';
    }
    const addresses = this.#admitted(server, 'address', () => {
      const read = readRequiredAddresses(data);
      this.#addresses?.admitRound(source, read);
      return read;
    });
    // The caller of the request that is refused may cancel it, which is not the server's doing.
    const waiting = { ...source, signal: new AbortController().signal };
    const asked = this.#askedAddresses(source, addresses, true);
    const { action } = await this.#answer(waiting, { ...asked, cancelled: source.signal });
    return action;
  }

  /** What `read` gives, unless the server asks too often; what is refused is recorded. @throws ElicitationFailure */
  #admitted<T>(server: AskingServer, target: Asked['target'], read: () => T): T {
    const refuse = (error: unknown, decision: 'invalid' | 'limited'): void =>
      this.#refuse(server, target, error, decision);
    this.#limits.admit(server.definition.id, (failure) => refuse(failure, 'limited'));
    try {
      return read();
    } catch (error) {
      const isLimited = error instanceof ElicitationFailure && error.kind === 'limited';
      refuse(error, isLimited ? 'limited' : 'invalid');
      throw error;
    }
  }

  /** Records a request that was not shown. */
  #refuse(
    server: AskingServer,
    target: Asked['target'],
    error: unknown,
    decision: 'invalid' | 'limited',
  ): void {
    const problem = messageOf(error);
    const { id } = server.definition;
    this.#parts.log?.(id, 'warn', `A request to you was refused: ${problem}`);
    this.#begin(server, { target, args: undefined }, () => {}).end({
      decision,
      outcome: 'refused',
      problem,
    });
  }

  #askedForm(source: ElicitationSource, request: ElicitationRequest): Asked {
    return {
      target: 'form',
      args: { message: request.message, requestedSchema: request.schema },
      isSecret: request.isFlagged || !this.#parts.settings.storesContent,
      show: (signal) => this.#forms.ask(source, request, signal),
      dispose: () => {},
    };
  }

  /** @throws ElicitationFailure `malformed` without a way to open them, which is declared to no server. */
  #askedAddresses(
    source: ElicitationSource,
    addresses: readonly AddressRequest[],
    areRequired: boolean,
  ): Asked {
    const all = this.#addresses;
    if (!all) {
      throw new ElicitationFailure('malformed', 'Addresses are not opened here.');
    }
    const { open, prepared } = all.prepare(source, addresses, areRequired);
    return {
      target: 'address',
      args: addresses.map(({ id, message, address }) => ({ elicitationId: id, message, url: address.url })),
      isSecret: false,
      show: (signal, entry) => all.ask(source, open, entry, signal),
      dispose: () => prepared.dispose(),
    };
  }

  async #answer(source: ElicitationSource, asked: Asked): Promise<ElicitResult> {
    const server = source.server();
    const { id } = server.definition;
    const over = new AbortController();
    const cancel = new AbortController();
    const cancelled = asked.cancelled ? AbortSignal.any([cancel.signal, asked.cancelled]) : cancel.signal;
    const entry = this.#begin(server, asked, () => cancel.abort());
    const end = (how: LedgerEnd): void => entry.end(how, this.#parts.secretsOf?.(id) ?? []);
    // A second abort does nothing: the first reason stays.
    const listening = whenOver(source, this.#now(), this.#now, (sentence) =>
      over.abort(new ElicitationFailure('over', sentence)),
    );
    try {
      const answer = await this.#ask(server, asked, entry, AbortSignal.any([over.signal, cancelled]));
      over.signal.throwIfAborted();
      const result = this.#resultOf(server, answer);
      end(endOf(answer, asked.isSecret && answer.action === 'accept' ? { action: 'accept' } : result));
      return result;
    } catch (error) {
      if (cancelled.aborted && !over.signal.aborted) {
        end({ decision: 'withdrawn', outcome: 'cancelled', result: { action: 'cancel' } });
        return { action: 'cancel' };
      }
      const failure = failureOf(error);
      const isOver = failure.kind === 'over';
      this.#parts.log?.(id, isOver ? 'info' : 'warn', `A request to you got no answer: ${failure.message}`);
      end({
        decision: isOver ? 'withdrawn' : 'limited',
        outcome: isOver ? 'cancelled' : 'refused',
        problem: failure.message,
      });
      throw failure;
    } finally {
      listening.dispose();
      asked.dispose();
    }
  }

  /** Asks when the request is next. @throws the signal's reason; SamplingFailure `limited`. */
  async #ask(
    { definition }: AskingServer,
    asked: Asked,
    entry: OpenEntry,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer | AddressAnswer> {
    signal.throwIfAborted();
    return this.#queue.handle(definition.id, signal, async () => {
      signal.throwIfAborted();
      return this.#limits.isAllowed(definition) ? asked.show(signal, entry) : { action: 'decline' };
    });
  }

  #resultOf(server: AskingServer, answer: ElicitationAnswer | AddressAnswer): ElicitResult {
    if (answer.action === 'never') {
      this.#limits.refuse(server);
      return { action: 'decline' };
    }
    return 'content' in answer
      ? { action: 'accept', content: answer.content as NonNullable<ElicitResult['content']> }
      : { action: answer.action };
  }

  /** Begins the entry in the activity. */
  #begin(
    { definition, label }: AskingServer,
    { target, args }: Pick<Asked, 'target' | 'args'>,
    cancel: () => void,
  ): OpenEntry {
    const caller = { kind: 'server' } as const;
    return this.#parts.ledger.begin(
      { caller, serverId: definition.id, server: label, method: 'elicitation/create', target, args },
      cancel,
    );
  }
}

function endOf({ action }: ElicitationAnswer | AddressAnswer, result: ElicitResult): LedgerEnd {
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
