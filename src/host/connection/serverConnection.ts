import type {
  CallToolResult,
  CompleteRequestParams,
  GetPromptResult,
  Implementation,
  ReadResourceResult,
} from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { After } from '../../base/after.ts';
import { CancellationError, unlessAborted } from '../../base/cancellation.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { redacting } from '../../base/redacting.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { HostError, messageOf } from '../hostError.ts';
import { ResourceSubscriptions, type ResourceWatch } from '../resources/resourceSubscriptions.ts';
import { RootsKnowledge } from '../roots/rootsKnowledge.ts';
import type { RootsRequest } from '../roots/rootsQuestions.ts';
import type { SharedRoot } from '../roots/sharedRoot.ts';
import type { BackoffPolicy } from './backoffPolicy.ts';
import { Catalogue } from './catalogue.ts';
import { fitToShow, isWorthRetrying } from './connectionFailure.ts';
import { answering, type ConnectionSampling } from './connectionSampling.ts';
import { isActive, type ConnectionState, type IdleState } from './connectionState.ts';
import { callListedTool } from './listedToolCall.ts';
import { openSession } from './openSession.ts';
import { PersonPause } from './requestWatchdog.ts';
import { anyResult, sendRequest, type RequestLimits, type RequestOptions } from './requests.ts';
import { RequestsInFlight, type RequestInFlight } from './requestsInFlight.ts';
import type { ListKind, Session } from './session.ts';

/** What a connection needs of the host, read at the moment of use. */
export interface ConnectionContext {
  readonly logger: Logger;
  readonly clientVersion: string;
  readonly backoff: BackoffPolicy;
  /** What this server may see of the workspace now. */
  roots(): readonly SharedRoot[];
  /** Resolves when that is the answer to a request for roots, whoever has to be asked first. */
  prepareRoots(request: RootsRequest): Promise<void>;
  /** Fills in the variables of a definition that is about to start. */
  expand(definition: ServerDefinition, signal: AbortSignal): Promise<ServerDefinition>;
  /** Values that appear in no log and no failure; `expand` adds to them. */
  readonly secrets: Iterable<string>;
  /** The absolute path in which the process of an expanded definition starts. */
  workingDirectory(expanded: ServerDefinition): string;
  /** Milliseconds of silence allowed to a request: `mcpHost.requestTimeout`. */
  requestTimeout(): number;
  /** Whether the person has allowed what would be launched now. Asked right before each launch. */
  isAllowed(): boolean;
  /** Without it the server is offered no language model. */
  readonly sampling?: ConnectionSampling | undefined;
  /** The clock that decides how long a server may take to list its roots anew; without one, the machine's. */
  readonly after?: After | undefined;
}

/** One stretch from a start to the stop that ends it, with the tries in between. */
interface Run {
  readonly abort: AbortController;
  /** Settles with the first try: running, or why not. */
  readonly firstTry: Promise<void>;
  readonly done: Promise<void>;
  /** Ends the waiting of a back-off. */
  hurry: () => void;
}

/** One server: its definition, its state, and what it offers while it runs. */
export class ServerConnection {
  readonly #onDidChangeState = new Emitter<ConnectionState>();
  readonly onDidChangeState = this.#onDidChangeState.event;
  readonly #onDidChangeCatalogue = new Emitter<ListKind>();
  readonly onDidChangeCatalogue = this.#onDidChangeCatalogue.event;
  /** What the server knows of its roots since its start. */
  readonly rootsKnowledge: RootsKnowledge;
  readonly #context: ConnectionContext;
  readonly #logger: Logger;
  readonly #personPause = new PersonPause();
  readonly #subscriptions: ResourceSubscriptions;
  readonly #inFlight = new RequestsInFlight();

  #definition: ServerDefinition;
  #state: ConnectionState = { kind: 'stopped' };
  #session: Session | undefined;
  #catalogue: Catalogue | undefined;
  #run: Run | undefined;
  /** How often the server was stopped: a start that waits is taken back by the next stop. */
  #stops = 0;
  #isClosed = false;

  constructor(definition: ServerDefinition, context: ConnectionContext) {
    this.#definition = definition;
    this.#context = context;
    this.#logger = redacting(context.logger, context.secrets);
    this.#subscriptions = new ResourceSubscriptions({
      logger: this.#logger,
      backoff: context.backoff,
      timeout: () => this.#definition.timeout ?? context.requestTimeout(),
    });
    this.rootsKnowledge = new RootsKnowledge(() => context.roots(), context.after);
  }

  get definition(): ServerDefinition {
    return this.#definition;
  }

  get logger(): Logger {
    return this.#logger;
  }

  get state(): ConnectionState {
    return this.#state;
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
    if (!this.#run) {
      this.#setState(state);
    }
  }

  /**
   * Starts the server, or waits for the start under way; in a back-off, tries at once.
   *
   * @throws HostError that says why it does not run; further tries may follow by themselves.
   * CancellationError when it was stopped meanwhile.
   */
  async start(): Promise<void> {
    const stops = this.#stops;
    for (let run = this.#run; run; run = this.#run) {
      if (!run.abort.signal.aborted) {
        if (this.#state.kind !== 'backingOff') {
          return run.firstTry;
        }
        this.#end(run);
      }
      await run.done;
      if (stops !== this.#stops) {
        throw new CancellationError();
      }
    }
    if (this.#isClosed) {
      throw new HostError('notRunning', 'the server was removed');
    }
    this.#run = this.#startRun();
    return this.#run.firstTry;
  }

  /** Stops the server, whatever it is doing; resolved when its process is gone. */
  async stop(): Promise<void> {
    this.#stops += 1;
    const run = this.#run;
    if (run) {
      this.#end(run);
      await run.done;
    } else {
      this.#setState({ kind: 'stopped' });
    }
  }

  /** @throws as `start`. */
  async restart(): Promise<void> {
    const stopped = this.stop();
    const stops = this.#stops;
    await stopped;
    if (stops !== this.#stops) {
      throw new CancellationError();
    }
    await this.start();
  }

  /** Stops the server for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
    this.#onDidChangeState.dispose();
    this.#onDidChangeCatalogue.dispose();
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

  /**
   * Calls a tool (server/tools). A failed tool is still a result: check `isError` before trusting
   * `content`.
   *
   * @throws HostError `notRunning`, `timedOut` or `protocol`; CancellationError when the signal aborted.
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions = {},
    signal?: AbortSignal,
  ): Promise<CallToolResult> {
    return this.#tracked(
      { method: 'tools/call', target: name, args },
      ({ client }, limits) => callListedTool(client, this.#catalogue, { name, arguments: args }, limits),
      options,
      signal,
    );
  }

  /**
   * Reads a resource (server/resources), anew each time: see `ResourceReader` for what is kept.
   *
   * @throws as `callTool`.
   */
  readResource(uri: string, options: RequestOptions = {}, signal?: AbortSignal): Promise<ReadResourceResult> {
    return this.#tracked(
      { method: 'resources/read', target: uri },
      // The SDK's own cache counts no bytes.
      (session, limits) => session.client.readResource({ uri }, { ...limits, cacheMode: 'bypass' }),
      options,
      signal,
    );
  }

  /**
   * Gets a prompt with its arguments filled in (server/prompts).
   *
   * @throws as `callTool`.
   */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions = {},
    signal?: AbortSignal,
  ): Promise<GetPromptResult> {
    return this.#tracked(
      { method: 'prompts/get', target: name, args },
      (session, limits) => session.client.getPrompt({ name, arguments: { ...args } }, limits),
      options,
      signal,
    );
  }

  /** Whether the server has declared that it offers such a thing. */
  offers(kind: ListKind): boolean {
    return this.#session?.client.getServerCapabilities()?.[kind] !== undefined;
  }

  /** Whether the server completes the arguments of prompts and templates (server/utilities/completion). */
  get canComplete(): boolean {
    return this.#session?.client.getServerCapabilities()?.completions !== undefined;
  }

  /**
   * Asks for values of one argument of a prompt or a template (server/utilities/completion). The result is
   * as the server sent it, for one with more than 100 values is still of use: it has not been checked.
   *
   * @throws as `callTool`.
   */
  complete(params: CompleteRequestParams, signal?: AbortSignal): Promise<unknown> {
    return this.#request(
      (session, limits) =>
        session.client.request({ method: 'completion/complete', params: { ...params } }, anyResult, limits),
      {},
      signal,
    );
  }

  #tracked<T>(
    request: Omit<RequestInFlight, 'ended'>,
    send: (session: Session, limits: RequestLimits) => Promise<T>,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#inFlight.track(request, () => this.#request(send, options, signal));
  }

  async #request<T>(
    send: (session: Session, limits: RequestLimits) => Promise<T>,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const session = this.#session;
    if (!session) {
      throw new HostError('notRunning', 'the server is not running');
    }
    const silenceMs = this.#definition.timeout ?? this.#context.requestTimeout();
    try {
      return await sendRequest(
        (limits) => send(session, limits),
        this.#personPause,
        silenceMs,
        options,
        signal,
      );
    } catch (error) {
      throw error instanceof CancellationError ? error : fitToShow(error, this.#context.secrets);
    }
  }

  #end({ abort, hurry }: Run): void {
    if (!abort.signal.aborted) {
      this.#setState({ kind: 'stopping' });
      abort.abort();
      hurry();
    }
  }

  #startRun(): Run {
    const abort = new AbortController();
    const settled = Promise.withResolvers<void>();
    // Whoever asked for the start hears of it; a start by itself is heard of through the state.
    settled.promise.catch(() => {});
    const run: Run = {
      abort,
      firstTry: settled.promise,
      hurry: () => {},
      done: this.#keepRunning(abort.signal, settled, (hurry) => {
        run.hurry = hurry;
      })
        .catch((error: unknown) => new HostError('protocol', messageOf(error), { cause: error }))
        .then((failure) => {
          // Whoever hears of the state may start anew.
          this.#run = undefined;
          if (abort.signal.aborted || !failure) {
            settled.reject(new CancellationError());
            this.#setState({ kind: 'stopped' });
          } else {
            settled.reject(failure);
            this.#logger.log('error', `Failed: ${failure.message}`);
            this.#setState({ kind: 'failed', reason: failure });
          }
        }),
    };
    return run;
  }

  /** Starts the server again and again, until it is stopped or is not worth another try: then gives why. */
  async #keepRunning(
    signal: AbortSignal,
    firstTry: PromiseWithResolvers<void>,
    onWait: (hurry: () => void) => void,
  ): Promise<HostError | undefined> {
    const { backoff } = this.#context;
    for (let attempt = 0; ;) {
      const startedAt = Date.now();
      const failure = await this.#runOnce(signal, firstTry);
      if (signal.aborted || !failure) {
        return undefined;
      }
      firstTry.reject(failure);
      if (Date.now() - startedAt >= backoff.stableMs) {
        attempt = 0;
      }
      if (attempt >= backoff.tries || !isWorthRetrying(failure)) {
        return failure;
      }
      const wait = Math.min(backoff.firstMs * 2 ** attempt, backoff.maxMs);
      attempt += 1;
      this.#logger.log('warn', `Failed: ${failure.message}\nTry ${attempt} follows in ${wait} ms.`);
      this.#setState({ kind: 'backingOff', reason: failure, attempt, until: Date.now() + wait });
      const hurried = new AbortController();
      onWait(() => hurried.abort());
      await delay(wait, undefined, { signal: hurried.signal }).catch(() => {});
      if (signal.aborted) {
        return undefined;
      }
    }
  }

  /** One process or connection, from its start to its end; gives the failure that ended it. */
  async #runOnce(signal: AbortSignal, firstTry: PromiseWithResolvers<void>): Promise<HostError | undefined> {
    if (!this.#context.isAllowed()) {
      return new HostError('notAllowed', 'what would be launched is not what was allowed');
    }
    this.#setState({ kind: 'starting' });
    const { clientVersion } = this.#context;
    let session: Session;
    try {
      const definition = await unlessAborted(this.#context.expand(this.#definition, signal), signal);
      // The person may have been asked for inputs meanwhile, and files may have changed.
      if (!this.#context.isAllowed()) {
        return new HostError('notAllowed', 'what would be launched is not what was allowed');
      }
      session = await openSession(
        {
          definition,
          cwd: this.#context.workingDirectory(definition),
          roots: () => this.#context.roots(),
          prepareRoots: (request) => this.whileAskingPerson(() => this.#context.prepareRoots(request)),
          onListedRoots: (roots) => this.rootsKnowledge.listed(roots),
          createMessage: answering(this.#context.sampling, this.#inFlight, this.#personPause),
          logger: this.#logger,
          timeout: this.#definition.timeout ?? this.#context.requestTimeout(),
          clientVersion,
        },
        signal,
      );
    } catch (error) {
      if (error instanceof CancellationError) {
        return undefined;
      }
      return fitToShow(error, this.#context.secrets);
    }
    const store = new DisposableStore();
    try {
      await this.#serve(session, store, signal);
      firstTry.resolve();
      const failure = await session.ended;
      return failure && fitToShow(failure, this.#context.secrets);
    } finally {
      store.dispose();
      this.#session = undefined;
      this.#catalogue = undefined;
      this.rootsKnowledge.ended();
      await session.close();
    }
  }

  async #serve(session: Session, store: DisposableStore, signal: AbortSignal): Promise<void> {
    const logger = this.#logger;
    const close = (): void => void session.close();
    signal.addEventListener('abort', close, { once: true });
    store.add({ dispose: () => signal.removeEventListener('abort', close) });

    const catalogue = store.add(
      new Catalogue(session.client, { logger, timeout: this.#context.requestTimeout() }),
    );
    store.add(session.onDidChangeList((kind) => void catalogue.refresh(kind)));
    store.add(catalogue.onDidChange((kind) => this.#onDidChangeCatalogue.fire(kind)));
    this.#session = session;
    this.#catalogue = catalogue;
    // Whoever hears of the state finds that the lists are on their way.
    const listed = catalogue.refreshAll();
    const { era, revision, pid } = session;
    this.#setState({ kind: 'running', era, revision, ...(pid !== undefined && { pid }) });
    if (signal.aborted) {
      close();
      return;
    }
    store.add(this.#subscriptions.serve(session.client));
    await Promise.race([listed, session.ended]);
  }

  #setState(state: ConnectionState): void {
    if (this.#state.kind === state.kind && !isActive(state) && state.kind !== 'failed') {
      return;
    }
    this.#state = state;
    this.#logger.log(
      'info',
      `State: ${state.kind}${state.kind === 'running' ? `, revision ${state.revision}` : ''}`,
    );
    this.#onDidChangeState.fire(state);
  }
}
