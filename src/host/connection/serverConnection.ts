import { setImmediate } from 'node:timers/promises';
import type { ElicitResult, Implementation, ServerCapabilities, Tool } from '@modelcontextprotocol/client';
import { CancellationError, unlessAborted } from '../../base/lifetime/cancellation.ts';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Emitter, type Event } from '../../base/lifetime/event.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { redacted, redacting } from '../../base/logging/redacting.ts';
import { wordsOf, type ServerDefinition } from '../config/serverDefinition.ts';
import { HostError } from '../errors/hostError.ts';
import { type ReadyLaunch, notAllowed } from '../launch/readyLaunch.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import { fetchedProgram } from '../launch/warnings/packageRunners.ts';
import { RootsKnowledge } from '../roots/rootsKnowledge.ts';
import type { ConnectionContext, SessionContext } from './connectionContext.ts';
import { CurrentSession } from './currentSession.ts';
import type { ElicitationMode } from './elicitationSource.ts';
import { fitToShow } from './failures/connectionFailure.ts';
import { Lifecycle, type OneRun } from './lifecycle.ts';
import { Catalogue } from './lists/catalogue.ts';
import { ListWatchers } from './lists/listWatchers.ts';
import type { ListKind } from './lists/serverList.ts';
import type { LevelSource } from './messages/logLevels.ts';
import { openSession } from './openSession.ts';
import { type RequestInFlight, RequestsInFlight } from './requests/requestsInFlight.ts';
import { allowedTime, RequestTimeouts } from './requests/requestTimeouts.ts';
import { ServerRequests } from './serverRequests.ts';
import type { Session } from './session.ts';
import { defaultStart, StartWait } from './startWait.ts';
import type { ConnectionState, IdleState, SignInState } from '../state/connectionState.ts';
import { ServerTasks } from './tasks/serverTasks.ts';
import { TrafficRecorder } from '../traffic/trafficRecorder.ts';
import type { ServerSchemas } from '../schemas/schemaCheck.ts';
import type { HttpFacts } from '../transport/http/httpTransport.ts';
import { outputFault } from './requests/callListedTool.ts';
import { needsTask } from '../tools/hostTool.ts';
import { ResourceSubscriptions, type ResourceWatch } from './subscriptions/resourceSubscriptions.ts';

/** A timer of more than 2^31 milliseconds fires at once; this leaves room for what is added to it. */
const MAX_TIMER_MS = 2 ** 30;

/** One server: its definition, its state, and what it offers while it runs. */
export class ServerConnection {
  readonly onDidChangeState: Event<ConnectionState>;
  readonly #onDidChangeCatalogue = new Emitter<ListKind>();
  readonly onDidChangeCatalogue = this.#onDidChangeCatalogue.event;
  readonly #onDidChangeRepeats = new Emitter<void>();
  /** See `Catalogue.repeated`. */
  readonly onDidChangeRepeats = this.#onDidChangeRepeats.event;
  readonly listWatchers: ListWatchers;
  /** The roots that the server has listed since its start. */
  readonly rootsKnowledge: RootsKnowledge;
  /** What goes over the wire, while somebody wants to see it. */
  readonly traffic: TrafficRecorder;
  readonly #context: ConnectionContext;
  readonly #logger: Logger;
  readonly #lifecycle: Lifecycle;
  readonly #timeouts: RequestTimeouts;
  readonly #subscriptions: ResourceSubscriptions;
  readonly #inFlight = new RequestsInFlight();
  readonly #current: CurrentSession;
  readonly #requests: ServerRequests;
  readonly #tasks = new ServerTasks();

  #definition: ServerDefinition;
  /** The launch for a start that begins during the call of `start`. */
  #launch: ResolvedLaunch | undefined;
  /** How often the server has run. */
  #runs = 0;
  /** Set while the server starts. */
  #startWait: StartWait | undefined;

  constructor(definition: ServerDefinition, context: ConnectionContext) {
    this.#definition = definition;
    this.#context = context;
    this.listWatchers = new ListWatchers(context.listWatchers);
    this.#logger = redacting(context.logger, this.secrets);
    this.traffic = new TrafficRecorder(this.secrets);
    this.#lifecycle = new Lifecycle({
      logger: this.#logger,
      backoff: context.backoff,
      runOnce: (run) => this.#runOnce(run),
    });
    this.onDidChangeState = this.#lifecycle.onDidChangeState;
    this.#current = new CurrentSession(this.#lifecycle);
    this.#timeouts = new RequestTimeouts(() => allowedTime(this.#definition, context.requestTimeout()));
    this.#requests = new ServerRequests({
      current: this.#current,
      timeouts: this.#timeouts,
      inFlight: this.#inFlight,
      tasks: this.#tasks,
      logger: this.#logger,
      schemas: this.schemas,
      secrets: this.secrets,
      openRequired: (...required) => this.#openRequired(...required),
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

  /** The checks against the schemas of its tools. */
  get schemas(): ServerSchemas {
    return this.#context.schemas;
  }

  get logger(): Logger {
    return this.#logger;
  }

  /** The lowest levels at which the server's messages are wanted, and shown. */
  get logLevel(): LevelSource {
    return this.#context.level;
  }

  get state(): ConnectionState {
    return this.#lifecycle.state;
  }

  /** Since when the start has been waiting for the server; undefined unless it is starting. */
  get startWait(): Pick<StartWait, 'since' | 'runner'> | undefined {
    return this.#startWait;
  }

  /** Values that must not be logged or shown; more may follow. */
  get secrets(): Iterable<string> {
    const [given, { ids }] = [this.#context.secrets, this.#tasks];
    return {
      *[Symbol.iterator]() {
        yield* given;
        yield* ids;
      },
    };
  }

  /** What the server offers; undefined while it does not run. */
  get catalogue(): Catalogue | undefined {
    return this.#current.catalogue;
  }

  /** Watches resources for changes, over all restarts. */
  get resourceWatch(): ResourceWatch {
    return this.#subscriptions;
  }

  /** What the server tells models about its use (`instructions`). */
  get instructions(): string | undefined {
    return this.#current.session?.client.getInstructions();
  }

  /** What the server calls itself: an unverified claim, only for display. */
  get serverInfo(): Implementation | undefined {
    return this.#current.session?.client.getServerVersion();
  }

  /** What the running server first wrote to stdout that was no message. */
  get noise(): string | undefined {
    return this.#current.session?.noise;
  }

  /** How the running server answers, if it is one over HTTP. */
  get http(): HttpFacts | undefined {
    return this.#current.session?.http;
  }

  /** Whether the running server was offered model access; undefined while it does not run. */
  get isSamplingOffered(): boolean | undefined {
    return this.#current.session?.isSamplingOffered;
  }

  /** How a running server can ask you, as declared to it, empty if it can't; undefined while it isn't running. */
  get elicitationModes(): readonly ElicitationMode[] | undefined {
    return this.#current.session?.elicitationModes;
  }

  /** Whether the tool can't be called, because it runs only as a task, and the running server runs none. */
  lacksTasks(tool: Tool): boolean {
    const { session } = this.#current;
    return needsTask(tool) && session?.era === 'legacy' && !session.runsTasks;
  }

  /** Replaces the definition by one with the same launch, while the server keeps running. */
  update(definition: ServerDefinition): void {
    this.#definition = definition;
  }

  /** Sets the reason why this server does not run; ignored if it runs. */
  hold(state: IdleState): void {
    this.#lifecycle.hold(state);
  }

  /** Sets where the sign-in of this server is; ignored while it is stopped, or may not run. */
  setSignIn(signIn: SignInState | undefined): void {
    this.#lifecycle.setSignIn(signIn);
  }

  /**
   * Starts the server, or waits for the start under way; during a back-off, tries at once.
   *
   * @throws HostError that says why it does not run; further tries may follow automatically. CancellationError when it
   * was stopped in the meantime.
   *
   * @param launch The launch, if it was just resolved; later tries resolve their own.
   */
  start(launch?: ResolvedLaunch): Promise<void> {
    this.#launch = launch;
    const started = this.#lifecycle.start();
    this.#launch = undefined;
    return started;
  }

  /** Stops the server; resolves when its process has ended. */
  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  /**
   * Stops the server, and then starts what `launchToStart` returns, if anything.
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
    this.listWatchers.dispose();
    this.#current.dispose();
    this.#subscriptions.dispose();
    this.rootsKnowledge.dispose();
    this.traffic.dispose();
  }

  /** Call when the workspace's folders may have changed, or which of them are shared. */
  rootsChanged(): void {
    this.#current.session?.roots.changed();
    this.rootsKnowledge.changed();
  }

  /** Runs `ask` with the timeouts of this server's requests paused, because the server waits for your answer. */
  whileAskingYou<T>(ask: () => Promise<T>): Promise<T> {
    return this.#timeouts.pauseWhile(ask);
  }

  /** See `ServerRequests.callTool`. */
  readonly callTool: ServerRequests['callTool'] = (...request) => this.#requests.callTool(...request);

  /** See `ServerRequests.resumeTask`. */
  readonly resumeTask: ServerRequests['resumeTask'] = (...request) => this.#requests.resumeTask(...request);

  /** See `ServerRequests.readResource`. */
  readonly readResource: ServerRequests['readResource'] = (...request) =>
    this.#requests.readResource(...request);

  /** See `ServerRequests.getPrompt`. */
  readonly getPrompt: ServerRequests['getPrompt'] = (...request) => this.#requests.getPrompt(...request);

  /** See `ServerRequests.complete`. */
  readonly complete: ServerRequests['complete'] = (...request) => this.#requests.complete(...request);

  /** See `CurrentSession.renewed`. */
  renewed(signal: AbortSignal): Promise<void> {
    return this.#current.renewed(signal);
  }

  /**
   * Reads a list if the server says that it has changed, so that a request is compared with what the server lists now.
   *
   * @throws CancellationError when the signal aborted.
   */
  async listIsCurrent(kind: ListKind, signal: AbortSignal): Promise<void> {
    await this.#current.catalogue?.current(kind, signal);
  }

  /** Call when the server may list something else, because you have signed in. */
  readListsAgain(): void {
    void this.#current.catalogue?.refreshAll();
  }

  /** What the running server has declared; undefined while it does not run. */
  get capabilities(): ServerCapabilities | undefined {
    return this.#current.session?.client.getServerCapabilities();
  }

  /** Whether the server has declared this capability. */
  offers(kind: ListKind): boolean {
    return this.capabilities?.[kind] !== undefined;
  }

  /** Whether the server completes the arguments of prompts and templates (server/utilities/completion). */
  get canComplete(): boolean {
    return this.capabilities?.completions !== undefined;
  }

  /** Asks the running server for a sign of life; see `Session.ping`. @throws HostError */
  async ping(timeout: number, signal: AbortSignal): Promise<void> {
    const { session } = this.#current;
    if (!session) {
      throw new HostError('notRunning', 'the server is not running');
    }
    await session.ping(timeout, signal);
  }

  /** Milliseconds that the SDK allows to requests of its own. */
  get #timeout(): number {
    return Math.min(this.#definition.timeout ?? this.#context.requestTimeout(), MAX_TIMER_MS);
  }

  /** Runs one process or connection from its start to its end; returns the failure that ended it. */
  async #runOnce({ signal, reached, settled }: OneRun): Promise<HostError | undefined> {
    const { secrets } = this;
    const launch = this.#launch ?? this.#context.resolve();
    if (!this.#context.allows(launch)) {
      return notAllowed();
    }
    reached({ kind: 'starting' });
    let session: Session;
    try {
      const ready = await unlessAborted(this.#context.admit(launch, signal), signal);
      session = await this.#open(ready, { signal, reached });
    } catch (error) {
      this.#current.ended(false);
      return error instanceof CancellationError ? undefined : fitToShow(error, secrets);
    }
    const store = new DisposableStore();
    try {
      await this.#serve(session, store, { signal, reached });
      settled();
      const failure = await session.ended;
      return failure && fitToShow(failure, secrets);
    } finally {
      store.dispose();
      this.#current.ended(session.isForgotten);
      this.rootsKnowledge.ended();
      await session.close();
    }
  }

  async #open(
    { definition, cwd }: ReadyLaunch,
    { signal, reached }: Pick<OneRun, 'signal' | 'reached'>,
  ): Promise<Session> {
    const { clientVersion, eraCache, level, ping, processes, start = defaultStart } = this.#context;
    const fetched = fetchedProgram(wordsOf(definition));
    const wait = new StartWait(this.#logger, start, fetched, (asks) => {
      const words = redacted(asks?.words ?? '', this.secrets);
      reached({ kind: 'starting', ...(asks && { asks: { ...asks, words } }) });
    });
    this.#startWait = wait;
    try {
      const elicitation = this.#elicitation();
      const context: SessionContext = {
        definition,
        cwd,
        logger: this.#logger,
        clientVersion,
        secrets: this.secrets,
        traffic: this.traffic,
        outputFault: (tool, result) => outputFault(this.schemas, this.catalogue?.tool(tool), result),
        listeners: {
          taskChanged: (params) => this.#tasks.changed(params),
          ...(elicitation && { elicitationCompleted: (id) => this.#context.elicitation?.completed(id) }),
        },
        takesProgress: (message) => this.#tasks.takesProgress(message),
        level,
        processes,
        ping,
        roots: () => this.#context.roots(),
        prepareRoots: (request) => this.whileAskingYou(() => this.#context.prepareRoots(request)),
        onListedRoots: (roots) => this.rootsKnowledge.listed(roots),
        createMessage: this.#createMessage(),
        elicitation,
        isAskingYou: () => this.#timeouts.arePaused,
        timeout: this.#timeout,
        wait,
        authorization: definition.type === 'stdio' ? undefined : this.#context.authorize?.(definition),
      };
      return await openSession(context, eraCache, signal);
    } finally {
      wait.dispose();
      this.#startWait = undefined;
    }
  }

  /** Answers requests for a language model; undefined if the server is offered no model access. */
  #createMessage(): SessionContext['createMessage'] {
    const { sampling } = this.#context;
    return sampling?.isOffered() === true
      ? ({ task, ...request }, params) =>
          this.whileAskingYou(async () => {
            // A call that was answered right before this is no longer a possible reason, but has not settled yet.
            await setImmediate();
            return sampling.createMessage({ ...request, requests: this.#inFlight.reasons(task) }, params);
          })
      : undefined;
  }

  /** Answers what the server asks you; undefined if it may not ask. */
  #elicitation(): SessionContext['elicitation'] {
    const { elicitation } = this.#context;
    const modes = elicitation?.modes() ?? [];
    if (!elicitation || modes.length === 0) {
      return undefined;
    }
    return {
      modes,
      elicit: ({ task, ...request }, params) =>
        this.whileAskingYou(async () => {
          await setImmediate(); // as for a language model
          return elicitation.elicit({ ...request, requests: this.#inFlight.reasons(task) }, params);
        }),
    };
  }

  /** Has you open the addresses that a request requires (error -32042); undefined if the server can't require any. */
  async #openRequired(
    request: RequestInFlight,
    data: unknown,
    signal: AbortSignal,
  ): Promise<ElicitResult['action'] | undefined> {
    const { elicitation } = this.#context;
    const { session } = this.#current;
    if (!elicitation || session?.canRequireAddresses !== true) {
      return undefined;
    }
    const { revision, endSignal: ended } = session;
    return this.whileAskingYou(() =>
      elicitation.openRequired({ revision, signal, ended, requests: [request] }, data),
    );
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
        watchers: this.listWatchers,
      }),
    );
    store.add(
      session.onDidChangeList(({ kind, how }) => {
        if (how === 'notified') {
          catalogue.notified(kind);
        } else {
          void catalogue.refresh(kind);
        }
      }),
    );
    store.add(catalogue.onDidChangeRepeats(() => this.#onDidChangeRepeats.fire()));
    store.add(catalogue.onDidChange((kind) => this.#onDidChangeCatalogue.fire(kind)));
    this.#current.begins(session, catalogue);
    // Before the state changes, so that its listeners see that the lists are being read.
    const listed = catalogue.refreshAll();
    const { era, revision, pid } = session;
    this.#runs += 1;
    reached({ kind: 'running', era, revision, run: this.#runs, ...(pid !== undefined && { pid }) });
    if (signal.aborted) {
      close();
      return;
    }
    store.add(this.#subscriptions.serve(session.client));
    await Promise.race([listed, session.ended]);
    this.#current.hasListed(session);
  }
}
