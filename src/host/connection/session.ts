import type { Client } from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/cancellation.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import { RootsAnnouncer } from '../roots/rootsAnnouncer.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import { tapTransport } from '../transport/tapTransport.ts';
import type { HttpTransport } from '../transport/transportFactory.ts';
import { answerServer } from './answerServer.ts';
import { capabilitiesFor } from './clientCapabilities.ts';
import { exitFailure, silence } from './failures/connectionFailure.ts';
import { ListChanges, type ChangeSource } from './lists/listChanges.ts';
import type { ListKind } from './lists/listKind.ts';
import type { ProtocolEra } from './state/connectionState.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import { followLevel } from './lists/logLevelSync.ts';
import { silentForLong } from './requests/fetching.ts';
import { defaultPing, PeerPing } from './requests/peerPing.ts';
import type { SessionContext } from './sessionContext.ts';
import { Traffic } from './traffic.ts';
import type { Handshake } from './waysToConnect.ts';
import { ProbeWatch, type Probed, type Probing } from './eraProbe.ts';

/** Milliseconds of silence after which a server is taken for one that knows no `server/discover`. */
const STDIO_PROBE_MS = 2_000;
const HTTP_PROBE_MS = 10_000;
/** Milliseconds by which the SDK's own timeouts of the handshake come first. */
const CONNECT_MARGIN_MS = 500;
/** Milliseconds that a server's answer to the end of its session may take. */
const TERMINATE_MS = 1_000;

/** One connection over one transport, from the handshake to its end. */
export class Session {
  readonly client: Client;
  readonly transport: HttpTransport | StdioTransport;
  readonly roots: RootsAnnouncer;
  /** Resolves when the connection has ended, with the failure if this side did not end it. */
  readonly ended: Promise<HostError | undefined>;

  readonly #sdk: Sdk;
  readonly #context: SessionContext;
  readonly #probing: Probing;
  readonly #onDidChangeList = new Emitter<{ readonly kind: ListKind; readonly how: ChangeSource }>();
  readonly onDidChangeList = this.#onDidChangeList.event;
  readonly #listChanges: ListChanges;
  readonly #life = new AbortController();
  readonly #probe = new ProbeWatch();
  readonly #traffic: Traffic;
  readonly #store = new DisposableStore();
  #closing: Promise<void> | undefined;
  #isClosing = false;
  #handshake: Handshake = 'none';
  #loss: HostError | undefined;
  #giveUp: ((reason: Error) => void) | undefined;

  constructor(
    sdk: Sdk,
    context: SessionContext,
    transport: HttpTransport | StdioTransport,
    probing: Probing,
  ) {
    this.#sdk = sdk;
    this.#context = context;
    this.#probing = probing;
    this.transport = transport;
    this.#traffic = this.#store.add(
      new Traffic({
        ...context,
        era: () => this.client.getProtocolEra(),
        rules: () => ({ schemas: sdk, era: this.era, isHttp: !(transport instanceof StdioTransport) }),
      }),
    );
    this.client = new sdk.Client(
      { name: 'mcp-host', title: 'MCP Host for VS Code', version: context.clientVersion },
      {
        capabilities: capabilitiesFor({ sampling: this.isSamplingOffered }),
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: this.#probeMs } },
      },
    );
    this.roots = new RootsAnnouncer(context.roots, () => this.#announceRoots());
    answerServer(this, sdk, context, this.#life.signal);
    this.client.setNotificationHandler('notifications/message', ({ params }) => this.#traffic.said(params));
    this.#listChanges = this.#store.add(
      new ListChanges(this.client, context, (kind, how) => this.#onDidChangeList.fire({ kind, how })),
    );
    this.ended = new Promise((resolve) => {
      this.client.onclose = () => {
        this.#leave();
        resolve(this.#closing ? undefined : this.#lossOf());
      };
    });
    this.client.onerror = (error) => {
      // Every request of a lost session fails alike; the session's end is said once.
      const isOfEnd = error instanceof HostError && error.code === 'sessionLost';
      if (!this.#closing && !isOfEnd) {
        this.#traffic.complain(error, this.#giveUp ? 'debug' : 'warn');
      }
    };
    tapTransport(transport, {
      sent: (message, options) => {
        this.#probe.sent(message);
        this.#handshake = this.#handshake === 'none' ? 'begun' : this.#handshake;
        if ('method' in message && message.method === 'notifications/initialized') {
          this.#handshake = 'agreed';
          this.roots.initialized();
        }
        return this.#traffic.sent(message, options);
      },
      received: (message) => {
        this.#probe.received(message);
        context.onHeard();
        return this.#traffic.received(message);
      },
      failed: (message) => this.#traffic.unsent(message),
    });
  }

  /** The negotiated revision and its era; of use once connected. */
  get revision(): string {
    return this.client.getNegotiatedProtocolVersion() ?? 'unknown';
  }

  get era(): ProtocolEra {
    return this.client.getProtocolEra() ?? 'legacy';
  }

  /** The process of a stdio server. */
  get pid(): number | undefined {
    return this.transport instanceof StdioTransport ? (this.transport.pid ?? undefined) : undefined;
  }

  /** Whether the server was told that it may ask for a language model. */
  get isSamplingOffered(): boolean {
    return this.#context.createMessage !== undefined;
  }

  /** True from the moment on at which nothing can be asked over it any more. */
  get hasEnded(): boolean {
    const { transport } = this;
    // A transport fails what it has under way before it closes.
    const isLost = !(transport instanceof StdioTransport) && transport.loss !== undefined;
    return isLost || this.#life.signal.aborted;
  }

  /** True when it ended because the server has forgotten it: another one follows at once. */
  get isForgotten(): boolean {
    const { transport } = this;
    return !(transport instanceof StdioTransport) && transport.loss?.code === 'sessionLost';
  }

  /** True when this side ends it; one that ended by itself is only cleaned up by `close`. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  get handshake(): Handshake {
    return this.#handshake;
  }

  /** What became of the question for the era. */
  get probed(): Probed {
    return this.#probe.outcome;
  }

  /** Milliseconds; a server that may be silent for less than a probe lasts is not probed for longer. */
  get #probeMs(): number {
    const { definition, timeout } = this.#context;
    return this.#probing === 'patient'
      ? this.#startMs
      : Math.min(definition.type === 'stdio' ? STDIO_PROBE_MS : HTTP_PROBE_MS, timeout);
  }

  /** Milliseconds that an answer may take that has to wait for the server to be fetched. */
  get #startMs(): number {
    const { timeout, fetched, start } = this.#context;
    return fetched ? Math.max(timeout, start.fetchMs) : timeout;
  }

  /** Negotiates the revision: at once by `initialize`, or after a probe (2026-07-28, basic/versioning). */
  async connect(): Promise<void> {
    const timeout = this.#startMs;
    const connected = this.client.connect(this.transport, {
      timeout,
      ...(this.#probing === 'none' && { prior: { kind: 'legacy' } }),
    });
    const giveUp = Promise.withResolvers<never>();
    this.#giveUp = giveUp.reject;
    const settled = new AbortController();
    const startedAt = Date.now();
    const silent = (): void => giveUp.reject(silence(Date.now() - startedAt));
    // An HTTP+SSE stream that never names its endpoint is outside of every timeout of the SDK, and
    // closing its transport does not settle it either.
    const timer = setTimeout(
      silent,
      (this.#probing === 'none' ? 0 : this.#probeMs) + timeout + CONNECT_MARGIN_MS,
    );
    const { transport } = this;
    if (this.#probing === 'brief' && transport instanceof StdioTransport) {
      const { fetched, start } = this.#context;
      this.#probe.onSilence = () => {
        silentForLong(fetched, transport, start, settled.signal).then(silent, () => {});
      };
    }
    try {
      await Promise.race([connected, giveUp.promise]);
      this.#followPeer();
    } finally {
      clearTimeout(timer);
      settled.abort();
      this.#probe.onSilence = undefined;
      this.#giveUp = undefined;
      connected.catch(() => {});
    }
    await this.#listChanges.start();
  }

  /** Ends the connection, and the process with all it started. */
  close(): Promise<void> {
    this.#isClosing ||= !this.hasEnded;
    this.#closing ??= this.#end();
    this.#giveUp?.(new CancellationError());
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#leave();
    const { transport } = this;
    if (
      !(transport instanceof StdioTransport) &&
      transport.loss?.code !== 'sessionLost' &&
      transport.sessionId !== undefined &&
      transport.terminateSession
    ) {
      // A server that does not answer keeps the session for itself; it is none of ours any more.
      await Promise.race([
        transport.terminateSession().catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, TERMINATE_MS).unref()),
      ]);
    }
    await this.client.close();
    // The client only closes a transport that it has taken over.
    await transport.close();
  }

  /** What goes on for as long as the connection does. */
  #followPeer(): void {
    const { level, logger, timeout, ping, isAskingPerson } = this.#context;
    if (this.hasEnded || this.era !== 'legacy') {
      return;
    }
    this.#store.add(followLevel(this.client, level, logger, timeout));
    const policy = ping ?? defaultPing;
    const pulse = this.#store.add(
      new PeerPing(
        {
          isIdle: () => this.#traffic.isIdle && !isAskingPerson(),
          // What is still without an answer by then has been taken for one, or for none.
          ping: () =>
            this.client.ping({ timeout: 2 * policy.answerMs }).then(
              () => true,
              (error: unknown) => error instanceof this.#sdk.ProtocolError,
            ),
          mute: () => logger.log('debug', 'The server answers no ping: it is not pinged any more.'),
          lost: () =>
            this.lose(
              new HostError(
                'timedOut',
                `the server did not answer a ping within ${policy.answerMs / 1_000} s`,
              ),
            ),
        },
        policy,
      ),
    );
    this.#traffic.onHeard = () => pulse.heard();
  }

  /** Nothing is asked, told or written down any more. */
  #leave(): void {
    this.roots.dispose();
    this.#life.abort();
    this.#store.dispose();
  }

  /** Legacy only: on the modern era the next `roots/list` reads the folders of that moment. */
  #announceRoots(): void {
    if (this.client.getProtocolEra() === 'legacy') {
      this.client.sendRootsListChanged().catch((error: unknown) => this.client.onerror?.(error as Error));
    }
  }

  /** Ends the connection because it is of no more use, and says why. */
  lose(reason: HostError): void {
    this.#loss ??= reason;
    this.client.close().catch((error: unknown) => this.#context.logger.log('debug', messageOf(error)));
  }

  /** Why the connection ended although nobody here ended it. */
  #lossOf(): HostError {
    const { transport } = this;
    if (this.#loss) {
      return this.#loss;
    }
    if (!(transport instanceof StdioTransport)) {
      return transport.loss ?? closed();
    }
    return transport.failure ?? (transport.exit ? exitFailure(transport.exit, transport.stderr) : closed());
  }
}

function closed(): HostError {
  return new HostError('unreachable', 'the server closed the connection');
}
