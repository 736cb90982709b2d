import { homedir } from 'node:os';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { ServerSignIn } from '../auth/serverSignIn.ts';
import type {
  DefinitionProblem,
  DefinitionReading,
  ServerDefinition,
  ServerId,
} from '../config/serverDefinition.ts';
import { labelsOf, levelOf, type ShadowedDefinition } from '../config/serverNames.ts';
import { ListWatchers } from '../connection/lists/listWatchers.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { LaunchPath } from '../launch/question/launchPaths.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { LaunchQuestion } from '../launch/question/launchQuestion.ts';
import type { RootsConsent } from '../roots/rootsConsent.ts';
import { RootsQuestions } from '../roots/rootsQuestions.ts';
import type { RootsView } from '../roots/rootsView.ts';
import type { HostPorts } from './hostPorts.ts';
import { Launching } from './launching.ts';
import type { IdleState } from '../state/connectionState.ts';
import { ServerEntry } from './serverEntry.ts';
import { wantedDefinitions } from './wantedDefinitions.ts';

/** One configured server. */
export interface HostServer {
  readonly connection: ServerConnection;
  /** The name of the server as you see it; see `labelsOf`. */
  readonly label: string;
  /** Undefined for a server that no account is for. */
  readonly signIn?: ServerSignIn | undefined;
}

/** Keeps one connection for each configured server. */
export class McpHost {
  readonly #onDidChangeServers = new Emitter<void>();
  /** The set of servers or the problems of their definitions have changed. */
  readonly onDidChangeServers = this.#onDidChangeServers.event;
  readonly #onDidChangeServer = new Emitter<ServerConnection>();
  /** A server's state or catalogue has changed. */
  readonly onDidChangeServer = this.#onDidChangeServer.event;

  /** Who watches the lists of all servers. */
  readonly listWatchers = new ListWatchers();
  readonly #ports: HostPorts;
  readonly #launching: Launching;
  readonly #entries = new Map<ServerId, ServerEntry>();
  readonly #rootsQuestions: RootsQuestions;
  readonly #store = new DisposableStore();
  readonly #background = new Set<Promise<void>>();
  #labels: ReadonlyMap<ServerId, string> = new Map();
  #shadowed: readonly ShadowedDefinition[] = [];
  #reading: DefinitionReading = { definitions: [], problems: [] };
  #closing: Promise<void> | undefined;

  constructor(ports: HostPorts) {
    this.#ports = ports;
    this.#launching = new Launching(ports, () => ({ folders: ports.folders.folders, home: homedir() }));
    this.#rootsQuestions = this.#store.add(
      new RootsQuestions({
        consent: ports.roots,
        questions: ports.questions,
        failed: ({ definition }, error) =>
          this.#entries.get(definition.id)?.connection.logger.log('error', messageOf(error)),
        after: ports.after,
      }),
    );
    const { questions } = ports;
    this.#store.add(ports.roots.onDidChange(() => questions.inOneChange(() => this.#rootsChanged())));
    this.#store.add(
      ports.trust.onDidGrant(() =>
        questions.inOneChange(() => this.#entries.forEach(({ admission }) => admission.admit())),
      ),
    );
    this.#store.add(ports.approval.onDidChange(() => questions.inOneChange(() => this.#decisionsChanged())));
    if (ports.rules) {
      this.#store.add(
        ports.rules.onDidChange(() =>
          questions.inOneChange(() => this.#entries.forEach(({ admission }) => admission.rulesChanged())),
        ),
      );
    }
  }

  get servers(): readonly HostServer[] {
    return [...this.#entries.values()].map((entry) => this.#present(entry));
  }

  /** The problems of definitions; servers have their own states as well. */
  get problems(): readonly DefinitionProblem[] {
    return this.#reading.problems;
  }

  /** Definitions that do not run because another one of the same name takes precedence; see `useDefinition`. */
  get shadowed(): readonly ShadowedDefinition[] {
    return this.#shadowed;
  }

  server(id: ServerId): HostServer | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#present(entry);
  }

  /** The fingerprint of the launch that runs, as it was allowed; undefined for a server that does not run. */
  runningLaunchOf(id: ServerId): string | undefined {
    return this.#entries.get(id)?.runningLaunch;
  }

  /** The fingerprint of what would run now. */
  launchOf(definition: ServerDefinition): string {
    return this.#ports.approval.fingerprintOf(this.resolve(definition));
  }

  /** Why a start would not run a server now; undefined if it would. Asks you nothing. */
  hindranceOf(id: ServerId): IdleState | undefined {
    return this.#entryOf(id).admission.hindrance;
  }

  /** What would run now. Asks you nothing. */
  resolve(definition: ServerDefinition): ResolvedLaunch {
    return this.#launching.resolve(definition);
  }

  /** What each server may see of the workspace, and how you change that. */
  get roots(): RootsConsent {
    return this.#ports.roots;
  }

  /** What one server may see of the workspace, and what it could see. */
  rootsOf(definition: ServerDefinition): RootsView {
    return this.#ports.roots.viewOf(definition);
  }

  /** The question before a launch; see `LaunchApproval.record` for the answer. */
  questionAbout(definition: ServerDefinition): LaunchQuestion {
    return this.#launching.questionAbout(this.resolve(definition), this.#labelOf(definition));
  }

  /** The folders of the workspace that a launch reveals to its server. */
  launchPathsOf(launch: ResolvedLaunch): readonly LaunchPath[] {
    return this.#launching.pathsOf(launch);
  }

  /**
   * Makes the servers match the definitions: stops those that were removed, restarts those that have changed, starts
   * those that were added or asks you about them, and leaves the others running. A server whose definition has become
   * unreadable stays as it is.
   */
  reconcile(reading: DefinitionReading): void {
    if (this.#closing) {
      return;
    }
    const existing = [...this.#entries.values()].map(({ connection }) => connection.definition);
    const { wanted, shadowed } = wantedDefinitions(reading, this.#ports.preferences, existing);
    this.#reading = reading;
    this.#shadowed = shadowed;
    this.#labels = labelsOf([...wanted.values()]);
    this.#ports.questions.inOneChange(() => this.#follow(wanted));
    this.#onDidChangeServers.fire();
  }

  #follow(wanted: ReadonlyMap<ServerId, ServerDefinition>): void {
    for (const [id, entry] of this.#entries) {
      if (!wanted.has(id)) {
        this.#remove(id, entry);
      }
    }
    for (const [id, definition] of wanted) {
      const entry = this.#entries.get(id);
      if (entry) {
        this.#entries.delete(id); // and back, so that the order is that of the definitions
        this.#entries.set(id, entry);
        entry.update(definition);
      } else {
        this.#add(definition);
      }
    }
    this.#ports.roots.follow([...wanted.values()]);
    this.#rootsQuestions.update();
  }

  /**
   * Starts a server because you asked for it, even a disabled one. If its launch is not allowed, you are asked instead.
   *
   * @throws HostError that says why it does not run.
   */
  async start(id: ServerId): Promise<void> {
    const { connection, admission, signIn } = this.#entryOf(id);
    signIn?.askAgain();
    const launch = admission.launchToStart();
    if (launch) {
      await connection.start(launch);
    }
  }

  /** Makes a shadowed definition take precedence over the one that shadows it. */
  async useDefinition({ definition }: ShadowedDefinition): Promise<void> {
    const { preferences } = this.#ports;
    const level = levelOf(definition.origin);
    const others = this.#reading.definitions.filter(
      ({ name, origin }) => name === definition.name && levelOf(origin) !== level,
    );
    await Promise.all(others.map(({ id }) => preferences.takeBack(id)));
    if (others.some(({ origin }) => levelOf(origin) < level)) {
      await preferences.prefer(definition);
    }
  }

  async stop(id: ServerId): Promise<void> {
    const { connection, admission } = this.#entryOf(id);
    admission.withdraw();
    await connection.stop();
  }

  /** @throws HostError that says why it does not run. */
  async restart(id: ServerId): Promise<void> {
    const { connection, admission, signIn } = this.#entryOf(id);
    signIn?.askAgain();
    await connection.restart(() => admission.launchToStart());
  }

  /** Ends all connections and processes at the same time; resolves when they have ended. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.#store.dispose();
    const entries = [...this.#entries.values()];
    entries.forEach(({ admission }) => admission.dispose());
    await Promise.allSettled([...entries.map(({ connection }) => connection.close()), ...this.#background]);
    entries.forEach((entry) => entry.dispose());
    this.#onDidChangeServers.dispose();
    this.listWatchers.dispose();
    this.#onDidChangeServer.dispose();
  }

  #present({ connection, signIn }: ServerEntry): HostServer {
    return { connection, label: this.#labelOf(connection.definition), signIn };
  }

  #labelOf({ id, name }: ServerDefinition): string {
    return this.#labels.get(id) ?? name;
  }

  #entryOf(id: ServerId): ServerEntry {
    const entry = this.#entries.get(id);
    if (!entry) {
      throw new HostError('notRunning', 'the server no longer exists');
    }
    return entry;
  }

  #add(definition: ServerDefinition): void {
    const entry = new ServerEntry(definition, {
      ports: this.#ports,
      launching: this.#launching,
      rootsQuestions: this.#rootsQuestions,
      listWatchers: this.listWatchers,
      labelOf: (one) => this.#labelOf(one),
      changed: (connection) => this.#changed(connection),
      inBackground: (connection, work) => this.#inBackground(connection, work),
    });
    this.#entries.set(definition.id, entry);
    entry.admission.admit();
  }

  /** A server that was removed may end after it has been added again: that is no change of the one that runs. */
  #changed(connection: ServerConnection): void {
    const current = this.#entries.get(connection.definition.id)?.connection;
    if (!current || current === connection) {
      this.#onDidChangeServer.fire(connection);
    }
  }

  #remove(id: ServerId, entry: ServerEntry): void {
    this.#entries.delete(id);
    entry.admission.dispose();
    const { connection } = entry;
    this.#inBackground(
      connection,
      connection.close().finally(() => entry.dispose()),
    );
  }

  #rootsChanged(): void {
    for (const entry of this.#entries.values()) {
      entry.rootsChanged();
      // Variables may have other values.
      entry.admission.decisionsChanged();
    }
  }

  /** Applies decisions that were made here or in another window. */
  #decisionsChanged(): void {
    const { wanted } = wantedDefinitions(this.#reading, this.#ports.preferences, []);
    if ([...wanted.keys()].some((id) => !this.#entries.has(id))) {
      this.reconcile(this.#reading);
    }
    this.#entries.forEach(({ admission }) => admission.decisionsChanged());
  }

  /** Runs work that only the end of the host waits for, and logs its failure. */
  #inBackground({ logger }: ServerConnection, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => logger.log('error', messageOf(error)))
      .finally(() => this.#background.delete(done));
    this.#background.add(done);
  }
}
