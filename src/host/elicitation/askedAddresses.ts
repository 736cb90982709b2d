import { untilAborted } from '../../base/lifetime/cancellation.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/lifetime/disposable.ts';
import type { AddressOpener } from '../addresses/webAddress.ts';
import { ADDRESSES_REQUIRED } from '../connection/requests/requestFailure.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { ElicitationSource } from '../connection/elicitationSource.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { ElicitationFailure } from '../errors/elicitationFailure.ts';
import type { OpenEntry } from '../ledger/ledger.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { addressQuestions, type AddressQuestion } from './addressQuestion.ts';
import { OpenAddresses, type AddressAnswer } from './openAddresses.ts';
import type { AddressRequest } from './readAddress.ts';

/** How often one request may require addresses. */
const MAX_ROUNDS = 5;

/** Asks you to open addresses, and follows what the server says about them. */
export class AskedAddresses {
  readonly #questions: Pick<QuestionQueue, 'ask'>;
  readonly #opener: AddressOpener;
  /** Required addresses that wait, by the server. */
  readonly #waiting = new Map<OpenAddresses, ServerId>();
  /** The addresses that you opened for a request. */
  readonly #opened = new WeakMap<RequestInFlight, ReadonlySet<string>>();
  /** The IDs that a request has required, in all rounds so far. */
  readonly #required = new WeakMap<
    RequestInFlight,
    { readonly round: number; readonly ids: ReadonlySet<string> }
  >();

  constructor(questions: Pick<QuestionQueue, 'ask'>, opener: AddressOpener) {
    this.#questions = questions;
    this.#opener = opener;
  }

  /**
   * Counts a round in which a request requires addresses.
   *
   * @throws ElicitationFailure `limited` if the request goes no further: after so many rounds, or if an address is
   * required that you have confirmed as done.
   */
  admitRound({ requests }: Pick<ElicitationSource, 'requests'>, addresses: readonly AddressRequest[]): void {
    const ids = addresses.flatMap(({ id }) => id ?? []);
    for (const request of requests) {
      const before = this.#required.get(request) ?? { round: 0, ids: new Set() };
      if (ids.some((id) => before.ids.has(id))) {
        throw new ElicitationFailure(
          'limited',
          'The server still requires the address that you opened. Finish there, then try again.',
        );
      }
      if (before.round >= MAX_ROUNDS) {
        throw new ElicitationFailure(
          'limited',
          `You opened what it required ${MAX_ROUNDS} times, and it requires another address (${ADDRESSES_REQUIRED}).`,
        );
      }
      this.#required.set(request, { round: before.round + 1, ids: new Set([...before.ids, ...ids]) });
    }
  }

  /** The addresses before they are shown; the server can already say that they are done. Disposing ends that. */
  prepare(
    { requests, server }: ElicitationSource,
    addresses: readonly AddressRequest[],
    areRequired: boolean,
  ): { readonly open: OpenAddresses; readonly prepared: Disposable } {
    const urls = addresses.map(({ address }) => address.url);
    const wasOpened =
      !areRequired &&
      requests.length > 0 &&
      requests.every((request) => urls.every((url) => this.#opened.get(request)?.has(url) === true));
    const open = new OpenAddresses(addresses, { areRequired, wasOpened }, this.#opener);
    if (areRequired) {
      this.#waiting.set(open, server().definition.id);
    }
    return { open, prepared: toDisposable(() => this.#waiting.delete(open)) };
  }

  /**
   * Shows addresses unless they are done already, and gives your answer. `entry` follows whether you or the server is
   * next.
   *
   * @throws the signal's reason.
   */
  async ask(
    { requests, server }: ElicitationSource,
    open: OpenAddresses,
    entry: Pick<OpenEntry, 'sent' | 'asksPerson'>,
    signal: AbortSignal,
  ): Promise<AddressAnswer> {
    const store = new DisposableStore();
    store.add(
      open.onDidChange(() => {
        const isWithServer = open.states.every((state) => state === 'opened' || state === 'done');
        if (open.occasion.areRequired && isWithServer) {
          entry.sent();
        } else {
          entry.asksPerson();
        }
      }),
    );
    try {
      if (!open.answer) {
        const question: AddressQuestion = { kind: addressQuestions, server: server(), requests, open };
        store.add(this.#questions.ask(question, () => {}));
      }
      const answer = await untilAborted(open.answered, signal);
      if (answer.action === 'accept') {
        this.#agreed(requests, open.asked);
      }
      return answer;
    } finally {
      store.dispose();
    }
  }

  /** Remembers what you have agreed to: a request can ask for the same address again, and it isn't opened again then. */
  #agreed(requests: readonly RequestInFlight[], addresses: readonly AddressRequest[]): void {
    for (const request of requests) {
      const before = this.#opened.get(request) ?? [];
      this.#opened.set(request, new Set([...before, ...addresses.map(({ address }) => address.url)]));
    }
  }

  /** The server says that an address is done; ignored if it isn't waiting. */
  completed(id: ServerId, elicitationId: string): void {
    for (const [open, server] of this.#waiting) {
      if (server === id) {
        open.completed(elicitationId);
      }
    }
  }
}
