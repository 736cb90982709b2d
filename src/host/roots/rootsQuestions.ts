import { afterTimeout, type After } from '../../base/time/clock.ts';
import { unlessAborted } from '../../base/lifetime/cancellation.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { ProtocolEra } from '../state/connectionState.ts';
import type { ConsentSubject, RootsConsent } from './rootsConsent.ts';
import { offeredIn } from './rootsView.ts';
import { rootsQuestions, type OfferedFolder, type RootsAnswer, type RootsQuestion } from './rootsQuestion.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';

/** Milliseconds for which servers that ask are gathered into one question. */
const GATHER_MS = 1_000;
/** Milliseconds that a legacy server waits for its answer; servers give up at 60 s. */
const LEGACY_WAIT_MS = 20_000;

/** A server's request for its roots: `roots/list`, or the same as input that a modern call requires. */
export interface RootsRequest {
  readonly era: ProtocolEra;
  /** Aborts when it is taken back: by a legacy server, or by the caller of the modern one. */
  readonly signal: AbortSignal;
  /** Aborts when the server's session ends. */
  readonly ended: AbortSignal;
}

export interface RootsQuestionsPorts {
  readonly consent: RootsConsent;
  readonly questions: QuestionQueue;
  /** Your answer could not be kept: you are asked again. */
  readonly failed: (subject: ConsentSubject, error: unknown) => void;
  readonly after?: After | undefined;
}

/** A server that asks: one part of a question. */
interface Part {
  readonly subject: () => ConsentSubject;
  readonly waiting: Set<() => void>;
  /** Stops listening for the end of its session. */
  readonly session: Disposable;
}

/** A question that waits for your answer. */
interface Asked {
  readonly parts: readonly Part[];
  readonly offer: string;
  readonly question: Disposable;
}

/**
 * Asks you which folders servers can see that ask for them while nothing is decided. Servers that
 * ask within a second, and were offered the same, share one question.
 */
export class RootsQuestions implements Disposable {
  readonly #ports: RootsQuestionsPorts;
  readonly #after: After;
  readonly #store = new DisposableStore();
  readonly #parts = new Map<ServerId, Part>();
  readonly #asked = new Set<Asked>();
  #gathered: Part[] = [];
  #gathering: Disposable | undefined;

  constructor(ports: RootsQuestionsPorts) {
    this.#ports = ports;
    this.#after = ports.after ?? afterTimeout;
    this.#store.add(ports.consent.onDidChange(() => this.update()));
  }

  dispose(): void {
    this.#store.dispose();
    this.#gathering?.dispose();
    this.#parts.forEach((part) => this.#settle(part));
    this.#renew();
  }

  /**
   * Resolves when what the server may see, as the consent then has it, is the answer to its request:
   * decided or not, and looked at on the disk.
   *
   * A legacy server waits 20 s at most. Its question stays when nobody waits for it any longer, because the
   * server can be notified later (2025-11-25, `notifications/roots/list_changed`); that of a modern one goes
   * with the last call.
   *
   * @throws CancellationError when the request was taken back.
   */
  async prepare(subject: () => ConsentSubject, request: RootsRequest): Promise<void> {
    const { consent } = this.#ports;
    if (!consent.isDecided(subject().definition) && !request.ended.aborted && !this.#store.isDisposed) {
      await this.#wait(this.#partOf(subject, request), request);
    }
    await unlessAborted(consent.check(subject().definition), request.signal);
  }

  /** Call when what is offered to servers may have changed. */
  update(): void {
    for (const part of this.#parts.values()) {
      if (this.#ports.consent.isDecided(part.subject().definition)) {
        this.#settle(part);
      }
    }
    this.#renew();
  }

  async #wait(part: Part, { era, signal }: RootsRequest): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    part.waiting.add(resolve);
    const limit = era === 'legacy' ? this.#after(LEGACY_WAIT_MS, resolve) : undefined;
    try {
      await unlessAborted(promise, signal);
    } finally {
      limit?.dispose();
      part.waiting.delete(resolve);
      if (era === 'modern' && part.waiting.size === 0) {
        this.#settle(part);
        this.#renew();
      }
    }
  }

  #partOf(subject: () => ConsentSubject, { ended }: RootsRequest): Part {
    const { id } = subject().definition;
    const known = this.#parts.get(id);
    if (known) {
      return known;
    }
    const end = (): void => {
      this.#settle(part);
      this.#renew();
    };
    ended.addEventListener('abort', end, { once: true });
    const part: Part = {
      subject,
      waiting: new Set(),
      session: toDisposable(() => ended.removeEventListener('abort', end)),
    };
    this.#parts.set(id, part);
    this.#gathered.push(part);
    this.#gathering ??= this.#after(GATHER_MS, () => {
      const parts = this.#gathered;
      this.#gathered = [];
      this.#gathering = undefined;
      this.#ask(parts);
    });
    return part;
  }

  /** Lets the requests that wait for this part go on. */
  #settle(part: Part): void {
    if (this.#isWaiting(part)) {
      this.#parts.delete(part.subject().definition.id);
      part.session.dispose();
      part.waiting.forEach((goOn) => goOn());
    }
  }

  #isWaiting(part: Part): boolean {
    return this.#parts.get(part.subject().definition.id) === part;
  }

  /** Asks again what is not as it was asked: a server is gone, or something else is offered. */
  #renew(): void {
    for (const asked of this.#asked) {
      const isAsAsked = (part: Part): boolean =>
        this.#isWaiting(part) && offerText(this.#offerOf(part)) === asked.offer;
      if (!asked.parts.every(isAsAsked)) {
        this.#asked.delete(asked);
        this.#ports.questions.inOneChange(() => {
          asked.question.dispose();
          this.#ask(asked.parts);
        });
      }
    }
  }

  /** Asks about those of the parts that still wait, together where they are offered the same. */
  #ask(parts: readonly Part[]): void {
    const waiting = parts.filter((part) => this.#isWaiting(part));
    for (const [offer, group] of Map.groupBy(waiting, (part) => offerText(this.#offerOf(part)))) {
      const folders = group[0] ? this.#offerOf(group[0]) : [];
      const servers = group.map(({ subject }) => subject());
      const about: RootsQuestion = { kind: rootsQuestions, servers, folders };
      const question = this.#ports.questions.ask(about, (answer) => {
        this.#asked.delete(asked);
        void this.#answered(group, folders, answer);
      });
      const asked: Asked = { parts: group, offer, question };
      this.#asked.add(asked);
    }
  }

  async #answered(
    parts: readonly Part[],
    folders: readonly OfferedFolder[],
    answer: RootsAnswer,
  ): Promise<void> {
    const { consent, failed } = this.#ports;
    if (answer.answer === 'notNow') {
      parts.forEach((part) => this.#settle(part));
      return;
    }
    const offered = folders.map(({ uri }) => uri);
    await Promise.all(
      parts.map(async (part) => {
        const subject = part.subject();
        try {
          await consent.chooseAmong(subject, offered, answer.roots);
        } catch (error) {
          failed(subject, error);
        }
      }),
    );
    this.update();
    this.#ask(parts);
  }

  #offerOf(part: Part): readonly OfferedFolder[] {
    const view = this.#ports.consent.viewOf(part.subject().definition);
    return offeredIn(view).map(({ root, isProposed }) => ({ ...root, isProposed }));
  }
}

/** Equal for offers that one question can cover. */
function offerText(folders: readonly OfferedFolder[]): string {
  return JSON.stringify(folders.map(({ uri, name, isProposed }) => [uri, name, isProposed]));
}
