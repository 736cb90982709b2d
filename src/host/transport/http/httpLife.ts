import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError, messageOf } from '../../errors/hostError.ts';

/** Milliseconds for which other requests may hear that their session is gone, too, and are not lost for it. */
const LAST_WORDS_MS = 1_000;

interface Unanswered {
  readonly answer: PromiseWithResolvers<void>;
  readonly cancel: AbortController;
}

/** The requests that one HTTP transport has under way, and why it ended if it did so by itself. */
export class HttpLife {
  readonly #unanswered = new Map<RequestId, Unanswered>();
  readonly #sending = new Set<Promise<void>>();
  #loss: HostError | undefined;
  /** Called once when the transport has ended by itself. */
  onEnd: (() => void) | undefined;
  /** Called with each message of the server's. */
  onMessage: ((message: JSONRPCMessage) => unknown) | undefined;
  /** Called with what the server sent and nothing can be made of. */
  onError: ((error: Error) => void) | undefined;

  get loss(): HostError | undefined {
    return this.#loss;
  }

  /** Resolves when the request is answered or nobody waits for it any more, rejects when its answer is lost. */
  answerTo(id: RequestId): Promise<void> {
    const answer = Promise.withResolvers<void>();
    answer.promise.catch(() => {});
    this.#unanswered.set(id, { answer, cancel: new AbortController() });
    return answer.promise;
  }

  /** Aborts when nobody waits for the request any more. */
  cancelOf(id: RequestId): AbortController {
    return this.#unanswered.get(id)?.cancel ?? new AbortController();
  }

  cancelled(id: RequestId): void {
    this.#unanswered.get(id)?.cancel.abort();
    this.settled(id);
  }

  settled(id: RequestId): void {
    this.#unanswered.get(id)?.answer.resolve();
    this.#unanswered.delete(id);
  }

  failed(id: RequestId, error: HostError): void {
    this.#unanswered.get(id)?.answer.reject(error);
    this.#unanswered.delete(id);
  }

  /** Gives a message to the transport; what handling it throws costs this one message. */
  async hand(message: JSONRPCMessage): Promise<void> {
    try {
      await this.onMessage?.(message);
    } catch (error) {
      this.complain(messageOf(error));
    }
  }

  complain(text: string): void {
    this.onError?.(new Error(text));
  }

  /** Takes part in the sending of a request: what it is refused with may end everything. */
  async sending(sent: Promise<void>): Promise<void> {
    this.#sending.add(sent);
    try {
      await sent;
    } catch (error) {
      if (error instanceof HostError && error.code === 'sessionLost') {
        this.end(error);
      }
      throw error;
    } finally {
      this.#sending.delete(sent);
    }
  }

  /** Nothing can come any more, for this reason: what is under way is lost. */
  end(loss: HostError): void {
    if (this.#loss) {
      return;
    }
    this.#loss = loss;
    const others = loss.code === 'sessionLost' ? [...this.#sending] : [];
    void Promise.race([Promise.allSettled(others), delay(LAST_WORDS_MS, undefined, { ref: false })]).then(
      () => {
        [...this.#unanswered.keys()].forEach((id) => this.failed(id, lostAnswer(loss)));
        // Closing rejects every request as if this side had ended the connection: the reason comes first.
        setImmediate(() => this.onEnd?.());
      },
    );
  }
}

export function lostAnswer(cause?: unknown): HostError {
  return new HostError(
    'lost',
    'the connection broke before the server answered; whether it has done what was asked is not known',
    { cause },
  );
}

/** The answer of a request whose stream could not be opened again. */
export function notResumed(tries: number): HostError {
  return new HostError(
    'lost',
    `the connection broke before the server answered and could not be resumed in ${tries} tries; whether it has done what was asked is not known`,
  );
}

/**
 * A request is answered by JSON or by a stream; 202 is for what wants no answer (2025-03-26, basic/transports, sending
 * messages to the server). None will come, whatever the server does of it.
 */
export function onlyAccepted(words: string): HostError {
  const detail = words.trim() === '' ? undefined : words;
  return new HostError(
    'protocol',
    'the server only acknowledged the request (status 202), so no answer will come',
    { detail },
  );
}

/** `words` are what the server says of it. */
export function lostSession(words?: string): HostError {
  return new HostError('sessionLost', 'the server does not know this session any more', {
    detail: words === undefined ? undefined : `It says: ${words}`,
  });
}
