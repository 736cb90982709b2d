import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * How a server is asked for its era (2026-07-28, basic/versioning): for as long as a server of that era takes to
 * answer, for as long as one takes to start, or not at all.
 */
export type Probing = 'brief' | 'patient' | 'none';

/** What became of the probe; `late` is an answer that came after `initialize` had been sent. */
export type Probed = 'unanswered' | 'answered' | 'late';

/** Watches the one `server/discover` of a connection, which the SDK stops to listen for when it goes on. */
export class ProbeWatch {
  outcome: Probed = 'unanswered';
  /** Told when `initialize` is sent to a server that has not answered the probe. */
  onSilence: (() => void) | undefined;
  #id: string | number | undefined;
  #hasGoneOn = false;

  sent(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) {
      return;
    }
    if (message.method === 'server/discover') {
      this.#id = message.id;
    } else if (message.method === 'initialize' && this.#id !== undefined && this.outcome === 'unanswered') {
      this.#hasGoneOn = true;
      this.onSilence?.();
    }
  }

  /** Takes whatever the server has written. */
  received(message: JSONRPCMessage): void {
    const isAnswer = this.#id !== undefined && (Object(message) as { id?: unknown }).id === this.#id;
    if (!isAnswer || 'method' in message) {
      return;
    }
    if (!this.#hasGoneOn) {
      this.outcome = 'answered';
    } else if ('result' in message) {
      this.outcome = 'late';
    }
  }
}
