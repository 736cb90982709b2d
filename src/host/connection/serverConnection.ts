import type { Implementation } from '@modelcontextprotocol/client';
import { CancellationError, unlessAborted } from '../../base/cancellation.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { redacting } from '../../base/redacting.ts';
import { fetchedProgram } from '../launch/warnings/packageRunners.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { HostError } from '../errors/hostError.ts';
import { type ReadyLaunch, notAllowed } from '../launch/readyLaunch.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import { ResourceSubscriptions, type ResourceWatch } from './subscriptions/resourceSubscriptions.ts';
import { RootsKnowledge } from '../roots/rootsKnowledge.ts';
import { allowedTime } from './requests/allowedTime.ts';
import { Catalogue } from './lists/catalogue.ts';
import type { ConnectionContext } from './connectionContext.ts';
import { fitToShow } from './failures/connectionFailure.ts';
import { answering } from './connectionSampling.ts';
import type { ConnectionState, IdleState } from './state/connectionState.ts';
import { Lifecycle, type OneRun } from './lifecycle.ts';
import type { LevelSource } from './lists/logLevelSync.ts';
import { openSession } from './openSession.ts';
import { PersonPause } from './requests/requestWatchdog.ts';
import { RequestsInFlight } from './requests/requestsInFlight.ts';
import { ServerRequests } from './serverRequests.ts';
import { ListAudience } from './lists/listAudience.ts';
import type { ListKind } from './lists/listKind.ts';
import type { Session } from './session.ts';
import { defaultStart } from './requests/startPolicy.ts';
import { StartWait } from './startWait.ts';

/** A timer of more than 2^31 milliseconds is over at once; this leaves room for what is added to it. */
const MAX_TIMER_MS = 2 ** 30;

/** One server: its definition, its state, and what it offers while it runs. */
export class ServerConnection {
  readonly onDidChangeState: Event<ConnectionState>;
  readonly #onDidChangeCatalogue = new Emitter<ListKind>();
  readonly onDidChangeCatalogue = this.#onDidChangeCatalogue.event;
  readonly #onDidChangeRepeats = new Emitter<void>();
  /** See `Catalogue.repeated`. */
  readonly onDidChangeRepeats = this.#onDidChangeRepeats.event;
  /** Who wants to hear of changes of its lists at once. */
  readonly audience: ListAudience;
  /** What the server knows of its roots since its start. */
  readonly rootsKnowledge: RootsKnowledge;
  readonly #context: ConnectionContext;
  readonly #logger: Logger;
  readonly #lifecycle: Lifecycle;
  readonly #personPause = new PersonPause();
  readonly #subscriptions: ResourceSubscriptions;
  readonly #inFlight = new RequestsInFlight();
  readonly #requests: ServerRequests;
  /** A session has listed what the server offers. */
  readonly #onDidServe = new Emitter<Session>();

  #definition: ServerDefinition;
  #session: Session | undefined;
  /** The same from the moment on at which it has listed what the server offers. */
  #served: Session | undefined;
  /** What a start that begins in this very turn need not resolve again. */
  #lookedAt: ResolvedLaunch | undefined;
  /** While it is being started. */
  #startWait: StartWait | undefined;
  /** Until a session that the server had forgotten is replaced, or cannot be. */
  #isRenewing = false;
  #catalogue: Catalogue | undefined;

  constructor(definition: ServerDefinition, context: ConnectionContext) {
    this.#definition = definition;
    this.#context = context;
    this.audience = new ListAudience(context.audience);
    this.#logger = redacting(context.logger, context.secrets);
    this.#lifecycle = new Lifecycle({
      logger: this.#logger,
      backoff: context.backoff,
      runOnce: (run) => this.#runOnce(run),
    });
    this.onDidChangeState = this.#lifecycle.onDidChangeState;
    this.#requests = new ServerRequests({
      personPause: this.#personPause,
      inFlight: this.#inFlight,
      secrets: context.secrets,
      allowed: () => allowedTime(this.#definition, context.requestTimeout()),
      session: () => this.#session,
      catalogue: () => this.#catalogue,
      sessionAfter: (session, signal) => this.#sessionAfter(session, signal),
      renewed: (signal) => this.renewed(signal),
    });
    this.#subscriptions = new ResourceSubscriptions({
      logger: this.#logger,
      backoff: context.backoff,
      timeout: () => this.#timeout,
    });
    this.rootsKnowledge = new RootsKnowledge(() => context.roots(), context.after);
  }

  get definition(): ServerDefinition {
    return this.#definition;
  }

  get logger(): Logger {
    return this.#logger;
  }

  /** From which level on the server's messages are wanted, and shown. */
  get logLevel(): LevelSource {
    return this.#context.level;
  }

  get state(): ConnectionState {
    return this.#lifecycle.state;
  }

  /** How long its start has been waiting for the server, while it does. */
  get startWait(): Pick<StartWait, 'since' | 'runner'> | undefined {
    return this.#startWait;
  }

  /** Values that are written nowhere; they may become more. */
  get secrets(): Iterable<string> {
    return this.#context.secrets;
  }

  /** What the server offers; undefined while it does not run. */
  get catalogue(): Catalogue | undefined {
    return this.#catalogue;
  }

  /** Which of its resources somebody watches for changes, over all restarts. */
  get resourceWatch(): ResourceWatch {
    return this.#subscriptions;
  }

  /** What the server says of how to use it (`instructions`), for a model. */
  get instructions(): string | undefined {
    return this.#session?.client.getInstructions();
  }

  /** What the server calls itself: a claim, of use for display only. */
  get serverInfo(): Implementation | undefined {
    return this.#session?.client.getServerVersion();
  }

  /** Whether the running server was told that it may ask for a language model; undefined while it does not run. */
  get isSamplingOffered(): boolean | undefined {
    return this.#session?.isSamplingOffered;
  }

  /** Takes a definition whose launch is the same: the process goes on. */
  update(definition: ServerDefinition): void {
    this.#definition = definition;
  }

  /** Says why this server does not run. A running one is not touched. */
  hold(state: IdleState): void {
    this.#lifecycle.hold(state);
  }

  /**
   * Starts the server, or waits for the start under way; in a back-off, tries at once.
   *
   * @throws HostError that says why it does not run; further tries may follow by themselves.
   * CancellationError when it was stopped meanwhile.
   *
   * @param launch The launch of this moment, if it has been resolved: what starts later resolves its own.
   */
  start(launch?: ResolvedLaunch): Promise<void> {
    this.#lookedAt = launch;
    const started = this.#lifecycle.start();
    this.#lookedAt = undefined;
    return started;
  }

  /** Stops the server, whatever it is doing; resolved when its process is gone. */
  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  /**
   * Stops the server, and starts what `launchToStart` gives then, if anything.
   *
   * @throws as `start`.
   */
  restart(launchToStart: () => ResolvedLaunch | undefined = () => this.#context.resolve()): Promise<void> {
    return this.#lifecycle.restart(async () => {
      const launch = launchToStart();
      if (launch) {
        await this.start(launch);
      }
    });
  }

  /** Stops the server for good. */
  async close(): Promise<void> {
    await this.#lifecycle.close();
    this.#onDidChangeCatalogue.dispose();
    this.#onDidChangeRepeats.dispose();
    this.audience.dispose();
    this.#onDidServe.dispose();
    this.#subscriptions.dispose();
    this.rootsKnowledge.dispose();
  }

  /** Call when the workspace's folders, or what is shared of them, may have changed. */
  rootsChanged(): void {
    this.#session?.roots.changed();
    this.rootsKnowledge.changed();
  }

  /** Runs `ask` while no request to this server runs out of time: it is the server that waits. */
  whileAskingPerson<T>(ask: () => Promise<T>): Promise<T> {
    return this.#personPause.whileAsking(ask);
  }

  /** See `ServerRequests.callTool`. */
  readonly callTool: ServerRequests['callTool'] = (...request) => this.#requests.callTool(...request);

  /** See `ServerRequests.readResource`. */
  readonly readResource: ServerRequests['readResource'] = (...request) =>
    this.#requests.readResource(...request);

  /** See `ServerRequests.getPrompt`. */
  readonly getPrompt: ServerRequests['getPrompt'] = (...request) => this.#requests.getPrompt(...request);

  /** See `ServerRequests.complete`. */
  readonly complete: ServerRequests['complete'] = (...request) => this.#requests.complete(...request);

  /**
   * Resolves when a session that the server had forgotten is replaced, or cannot be; at once when there is none.
   *
   * @throws CancellationError when the signal aborted.
   */
  async renewed(signal: AbortSignal): Promise<void> {
    const forgotten = this.#session?.isForgotten ? this.#session : undefined;
    if (this.#isRenewing || forgotten) {
      await this.#sessionAfter(forgotten, signal).catch((error: unknown) => {
        if (error instanceof CancellationError) {
          throw error;
        }
      });
    }
  }

  /**
   * Resolves when the tools are read that the server says have changed, where they would be read later: a call is
   * looked at by what the server lists now.
   *
   * @throws CancellationError when the signal aborted.
   */
  async toolsAreCurrent(signal: AbortSignal): Promise<void> {
    await this.#catalogue?.current('tools', signal);
  }

  /** Whether the server has declared that it offers such a thing. */
  offers(kind: ListKind): boolean {
    return this.#session?.client.getServerCapabilities()?.[kind] !== undefined;
  }

  /** Whether the server completes the arguments of prompts and templates (server/utilities/completion). */
  get canComplete(): boolean {
    return this.#session?.client.getServerCapabilities()?.completions !== undefined;
  }

  /** Milliseconds that the SDK allows to what it asks by itself. */
  get #timeout(): number {
    return Math.min(this.#definition.timeout ?? this.#context.requestTimeout(), MAX_TIMER_MS);
  }

  /** One process or connection, from its start to its end; gives the failure that ended it. */
  async #runOnce({ signal, reached, settled }: OneRun): Promise<HostError | undefined> {
    const { secrets } = this.#context;
    const launch = this.#lookedAt ?? this.#context.resolve();
    if (!this.#context.allows(launch)) {
      return notAllowed();
    }
    reached({ kind: 'starting' });
    let session: Session;
    try {
      const ready = await unlessAborted(this.#context.admit(launch, signal), signal);
      session = await this.#open(ready, signal);
    } catch (error) {
      this.#isRenewing = false;
      return error instanceof CancellationError ? undefined : fitToShow(error, secrets);
    }
    const store = new DisposableStore();
    try {
      await this.#serve(session, store, { signal, reached });
      settled();
      const failure = await session.ended;
      this.#isRenewing = session.isForgotten;
      return failure && fitToShow(failure, secrets);
    } finally {
      store.dispose();
      this.#session = undefined;
      this.#served = undefined;
      this.#catalogue = undefined;
      this.rootsKnowledge.ended();
      await session.close();
    }
  }

  async #open({ definition, cwd }: ReadyLaunch, signal: AbortSignal): Promise<Session> {
    const { clientVersion, knownEra, processes, sampling, secrets, level, ping } = this.#context;
    const start = this.#context.start ?? defaultStart;
    const fetched =
      definition.type === 'stdio' ? fetchedProgram([definition.command, ...definition.args]) : undefined;
    const wait = new StartWait(this.#logger, fetched?.runner, start);
    this.#startWait = wait;
    try {
      return await openSession(
        {
          definition,
          cwd,
          roots: () => this.#context.roots(),
          prepareRoots: (request) => this.whileAskingPerson(() => this.#context.prepareRoots(request)),
          onListedRoots: (roots) => this.rootsKnowledge.listed(roots),
          createMessage: answering(sampling, this.#inFlight, this.#personPause),
          isAskingPerson: () => this.#personPause.isAsking,
          processes,
          logger: this.#logger,
          secrets,
          level,
          ping,
          timeout: this.#timeout,
          start,
          fetched,
          onHeard: () => wait.heard(),
          clientVersion,
        },
        knownEra,
        signal,
      );
    } finally {
      wait.dispose();
      this.#startWait = undefined;
    }
  }

  async #serve(
    session: Session,
    store: DisposableStore,
    { signal, reached }: Pick<OneRun, 'signal' | 'reached'>,
  ): Promise<void> {
    const close = (): void => void session.close();
    signal.addEventListener('abort', close, { once: true });
    store.add({ dispose: () => signal.removeEventListener('abort', close) });

    const catalogue = store.add(
      new Catalogue(session.client, {
        logger: this.#logger,
        timeout: this.#timeout,
        audience: this.audience,
      }),
    );
    store.add(
      session.onDidChangeList(({ kind, how }) => {
        if (how === 'told') {
          catalogue.told(kind);
        } else {
          void catalogue.refresh(kind);
        }
      }),
    );
    store.add(catalogue.onDidChangeRepeats(() => this.#onDidChangeRepeats.fire()));
    store.add(catalogue.onDidChange((kind) => this.#onDidChangeCatalogue.fire(kind)));
    this.#session = session;
    this.#catalogue = catalogue;
    // Whoever hears of the state finds that the lists are on their way.
    const listed = catalogue.refreshAll();
    const { era, revision, pid } = session;
    reached({ kind: 'running', era, revision, ...(pid !== undefined && { pid }) });
    if (signal.aborted) {
      close();
      return;
    }
    store.add(this.#subscriptions.serve(session.client));
    await Promise.race([listed, session.ended]);
    this.#isRenewing = false;
    this.#served = session;
    this.#onDidServe.fire(session);
  }

  /** The next session that has listed what the server offers; `lost` when none comes by itself. */
  async #sessionAfter(session: Session | undefined, signal: AbortSignal): Promise<Session> {
    const next = Promise.withResolvers<Session>();
    const store = new DisposableStore();
    store.add(
      this.#onDidServe.event((one) => {
        if (one !== session && !one.hasEnded) {
          next.resolve(one);
        }
      }),
    );
    const giveUp = (state: ConnectionState): void => {
      if (state.kind === 'failed' || state.kind === 'stopping' || state.kind === 'stopped') {
        next.reject(state.kind === 'failed' ? state.reason : new HostError('lost', 'the server was stopped'));
      }
    };
    store.add(this.onDidChangeState(giveUp));
    giveUp(this.state);
    if (this.#served !== session && this.#served?.hasEnded === false) {
      next.resolve(this.#served);
    }
    try {
      return await unlessAborted(next.promise, signal);
    } finally {
      store.dispose();
    }
  }
}
