import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError, messageOf } from '../../errors/hostError.ts';

/** Milliseconds in which other requests may also learn that their session is gone, so that they are not lost. */
const LAST_WORDS_MS = 1_000;

interface Unanswered {
  readonly answer: PromiseWithResolvers<void>;
  readonly cancel: AbortController;
}

/** The open requests of one HTTP transport, and why it ended, if this side didn't end it. */
export class HttpLife {
  readonly #unanswered = new Map<RequestId, Unanswered>();
  readonly #sending = new Set<Promise<void>>();
  #loss: HostError | undefined;
  /** Called once when the transport has ended, and this side didn't end it. */
  onEnd: (() => void) | undefined;
  /** Called with each message from the server. */
  onMessage: ((message: JSONRPCMessage) => unknown) | undefined;
  /** Called when the server sent something invalid. */
  onError: ((error: Error) => void) | undefined;

  get loss(): HostError | undefined {
    return this.#loss;
  }

  /** Resolves when the request is answered, or nobody waits for it any longer; rejects when its response is lost. */
  answerTo(id: RequestId): Promise<void> {
    const answer = Promise.withResolvers<void>();
    answer.promise.catch(() => {});
    this.#unanswered.set(id, { answer, cancel: new AbortController() });
    return answer.promise;
  }

  /** Aborts when nobody waits for the request any longer. */
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

  /** Gives a message to the transport; an exception affects only this message. */
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

  /** Watches the sending of a message: an unknown session ends the transport. */
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

  /** Ends the transport for this reason; the open requests are lost. */
  end(loss: HostError): void {
    if (this.#loss) {
      return;
    }
    this.#loss = loss;
    const others = loss.code === 'sessionLost' ? [...this.#sending] : [];
    void Promise.race([Promise.allSettled(others), delay(LAST_WORDS_MS, undefined, { ref: false })]).then(
      () => {
        [...this.#unanswered.keys()].forEach((id) => this.failed(id, lostAnswer(loss)));
        // The reason comes first: closing rejects every request as if this side had ended the connection.
        setImmediate(() => this.onEnd?.());
      },
    );
  }
}

export function lostAnswer(cause?: unknown): HostError {
  return new HostError(
    'lost',
    'the connection broke before the server answered; it may or may not have handled the request',
    { cause },
  );
}

/** The failure of a request whose stream could not be opened again. */
export function notResumed(tries: number): HostError {
  return new HostError(
    'lost',
    `the connection broke before the server answered and could not be resumed in ${tries} tries; it may or may not have handled the request`,
  );
}

/**
 * The failure of a request that got status 202, which is for messages without a response (2025-03-26, basic/transports,
 * sending messages to the server): no response will come.
 */
export function onlyAccepted(words: string): HostError {
  const detail = words.trim() === '' ? undefined : words;
  return new HostError(
    'protocol',
    'the server only acknowledged the request (status 202), so no answer will come',
    { detail },
  );
}

/** `words` are those of the server. */
export function lostSession(words?: string): HostError {
  return new HostError('sessionLost', 'the server no longer knows this session', {
    detail: words === undefined ? undefined : `The server says: ${words}`,
  });
}
