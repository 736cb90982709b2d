import { machineClock, type Clock } from '../../../base/clock.ts';
import { Countdown } from '../../../base/countdown.ts';
import type { Disposable } from '../../../base/disposable.ts';

export interface PingPolicy {
  /** Milliseconds without a message after which an idle server is asked whether it is there. */
  readonly quietMs: number;
  /** Milliseconds within which it has to send something then. */
  readonly answerMs: number;
}

export const defaultPing: PingPolicy = { quietMs: 30_000, answerMs: 30_000 };

export interface PingPeer {
  /** Whether the server works on no request of ours but a ping, and the person is asked nothing on its behalf. */
  isIdle(): boolean;
  /** Resolves with whether the server has answered, be it with an error, or false when the ping could not be sent. */
  ping(): Promise<boolean>;
  /** The server is not there any more. */
  lost(): void;
  /** The server answers no ping, and never has: it is not pinged again. */
  mute(): void;
}

/**
 * Finds out whether an idle server is still there (up to 2025-11-25, basic/utilities/ping: periodically, and what
 * stays without an answer may be taken for a stale connection).
 *
 * A server that works on a request of ours is left alone: it may be busy with just that, and the request has a time
 * of its own. What it sends, whatever it is, is a sign of life. What could not be sent is none of its silence: the
 * next request says so. One that has never answered a ping may be one that passes over what it does not know: it
 * is not started anew for that, again and again.
 */
export class PeerPing implements Disposable {
  readonly #peer: PingPeer;
  /** One of these runs at a time. */
  readonly #quiet: Countdown;
  readonly #patience: Countdown;
  #hasAnswered = false;

  constructor(peer: PingPeer, { quietMs, answerMs }: PingPolicy, clock: Clock = machineClock) {
    this.#peer = peer;
    this.#quiet = new Countdown(quietMs, () => this.#isQuiet(), clock);
    this.#patience = new Countdown(answerMs, () => this.#isOverdue(), clock);
    this.#quiet.start();
  }

  /** Call for every message that comes. */
  heard(): void {
    this.#patience.pause();
    this.#patience.restart();
    this.#quiet.restart();
    this.#quiet.start();
  }

  dispose(): void {
    this.#quiet.dispose();
    this.#patience.dispose();
  }

  #isQuiet(): void {
    if (!this.#peer.isIdle()) {
      this.#quiet.start();
      return;
    }
    this.#patience.start();
    const settled = (isAnswer: boolean): void => {
      this.#hasAnswered ||= isAnswer;
      this.heard();
    };
    this.#peer.ping().then(settled, () => settled(false));
  }

  #isOverdue(): void {
    if (!this.#peer.isIdle()) {
      this.#quiet.start();
    } else if (this.#hasAnswered) {
      this.#peer.lost();
    } else {
      this.dispose();
      this.#peer.mute();
    }
  }
}
