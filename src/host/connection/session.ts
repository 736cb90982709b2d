import { setTimeout as delay } from 'node:timers/promises';
import type { Client, ServerCapabilities, SubscriptionFilter } from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { isRecord } from '../../base/values/record.ts';
import type { AnyLaunch } from '../config/serverDefinition.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import { RootsAnnouncer } from '../roots/rootsAnnouncer.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';
import type { HttpFacts, HttpTransport } from '../transport/http/httpTransport.ts';
import { StreamableTransport } from '../transport/http/streamableTransport.ts';
import type { SessionTraffic } from '../traffic/sessionTraffic.ts';
import { answerServer, capabilitiesFor, type Answers } from './answerServer.ts';
import type { SessionContext } from './connectionContext.ts';
import type { ElicitationMode } from './elicitationSource.ts';
import { connectionFailure } from './failures/connectionFailure.ts';
import { exitFailure } from './failures/exitFailure.ts';
import { Handshake, type Probing } from './handshake.ts';
import { defaultPing, IdlePing } from './idlePing.ts';
import { ListChanges, type ChangeSource } from './lists/listChanges.ts';
import type { ListKind } from './lists/serverList.ts';
import { followLevel } from './messages/followLevel.ts';
import { listenTo } from './messages/notifications.ts';
import { ServerMessages } from './messages/serverMessages.ts';
import { SessionPipeline } from './messages/sessionPipeline.ts';
import type { ProtocolEra } from '../state/connectionState.ts';

/** The only revision with error -32042, and with tasks in its core. */
const REVISION_2025_11 = '2025-11-25';

/** Milliseconds that a change of the folders waits for the server's stream. */
const STREAM_MS = 5_000;
/** Milliseconds that a server may take to answer the end of its session. */
const TERMINATE_MS = 1_000;

/** What a session goes over, and what records that. */
interface SessionWire {
  readonly transport: HttpTransport | StdioTransport;
  readonly traffic: SessionTraffic;
}

/** One connection over one transport, from the handshake to its end. */
export class Session {
  readonly client: Client;
  readonly transport: HttpTransport | StdioTransport;
  readonly roots: RootsAnnouncer;
  readonly handshake: Handshake;
  /** Resolves when the connection has ended, with the failure unless this side ended it. */
  readonly ended: Promise<HostError | undefined>;

  readonly #sdk: Sdk;
  readonly #context: SessionContext;
  readonly #onDidChangeList = new Emitter<{ readonly kind: ListKind; readonly how: ChangeSource }>();
  readonly onDidChangeList = this.#onDidChangeList.event;
  readonly #listChanges: ListChanges;
  readonly #answers: Answers;
  readonly #life = new AbortController();
  readonly #messages: ServerMessages;
  readonly #pipeline: SessionPipeline;
  readonly #store = new DisposableStore();
  #closing: Promise<void> | undefined;
  #isClosing = false;
  #loss: HostError | undefined;

  constructor(sdk: Sdk, context: SessionContext, { transport, traffic }: SessionWire, probing: Probing) {
    this.#sdk = sdk;
    this.#context = context;
    this.transport = transport;
    this.handshake = new Handshake(context, probing);
    const { logger, secrets, level, takesProgress } = context;
    this.#messages = this.#store.add(new ServerMessages(logger, secrets, () => level.level));
    this.#pipeline = new SessionPipeline({
      logger,
      level,
      messages: this.#messages,
      schemas: sdk,
      traffic: this.#store.add(traffic),
      isHttp: !(transport instanceof StdioTransport),
      era: () => this.client.getProtocolEra(),
      takesProgress,
    });
    this.client = new sdk.Client(
      { name: 'mcp-host', title: 'MCP Host for VS Code', version: context.clientVersion },
      {
        capabilities: capabilitiesFor({
          sampling: this.isSamplingOffered,
          elicitation: this.elicitationModes,
        }),
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: this.handshake.probeMs } },
      },
    );
    traffic.begins(transport, {
      spoken: () => ({
        schemas: sdk,
        era: this.client.getProtocolEra(),
        revision: this.client.getNegotiatedProtocolVersion(),
        capabilities: this.client.getServerCapabilities(),
      }),
      outputFault: context.outputFault,
    });
    this.roots = new RootsAnnouncer(
      () => context.roots(),
      () => void this.#announceRoots(),
    );
    this.#answers = answerServer(this, sdk, context, this.#life.signal);
    listenTo(this.client, { ...context.listeners, logged: (message) => this.#messages.log(message) });
    this.#listChanges = this.#store.add(
      new ListChanges(this.client, context, (kind, how) => this.#onDidChangeList.fire({ kind, how })),
    );
    this.ended = new Promise((resolve) => {
      this.client.onclose = () => {
        this.#leave();
        resolve(this.#closing ? undefined : this.#failure);
      };
    });
    this.client.onerror = (error) => {
      // Every request of a lost session fails alike; the end of the session is reported once.
      const isOfEnd = error instanceof HostError && error.code === 'sessionLost';
      if (!this.#closing && !isOfEnd) {
        this.#messages.complain(error, this.handshake.isUnderWay ? 'debug' : 'warn');
      }
    };
    if (transport instanceof StdioTransport) {
      transport.onstderr = (lines) => {
        context.wait.wrote(lines);
        traffic.printed('stderr', lines);
      };
      transport.onnoise = (text) => traffic.printed('stdout', [text]);
    }
    this.#pipeline.watch(this.handshake);
    this.#pipeline.watch({
      sent: (message) => {
        if ('method' in message && message.method === 'notifications/initialized') {
          this.roots.initialized();
        }
      },
      received: () => context.wait.received(),
    });
    transport.pipeline = this.#pipeline;
  }

  /** The negotiated revision; meaningful once connected. */
  get revision(): string {
    return this.client.getNegotiatedProtocolVersion() ?? 'unknown';
  }

  get era(): ProtocolEra {
    return this.client.getProtocolEra() ?? 'legacy';
  }

  /** What a stdio server first wrote to stdout that was no message. */
  get noise(): string | undefined {
    return this.transport instanceof StdioTransport ? this.transport.noise : undefined;
  }

  /** How a server over HTTP answers; undefined for a process. */
  get http(): HttpFacts | undefined {
    return this.#http;
  }

  /** The process of a stdio server. */
  get pid(): number | undefined {
    return this.transport instanceof StdioTransport ? (this.transport.pid ?? undefined) : undefined;
  }

  /** Whether this session offers the server model access. */
  get isSamplingOffered(): boolean {
    return this.#context.createMessage !== undefined;
  }

  /** How the server can ask you, as declared in this session; empty if it can't. */
  get elicitationModes(): readonly ElicitationMode[] {
    return this.#context.elicitation?.modes ?? [];
  }

  /** Whether the server may refuse a request until you open addresses: only 2025-11-25 has error -32042. */
  get canRequireAddresses(): boolean {
    return this.revision === REVISION_2025_11 && this.elicitationModes.includes('url');
  }

  /** Whether tools can be called as tasks (2025-11-25, basic/utilities/tasks). */
  get runsTasks(): boolean {
    return this.revision === REVISION_2025_11 && this.#taskCapability?.requests?.tools?.call !== undefined;
  }

  /** Whether the server has tasks at all: at 2026-07-28, it says so with each. */
  get hasTasks(): boolean {
    return this.era === 'modern' || this.runsTasks;
  }

  /** Whether the server cancels tasks on request: in the extension of 2026-07-28, each does. */
  get cancelsTasks(): boolean {
    return this.era === 'modern' || this.#taskCapability?.cancel !== undefined;
  }

  /**
   * Answers what a task requires like the same request without a task (2026-07-28, extension tasks: the same trust model).
   *
   * @throws HostError `protocol` if it asks for what was not offered; ProtocolError with the reason as its cause.
   */
  answerInput(request: unknown, task: string, signal: AbortSignal): Promise<object> {
    const { method, params } = isRecord(request) ? request : {};
    const answer = Object.entries(this.#answers).find(([name]) => name === method)?.[1];
    if (!answer) {
      const name = typeof method === 'string' ? `'${method}'` : 'something';
      throw new HostError('protocol', `the server requires ${name}, which MCP Host does not offer it`);
    }
    return answer(params, signal, task);
  }

  /** Asks for reports about a task until the signal aborts (2026-07-28, extension tasks, task status notifications). */
  listenToTask(id: string, signal: AbortSignal): void {
    if (this.era === 'modern') {
      const filter: SubscriptionFilter & { readonly taskIds: string[] } = { taskIds: [id] };
      this.client.listen(filter, { timeout: this.#context.timeout, signal }).catch((error: unknown) => {
        const why = messageOf(error);
        this.#context.logger.log('debug', `The server does not report how its task goes on: ${why}`);
      });
    }
  }

  get #taskCapability(): ServerCapabilities['tasks'] {
    return this.client.getServerCapabilities()?.tasks;
  }

  /** Where a server over HTTP is, and with which headers; undefined for a process. */
  get place(): string | undefined {
    const { url, headers }: AnyLaunch = this.#context.definition;
    return url && JSON.stringify([url, headers]);
  }

  /** Aborts with the connection. */
  get endSignal(): AbortSignal {
    return this.#life.signal;
  }

  /** Whether requests can no longer be sent; a transport fails its requests before it closes. */
  get hasEnded(): boolean {
    return this.#http?.loss !== undefined || this.#life.signal.aborted;
  }

  /** Whether it ended because the server has forgotten it: another one follows at once. */
  get isForgotten(): boolean {
    return this.#http?.loss?.code === 'sessionLost';
  }

  /** Whether this side ends it; after its own end, `close` only cleans up. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  get #http(): HttpTransport | undefined {
    return this.transport instanceof StdioTransport ? undefined : this.transport;
  }

  get #streamable(): StreamableTransport | undefined {
    return this.transport instanceof StreamableTransport ? this.transport : undefined;
  }

  /** Negotiates the revision, and resolves when the session can be used. */
  async connect(): Promise<void> {
    await this.roots.holdWhile(() => this.handshake.connect(this.client, this.transport));
    this.#followLegacy();
    void this.#streamable?.serverStream?.late?.then(() => this.roots.canAskAgain());
    await this.#listChanges.start();
  }

  /** Ends the connection, and the process with everything it started. */
  close(): Promise<void> {
    this.#isClosing ||= !this.hasEnded;
    this.#closing ??= this.#end();
    this.handshake.end(new CancellationError());
    return this.#closing;
  }

  /**
   * Resolves when the server answers, even with an error: a ping, or from 2026-07-28, which has none, `server/discover`.
   *
   * @throws HostError that says why there is no answer, within `timeout` milliseconds.
   */
  async ping(timeout: number, signal?: AbortSignal): Promise<void> {
    const options = { timeout, ...(signal && { signal }) };
    try {
      await (this.era === 'legacy' ? this.client.ping(options) : this.client.discover(options));
    } catch (error) {
      if (!(error instanceof this.#sdk.ProtocolError)) {
        throw connectionFailure(this.#sdk, error);
      }
    }
  }

  /** Ends the connection because the server no longer answers. */
  lose(reason: HostError): void {
    this.#loss ??= reason;
    this.client.close().catch((error: unknown) => this.#context.logger.log('debug', messageOf(error)));
  }

  async #end(): Promise<void> {
    this.#leave();
    const streamable = this.#streamable;
    if (!this.isForgotten && streamable?.sessionId !== undefined) {
      await Promise.race([
        streamable.terminateSession().catch(() => {}),
        delay(TERMINATE_MS, undefined, { ref: false }),
      ]);
    }
    await this.client.close();
    // The client closes only a transport that it has taken over.
    await this.transport.close();
  }

  /** Sends a legacy server the log level and, while it is idle, pings. */
  #followLegacy(): void {
    const { level, logger, timeout, ping: policy = defaultPing } = this.#context;
    if (this.hasEnded || this.era !== 'legacy') {
      return;
    }
    this.#store.add(followLevel(this.client, level, logger, timeout));
    const ping = this.#store.add(
      new IdlePing(
        {
          isIdle: () => this.#pipeline.isIdle && !this.#context.isAskingYou(),
          // By the time that this ends, the server counts as lost, or as one that answers no pings.
          ping: () =>
            this.ping(2 * policy.answerMs).then(
              () => true,
              () => false,
            ),
          neverAnswers: () =>
            logger.log('debug', 'The server does not answer pings, so it is no longer pinged.'),
          lost: () => {
            const seconds = policy.answerMs / 1_000;
            this.lose(new HostError('timedOut', `the server did not answer a ping within ${seconds} s`));
          },
        },
        policy,
      ),
    );
    this.#pipeline.watch({ received: () => ping.received() });
  }

  /** Stops all that goes on during a connection. */
  #leave(): void {
    this.roots.dispose();
    this.#life.abort();
    this.#store.dispose();
  }

  /**
   * Legacy only: a modern server gets the current folders with its next `roots/list`. What the server asks while its
   * stream is down is lost, so it is notified when the stream is back, or after a while, and then once more.
   */
  async #announceRoots(): Promise<void> {
    if (this.era !== 'legacy') {
      return;
    }
    const stream = this.#streamable?.serverStream;
    if (stream?.state === 'down') {
      await Promise.race([stream.opened, delay(STREAM_MS, undefined, { ref: false })]);
    }
    if (this.hasEnded) {
      return;
    }
    await this.client.sendRootsListChanged().catch((error: unknown) => this.client.onerror?.(error as Error));
    if (stream?.state === 'down') {
      this.#context.logger.log(
        'info',
        "The server's event stream is down, so it cannot ask for the changed folders. MCP Host notifies it again when the stream is open.",
      );
      await stream.opened;
      this.roots.canAskAgain();
    }
  }

  /** Why the connection ended although this side did not end it. */
  get #failure(): HostError {
    const { transport } = this;
    const failure =
      transport instanceof StdioTransport
        ? (transport.failure ?? (transport.exit && exitFailure(transport.exit, transport.stderr)))
        : transport.loss;
    return this.#loss ?? failure ?? new HostError('unreachable', 'the server closed the connection');
  }
}
