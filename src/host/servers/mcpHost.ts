import { homedir } from 'node:os';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { Admission } from './admission.ts';
import {
  launchOf,
  type DefinitionProblem,
  type DefinitionReading,
  type ServerDefinition,
  type ServerId,
} from '../config/serverDefinition.ts';
import { labelsOf, withoutShadowed, type ShadowedDefinition } from '../config/serverNames.ts';
import type { Places } from '../folders/workingDirectory.ts';
import { defaultBackoff } from '../../base/backoffPolicy.ts';
import { ListAudience } from '../connection/lists/listAudience.ts';
import { levelSource } from '../connection/lists/levelChoices.ts';
import { ServerConnection } from '../connection/serverConnection.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { HostPorts } from './hostPorts.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import { Launching } from './launching.ts';
import type { ConsentSubject, RootsConsent } from '../roots/rootsConsent.ts';
import { RootsQuestions } from '../roots/rootsQuestions.ts';
import { RootsLog } from '../roots/rootsSummary.ts';
import type { RootsView } from '../roots/rootsView.ts';
import { pathOf, visibleFolders, type SharedRoot } from '../folders/sharedRoot.ts';
import { launchPaths, launchPathText, type LaunchPath } from '../launch/question/launchPaths.ts';
import type { LaunchQuestion } from '../launch/question/launchQuestion.ts';

/** One configured server with what belongs to it. */
export interface HostServer {
  readonly connection: ServerConnection;
  /** What the server is called before the person; see `labelsOf`. */
  readonly label: string;
}

interface Entry {
  readonly connection: ServerConnection;
  readonly admission: Admission;
  readonly store: DisposableStore;
  readonly rootsLog: RootsLog;
  /** What runs, or was to run last. */
  current?: ResolvedLaunch;
  /** Its fingerprint, with the inputs that it was given. */
  fingerprint?: string;
}

/** Runs one connection for each configured server, and keeps them as the definitions say. */
export class McpHost {
  readonly #onDidChangeServers = new Emitter<void>();
  /** The set of servers, or what is wrong with their definitions, has changed. */
  readonly onDidChangeServers = this.#onDidChangeServers.event;
  readonly #onDidChangeServer = new Emitter<ServerConnection>();
  /** One server's state or catalogue has changed. */
  readonly onDidChangeServer = this.#onDidChangeServer.event;

  /** Who watches the lists of all servers. */
  readonly audience = new ListAudience();
  readonly #ports: HostPorts;
  readonly #launching: Launching;
  readonly #entries = new Map<ServerId, Entry>();
  readonly #rootsQuestions: RootsQuestions;
  readonly #store = new DisposableStore();
  readonly #background = new Set<Promise<void>>();
  #labels: ReadonlyMap<ServerId, string> = new Map();
  #problems: readonly DefinitionProblem[] = [];
  #shadowed: readonly ShadowedDefinition[] = [];
  #reading: DefinitionReading = { definitions: [], problems: [] };
  #closing: Promise<void> | undefined;

  constructor(ports: HostPorts) {
    this.#ports = ports;
    this.#launching = new Launching(ports, () => this.places);
    this.#rootsQuestions = this.#store.add(
      new RootsQuestions({
        consent: ports.roots,
        questions: ports.questions,
        failed: ({ definition }, error) =>
          this.#entries.get(definition.id)?.connection.logger.log('error', messageOf(error)),
        after: ports.after,
      }),
    );
    this.#store.add(ports.folders.onDidChange(() => this.#foldersChanged()));
    this.#store.add(
      ports.trust.onDidGrant(() => this.#entries.forEach(({ admission }) => admission.admit())),
    );
    this.#store.add(ports.approval.onDidChange(() => this.#decisionsChanged()));
    this.#store.add(ports.roots.onDidChange(() => this.#rootsChanged()));
  }

  get servers(): readonly HostServer[] {
    return [...this.#entries.values()].map(({ connection }) => this.#present(connection));
  }

  /** What is wrong with what is written; see also each server's state. */
  get problems(): readonly DefinitionProblem[] {
    return this.#problems;
  }

  /** Definitions that do not run because another one of the same name wins; see `useDefinition`. */
  get shadowed(): readonly ShadowedDefinition[] {
    return this.#shadowed;
  }

  server(id: ServerId): HostServer | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#present(entry.connection);
  }

  /** The fingerprint of the launch that runs, as it was when it was allowed; undefined for a server that does not run. */
  runningLaunchOf(id: ServerId): string | undefined {
    const entry = this.#entries.get(id);
    return entry?.connection.state.kind === 'running' ? entry.fingerprint : undefined;
  }

  /** The fingerprint of what would be launched now. */
  launchOf(definition: ServerDefinition): string {
    return this.#ports.approval.fingerprintOf(this.resolve(definition));
  }

  /** What would run at this moment; nobody is asked for anything. */
  resolve(definition: ServerDefinition): ResolvedLaunch {
    return this.#launching.resolve(definition);
  }

  /** What each server may see of the workspace, and the person's acts on it. */
  get roots(): RootsConsent {
    return this.#ports.roots;
  }

  /** What one server may see of the workspace, and what it could. */
  rootsOf(definition: ServerDefinition): RootsView {
    return this.#ports.roots.viewOf(definition);
  }

  /**
   * Where a stdio server starts: in its `cwd`, taken from the folder that defines it; without one in that
   * folder, for the workspace's own file in its first folder, for a user's server in the home directory.
   * A `cwd` with an input is given as it is written.
   */
  workingDirectoryOf(definition: ServerDefinition): string {
    return this.resolve(definition).workingDirectory;
  }

  /** What paths in definitions are taken from. */
  get places(): Places {
    return { folders: this.#ports.folders.folders, home: homedir() };
  }

  /** What the person is asked before a launch; see `LaunchApproval.record` for the answer. */
  questionAbout(definition: ServerDefinition): LaunchQuestion {
    return this.#questionAbout(this.resolve(definition));
  }

  #questionAbout(launch: ResolvedLaunch): LaunchQuestion {
    const { id, name } = launch.definition;
    return this.#ports.approval.question({
      launch,
      label: this.#labels.get(id) ?? name,
      workspace: this.#workspace,
      tells: this.launchPathsOf(launch).map(launchPathText),
    });
  }

  /** All folders of the workspace that are on a disk. */
  get #workspace(): readonly SharedRoot[] {
    return visibleFolders({}, this.#ports.folders.folders).onDisk;
  }

  /** What a launch tells its server of the workspace. */
  launchPathsOf(launch: ResolvedLaunch): readonly LaunchPath[] {
    return launchPaths(launch, this.#workspace.map(pathOf));
  }

  /**
   * Makes the connections what the definitions say: the removed are stopped, the changed restarted, the
   * added started or asked about; the others keep their process. A server whose definition has become
   * unreadable goes on as it was: the person may be in the middle of writing.
   */
  reconcile(reading: DefinitionReading): void {
    if (this.#closing) {
      return;
    }
    this.#reading = reading;
    const { definitions, problems } = reading;
    const { effective, shadowed } = withoutShadowed(definitions, (id) =>
      this.#ports.preferences.isPreferred(id),
    );
    const wanted = new Map(effective.map((definition) => [definition.id, definition]));
    for (const [id, entry] of this.#entries) {
      const { definition } = entry.connection;
      if (!wanted.has(id) && isUnreadable(definition, problems)) {
        wanted.set(id, definition);
      }
    }
    this.#problems = problems;
    this.#shadowed = shadowed;
    this.#labels = labelsOf([...wanted.values()]);
    for (const [id, entry] of this.#entries) {
      if (!wanted.has(id)) {
        this.#remove(id, entry);
      }
    }
    for (const definition of wanted.values()) {
      const entry = this.#entries.get(definition.id);
      if (entry) {
        this.#update(entry, definition);
      } else {
        this.#add(definition);
      }
    }
    this.#ports.roots.follow([...wanted.values()]);
    this.#rootsQuestions.update();
    this.#onDidChangeServers.fire();
  }

  /**
   * Starts a server because the person asked for it: one that is switched off, too. A launch that is not
   * allowed yet, or no more, is asked about instead.
   *
   * @throws HostError that says why it does not run.
   */
  async start(id: ServerId): Promise<void> {
    const { connection, admission } = this.#entryOf(id);
    const launch = admission.launchToStart();
    if (launch) {
      await connection.start(launch);
    }
  }

  /** Lets a shadowed definition run instead of the one that shadows it. */
  async useDefinition({ definition }: ShadowedDefinition): Promise<void> {
    const { preferences } = this.#ports;
    if (definition.origin.scope !== 'user') {
      await preferences.prefer(definition);
      return;
    }
    const others = this.#reading.definitions.filter(({ name }) => name === definition.name);
    await Promise.all(others.map(({ id }) => preferences.takeBack(id)));
  }

  async stop(id: ServerId): Promise<void> {
    const { connection, admission } = this.#entryOf(id);
    admission.withdraw();
    await connection.stop();
  }

  /** @throws HostError that says why it does not run. */
  async restart(id: ServerId): Promise<void> {
    const { connection, admission } = this.#entryOf(id);
    await connection.restart(() => admission.launchToStart());
  }

  /** Ends every connection and process, all at once; resolved when they are gone. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.#store.dispose();
    const entries = [...this.#entries.values()];
    entries.forEach(({ admission }) => admission.dispose());
    await Promise.allSettled([...entries.map(({ connection }) => connection.close()), ...this.#background]);
    entries.forEach(({ store }) => store.dispose());
    this.#onDidChangeServers.dispose();
    this.audience.dispose();
    this.#onDidChangeServer.dispose();
  }

  #present(connection: ServerConnection): HostServer {
    const { id, name } = connection.definition;
    return { connection, label: this.#labels.get(id) ?? name };
  }

  #subjectOf(connection: ServerConnection): ConsentSubject {
    return { definition: connection.definition, label: this.#present(connection).label };
  }

  #entryOf(id: ServerId): Entry {
    const entry = this.#entries.get(id);
    if (!entry) {
      throw new HostError('notRunning', 'there is no such server any more');
    }
    return entry;
  }

  #add(definition: ServerDefinition): void {
    const store = new DisposableStore();
    const logger = store.add(this.#ports.createLogger(this.#labels.get(definition.id) ?? definition.name));
    const secrets = new Set<string>();
    const connection: ServerConnection = new ServerConnection(definition, {
      logger,
      level: levelSource(definition.id, logger, this.#ports.levels),
      clientVersion: this.#ports.clientVersion,
      backoff: this.#ports.backoff ?? defaultBackoff,
      roots: () => this.rootsOf(connection.definition).shared,
      prepareRoots: (request) => this.#rootsQuestions.prepare(() => this.#subjectOf(connection), request),
      audience: this.audience,
      after: this.#ports.after,
      processes: this.#ports.processes,
      knownEra: this.#ports.eras?.of(() => entry.fingerprint),
      sampling: this.#ports.sampling?.forServer(() => this.#subjectOf(connection)),
      resolve: () => this.resolve(connection.definition),
      allows: (launch) => {
        entry.current = launch;
        return this.#launching.allows(launch);
      },
      admit: async (launch, signal) => {
        const { fingerprint, ready } = await this.#launching.admit(launch, secrets, signal);
        entry.fingerprint = fingerprint;
        return ready;
      },
      secrets,
      requestTimeout: () => this.#ports.settings.requestTimeout(definition.origin),
    });
    const admission = store.add(
      new Admission(connection, {
        ports: this.#ports,
        resolve: (one) => this.resolve(one),
        current: () => entry.current,
        questionAbout: (launch) => this.#questionAbout(launch),
        inBackground: (one, work) => this.#inBackground(one, work),
      }),
    );
    store.add(
      connection.onDidChangeState((state) => {
        this.#onDidChangeServer.fire(connection);
        if (state.kind === 'failed' && state.reason.code === 'notAllowed') {
          admission.goOn();
        }
      }),
    );
    store.add(connection.onDidChangeCatalogue(() => this.#onDidChangeServer.fire(connection)));
    store.add(connection.onDidChangeRepeats(() => this.#onDidChangeServer.fire(connection)));
    store.add(connection.rootsKnowledge.onDidChange(() => this.#onDidChangeServer.fire(connection)));
    const entry: Entry = { connection, admission, store, rootsLog: new RootsLog(logger) };
    this.#entries.set(definition.id, entry);
    admission.admit();
  }

  #update({ connection, admission }: Entry, definition: ServerDefinition): void {
    const before = connection.definition;
    connection.update(definition);
    connection.rootsChanged();
    if (launchOf(before) !== launchOf(definition) || before.disabled !== definition.disabled) {
      connection.logger.log('info', 'The definition has changed.');
      admission.stopAndAdmit();
    }
  }

  #remove(id: ServerId, { connection, admission, store }: Entry): void {
    this.#entries.delete(id);
    admission.dispose();
    this.#inBackground(
      connection,
      connection.close().finally(() => store.dispose()),
    );
  }

  #foldersChanged(): void {
    for (const { connection, admission } of this.#entries.values()) {
      connection.rootsChanged();
      // Variables may stand for other places.
      admission.decisionsChanged();
    }
    this.#rootsQuestions.update();
  }

  /** What was decided, here or in another window, holds at once. */
  #decisionsChanged(): void {
    const { effective } = withoutShadowed(this.#reading.definitions, (id) =>
      this.#ports.preferences.isPreferred(id),
    );
    if (effective.some(({ id }) => !this.#entries.has(id))) {
      this.reconcile(this.#reading);
    }
    this.#entries.forEach(({ admission }) => admission.decisionsChanged());
  }

  /** Which folders are shared may be different: servers are told. */
  #rootsChanged(): void {
    for (const { connection, rootsLog } of this.#entries.values()) {
      rootsLog.update(this.rootsOf(connection.definition));
      connection.rootsChanged();
      this.#onDidChangeServer.fire(connection);
    }
  }

  /** For work that nobody waits for but the end of the host: a failure is logged, never lost. */
  #inBackground({ logger }: ServerConnection, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => logger.log('error', messageOf(error)))
      .finally(() => this.#background.delete(done));
    this.#background.add(done);
  }
}

/** True when a definition that was there may still be meant: its layer, or itself, cannot be read. */
function isUnreadable({ origin, name }: ServerDefinition, problems: readonly DefinitionProblem[]): boolean {
  return problems.some(
    (problem) =>
      problem.severity === 'error' &&
      problem.origin.scope === origin.scope &&
      problem.origin.place === origin.place &&
      (problem.name === undefined || problem.name === name),
  );
}
