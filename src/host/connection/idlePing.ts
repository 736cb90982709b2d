import { machineClock, type Clock } from '../../base/time/clock.ts';
import { Countdown } from '../../base/time/countdown.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';

export interface PingPolicy {
  /** Milliseconds without a message after which an idle server is pinged. */
  readonly quietMs: number;
  /** Milliseconds within which it then has to send something. */
  readonly answerMs: number;
}

export const defaultPing: PingPolicy = { quietMs: 120_000, answerMs: 30_000 };

/** The server that is pinged. */
interface PingTarget {
  /** Whether the server handles none of our requests except pings, and no question to you waits because of it. */
  isIdle(): boolean;
  /** Resolves with true when the server has answered, even with an error, and with false when the ping failed. */
  ping(): Promise<boolean>;
  /** Called when the server no longer answers. */
  lost(): void;
  /** Called when the server has not answered any ping; it is not pinged again. */
  neverAnswers(): void;
}

/**
 * Pings an idle server (up to 2025-11-25, basic/utilities/ping: periodically, and a connection without an answer may
 * count as stale).
 *
 * A server that handles one of our requests is not pinged: it may be busy with that, and the request has a timeout of
 * its own. Any message counts as an answer. A ping that cannot be sent does not count as silence: the next request
 * fails. A server that has never answered a ping may ignore methods that it does not know, and is not restarted for
 * that.
 */
export class IdlePing implements Disposable {
  readonly #target: PingTarget;
  /** Runs while the other one does not. */
  readonly #quiet: Countdown;
  readonly #answer: Countdown;
  #hasAnswered = false;

  constructor(target: PingTarget, { quietMs, answerMs }: PingPolicy, clock: Clock = machineClock) {
    this.#target = target;
    // In one step: after a sleep a ping may be early, and idle servers wake the process as rarely as possible.
    this.#quiet = new Countdown(quietMs, () => this.#isQuiet(), clock, quietMs);
    this.#answer = new Countdown(answerMs, () => this.#isOverdue(), clock);
    this.#quiet.start();
  }

  /** Call for every message that comes. */
  received(): void {
    this.#answer.pause();
    this.#answer.restart();
    this.#quiet.restart();
    this.#quiet.start();
  }

  dispose(): void {
    this.#quiet.dispose();
    this.#answer.dispose();
  }

  #isQuiet(): void {
    if (!this.#target.isIdle()) {
      this.#quiet.start();
      return;
    }
    this.#answer.start();
    const settled = (isAnswer: boolean): void => {
      this.#hasAnswered ||= isAnswer;
      this.received();
    };
    this.#target.ping().then(settled, () => settled(false));
  }

  #isOverdue(): void {
    if (!this.#target.isIdle()) {
      this.#quiet.start();
    } else if (this.#hasAnswered) {
      this.#target.lost();
    } else {
      this.dispose();
      this.#target.neverAnswers();
    }
  }
}
