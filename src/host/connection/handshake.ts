import { setTimeout as delay } from 'node:timers/promises';
import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client';
import { transports } from '../config/transports.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import type { HttpTransport } from '../transport/http/httpTransport.ts';
import type { SessionContext } from './connectionContext.ts';
import { noAnswer } from './failures/connectionFailure.ts';
import { NEVER_MS } from './requests/sendRequest.ts';
import { silentTooLong } from './startWait.ts';

/**
 * How a server is asked for its era (2026-07-28, basic/versioning): for as long as a modern server takes to answer, for
 * as long as one takes to start, or not at all.
 */
export type Probing = 'brief' | 'patient' | 'none';

/** The result of the probe; `late` is an answer after `initialize` had been sent. */
export type Probed = 'unanswered' | 'answered' | 'late';

/** `agreed` means that the server answered `initialize` with a revision that this host supports. */
export type HandshakeProgress = 'none' | 'begun' | 'agreed';

/** Milliseconds by which the SDK's own timeouts come before ours. */
const CONNECT_MARGIN_MS = 500;

/** The start of a session: negotiates the revision, and observes how far that gets. */
export class Handshake {
  readonly #context: SessionContext;
  readonly #probing: Probing;
  readonly #ended = Promise.withResolvers<never>();
  #progress: HandshakeProgress = 'none';
  #probed: Probed = 'unanswered';
  #probeId: string | number | undefined;
  #hasGivenUpProbe = false;
  /** Called when `initialize` is sent. */
  #onInitialize: (() => void) | undefined;
  #isUnderWay = false;

  constructor(context: SessionContext, probing: Probing) {
    this.#context = context;
    this.#probing = probing;
    this.#ended.promise.catch(() => {});
  }

  get progress(): HandshakeProgress {
    return this.#progress;
  }

  get probed(): Probed {
    return this.#probed;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Milliseconds; the probe takes no longer than the server may be silent. */
  get probeMs(): number {
    const { definition, timeout } = this.#context;
    return this.#probing === 'patient'
      ? this.#startMs
      : Math.min(transports[definition.type].probeMs, timeout);
  }

  /** Milliseconds that the first answer may take; the server may have to be downloaded first. */
  get #startMs(): number {
    const { timeout, wait } = this.#context;
    return wait.fetched ? Math.max(timeout, wait.policy.fetchMs) : timeout;
  }

  /** Negotiates the revision by `initialize`, or after a probe (2026-07-28, basic/versioning). */
  async connect(client: Client, transport: HttpTransport | StdioTransport): Promise<void> {
    const { wait, timeout: requestMs } = this.#context;
    const timeout = this.#startMs;
    const isProcess = transport instanceof StdioTransport;
    const connected = client.connect(transport, {
      // How long a process may take depends on what it writes.
      timeout: isProcess ? NEVER_MS : timeout,
      ...(this.#probing === 'none' && { prior: { kind: 'legacy' } }),
    });
    const settled = new AbortController();
    const startedAt = Date.now();
    const giveUpAfter = (over: Promise<unknown>, ms?: number): void => {
      over
        .then(() => wait.whileAsking(settled.signal))
        .then(() => this.#ended.reject(wait.unattended ?? noAnswer(ms ?? Date.now() - startedAt)))
        .catch(() => {});
    };
    const delayed = (ms: number): Promise<void> => delay(ms, undefined, { signal: settled.signal });
    // An HTTP+SSE stream that never names its endpoint is outside of every timeout of the SDK, and closing its
    // transport does not settle it either.
    giveUpAfter(delayed((this.#probing === 'none' ? 0 : this.probeMs) + timeout + CONNECT_MARGIN_MS));
    if (isProcess) {
      this.#onInitialize = () => {
        giveUpAfter(delayed(timeout), timeout);
        if (this.#probing === 'brief' && this.#hasGivenUpProbe) {
          giveUpAfter(silentTooLong(wait, transport, requestMs, settled.signal));
        }
      };
    }
    this.#isUnderWay = true;
    try {
      await Promise.race([connected, this.#ended.promise]);
    } finally {
      settled.abort();
      this.#onInitialize = undefined;
      this.#isUnderWay = false;
      connected.catch(() => {});
    }
  }

  /** Ends `connect`, which throws the reason. */
  end(reason: Error): void {
    this.#ended.reject(reason);
  }

  /** Call with each message that is sent. */
  sent(message: JSONRPCMessage): void {
    this.#progress = this.#progress === 'none' ? 'begun' : this.#progress;
    if (!('method' in message)) {
      return;
    }
    if (message.method === 'notifications/initialized') {
      this.#progress = 'agreed';
    } else if ('id' in message && message.method === 'server/discover') {
      this.#probeId = message.id;
    } else if (message.method === 'initialize') {
      this.#hasGivenUpProbe = this.#isProbeOpen;
      this.#onInitialize?.();
    }
  }

  get #isProbeOpen(): boolean {
    return this.#probeId !== undefined && this.#probed === 'unanswered';
  }

  /** Call with each message that is received; it may be anything that a server writes. */
  received(message: JSONRPCMessage): void {
    const isAnswer =
      this.#probeId !== undefined && (Object(message) as { id?: unknown }).id === this.#probeId;
    if (!isAnswer || 'method' in message) {
      return;
    }
    if (!this.#hasGivenUpProbe) {
      this.#probed = 'answered';
    } else if ('result' in message) {
      this.#probed = 'late';
    }
  }
}
