import { socketAddress } from '../addresses/serverAddress.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { LevelledLogger } from '../../base/logging/logger.ts';
import { ServerSignIn } from '../auth/serverSignIn.ts';
import { launchOf, type ServerDefinition } from '../config/serverDefinition.ts';
import { defaultBackoff } from '../connection/failures/backoff.ts';
import type { ListWatchers } from '../connection/lists/listWatchers.ts';
import { levelSource } from '../connection/messages/logLevels.ts';
import { ServerConnection } from '../connection/serverConnection.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import { RootsLog } from '../roots/rootsSummary.ts';
import type { AskingServer } from '../questions/question.ts';
import type { RootsQuestions } from '../roots/rootsQuestions.ts';
import { isIdle } from '../state/connectionState.ts';
import { Admission } from './admission.ts';
import type { HostPorts } from './hostPorts.ts';
import type { Launching } from './launching.ts';

/** What one entry needs of the host. */
interface EntryContext {
  readonly ports: HostPorts;
  readonly launching: Launching;
  readonly rootsQuestions: RootsQuestions;
  /** Who watches the lists of all servers. */
  readonly listWatchers: ListWatchers;
  labelOf(definition: ServerDefinition): string;
  /** Called when the state or the catalogue has changed, or which roots the server has listed. */
  changed(connection: ServerConnection): void;
  /** Runs work that only the end of the host waits for. */
  inBackground(connection: ServerConnection, work: Promise<void>): void;
}

/** One configured server: its connection, and what decides about its starts. */
export class ServerEntry implements Disposable {
  readonly connection: ServerConnection;
  readonly admission: Admission;
  /** Undefined for a server that no account is for. */
  readonly signIn: ServerSignIn | undefined;
  readonly #context: EntryContext;
  readonly #secrets = new Set<string>();
  readonly #store = new DisposableStore();
  readonly #rootsLog: RootsLog;
  /** What runs, or the last launch that was to run. */
  #launch: ResolvedLaunch | undefined;
  /** The same, with its inputs once it has them. */
  #whole: ResolvedLaunch | undefined;
  /** Its fingerprint, with the inputs that it was given. */
  #fingerprint: string | undefined;

  constructor(definition: ServerDefinition, context: EntryContext) {
    this.#context = context;
    const logger = this.#store.add(context.ports.createLogger(context.labelOf(definition)));
    this.connection = this.#connect(definition, logger);
    this.signIn = this.#signInFor(definition);
    this.#rootsLog = new RootsLog(logger);
    this.admission = this.#store.add(
      new Admission(this.connection, {
        ports: context.ports,
        resolve: () => context.launching.resolve(this.connection.definition),
        current: () => this.#launch,
        refusalOf: (launch) => context.launching.refusalOf(launch),
        refusalOfCurrent: () => this.#whole && context.launching.refusalOf(this.#whole),
        questionAbout: (launch) =>
          context.launching.questionAbout(launch, context.labelOf(launch.definition)),
        inBackground: (work) => context.inBackground(this.connection, work),
      }),
    );
    this.#follow();
  }

  /** The fingerprint of the launch that runs, as it was allowed; undefined if the server does not run. */
  get runningLaunch(): string | undefined {
    return this.connection.state.kind === 'running' ? this.#fingerprint : undefined;
  }

  /** Takes a changed definition; the server restarts if its launch has changed. */
  update(definition: ServerDefinition): void {
    const { connection, admission } = this;
    const before = connection.definition;
    connection.update(definition);
    connection.rootsChanged();
    if (launchOf(before) !== launchOf(definition) || before.disabled !== definition.disabled) {
      connection.logger.log('info', 'The definition has changed.');
      admission.stopAndAdmit();
    }
  }

  /** Call when other folders may be shared. */
  rootsChanged(): void {
    const { connection } = this;
    this.#rootsLog.update(this.#context.ports.roots.viewOf(connection.definition));
    connection.rootsChanged();
    this.#context.changed(connection);
  }

  /** Call when the connection has been closed. */
  dispose(): void {
    this.#store.dispose();
  }

  #connect(definition: ServerDefinition, logger: LevelledLogger): ServerConnection {
    const { ports, launching, rootsQuestions, listWatchers } = this.#context;
    const server = (): AskingServer => this.#asking;
    const secrets = this.#secrets;
    const connection: ServerConnection = new ServerConnection(definition, {
      logger,
      level: levelSource(definition.id, logger, ports.levels),
      clientVersion: ports.clientVersion,
      schemas: ports.schemas.of(definition.id),
      backoff: ports.backoff ?? defaultBackoff,
      roots: () => ports.roots.viewOf(connection.definition).shared,
      prepareRoots: (request) => rootsQuestions.prepare(server, request),
      listWatchers,
      after: ports.after,
      processes: ports.processes,
      eraCache: ports.eras?.of(() => this.#fingerprint),
      sampling: ports.sampling?.forServer(server),
      elicitation: ports.elicitation?.forServer(server),
      resolve: () => launching.resolve(connection.definition),
      allows: (launch) => {
        this.#launch = launch;
        this.#whole = launch;
        return launching.allows(launch);
      },
      admit: async (launch, signal) => {
        const { fingerprint, whole, ready } = await launching.admit(launch, secrets, signal);
        this.#fingerprint = fingerprint;
        this.#whole = whole;
        return ready;
      },
      authorize: (ready) => (socketAddress(ready.url) ? undefined : this.signIn?.authorize(ready)),
      secrets,
      requestTimeout: () => ports.settings.requestTimeout(definition.origin),
    });
    return connection;
  }

  get #asking(): AskingServer {
    const { definition } = this.connection;
    return { definition, label: this.#context.labelOf(definition) };
  }

  #signInFor({ type }: ServerDefinition): ServerSignIn | undefined {
    const ports = this.#context.ports.signIn;
    if (type === 'stdio' || !ports) {
      return undefined;
    }
    return this.#store.add(
      new ServerSignIn({
        ports,
        server: () => this.#asking,
        connection: this.connection,
        secrets: this.#secrets,
        signedIn: () => this.#signedIn(),
        accountChanged: () => this.#context.changed(this.connection),
      }),
    );
  }

  /** Starts a server that waits for that, or has failed perhaps only for lack of a token. */
  #signedIn(): void {
    const { state } = this.connection;
    const isWaiting = state.kind === 'signInRequired' || state.kind === 'authorizing';
    if (isWaiting || (state.kind === 'failed' && state.reason.code === 'refused')) {
      this.admission.startIfAllowed();
    } else {
      this.connection.readListsAgain();
    }
  }

  #follow(): void {
    const { connection, admission } = this;
    const changed = (): void => this.#context.changed(connection);
    this.#store.add(
      connection.onDidChangeState((state) => {
        if (isIdle(state)) {
          this.signIn?.stopped();
        }
        changed();
        if (state.kind === 'failed' && state.reason.code === 'notAllowed') {
          admission.startIfAllowed();
        } else if (state.kind === 'failed' && state.reason.code === 'forbidden') {
          connection.hold({ kind: 'forbidden', reason: state.reason });
        }
      }),
    );
    this.#store.add(connection.onDidChangeCatalogue(changed));
    this.#store.add(connection.onDidChangeRepeats(changed));
    this.#store.add(connection.rootsKnowledge.onDidChange(changed));
  }
}
