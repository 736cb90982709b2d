import assert from 'node:assert/strict';
import path from 'node:path';
import type { After } from '../../../src/base/time/clock.ts';
import { CancellationError } from '../../../src/base/lifetime/cancellation.ts';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { Answer, Decision } from '../../../src/host/decisions/decision.ts';
import { DecisionStore } from '../../../src/host/decisions/decisionStore.ts';
import { InstallationKey } from '../../../src/host/launch/installationKey.ts';
import { LaunchApproval } from '../../../src/host/launch/question/launchApproval.ts';
import { Preferences } from '../../../src/host/servers/preferences.ts';
import { readEnvFile } from '../../../src/host/launch/envFile.ts';
import type { DefinitionProblem, ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../../src/host/folders/sharedRoot.ts';
import type { ConnectionState } from '../../../src/host/state/connectionState.ts';
import type { BackoffPolicy } from '../../../src/host/connection/failures/backoff.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { readRules, type RuleSetting, type ServerRules } from '../../../src/host/config/serverRules.ts';
import type { HostSettings } from '../../../src/host/config/settings.ts';
import { McpHost } from '../../../src/host/servers/mcpHost.ts';
import type { FolderDisk } from '../../../src/host/folders/folderDisk.ts';
import { RootsConsent } from '../../../src/host/roots/rootsConsent.ts';
import type { SignInPorts } from '../../../src/host/auth/serverAccount.ts';
import type { ServerElicitation } from '../../../src/host/connection/elicitationSource.ts';
import type { ServerSampling } from '../../../src/host/connection/samplingSource.ts';
import { ConnectionBed } from './connectionBed.ts';
import { FakeDisk } from './fakeDisk.ts';
import { RecordingLogger } from './recordingLogger.ts';
import { schemaChecks } from './schemaChecks.ts';
import { until } from './until.ts';
import { QuestionQueue } from '../../../src/host/questions/questionQueue.ts';
import { type LaunchQuestion, launchQuestions } from '../../../src/host/launch/question/launchQuestion.ts';
import { type RootsQuestion, rootsQuestions } from '../../../src/host/roots/rootsQuestion.ts';
import type { Question, QuestionKind } from '../../../src/host/questions/question.ts';
import { ofKind } from './questions.ts';
import { decisionKinds } from '../../../src/host/review/decisionKinds.ts';

/** Decisions on a disk that can be slow. */
class SlowDecisions extends DecisionStore {
  /** Whatever must be so before a decision is kept. */
  beforeSet: Promise<void> = Promise.resolve();
  #kept: Promise<unknown> = Promise.resolve();

  override put(decision: Decision, isStillMeant?: () => boolean): Promise<void> {
    const kept = this.beforeSet.then(() => super.put(decision, isStillMeant));
    this.#kept = Promise.allSettled([this.#kept, kept]);
    return kept;
  }

  /** Resolved when everything is kept, and the callers that waited for it have gone on. */
  async settled(): Promise<void> {
    for (let kept; kept !== this.#kept;) {
      kept = this.#kept;
      await kept;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

export interface HostBedOptions {
  readonly isTrusted?: boolean;
  readonly backoff?: BackoffPolicy;
  /** Without one, a disk that has every folder. */
  readonly disk?: FolderDisk;
  /** Without one, the clock of this machine. */
  readonly after?: After;
  /** Without one, no server is offered a language model. */
  readonly sampling?: ServerSampling;
  /** Without one, no server can ask the user to fill in forms. */
  readonly elicitation?: ServerElicitation;
  /** Without them, no server can have you sign in. */
  readonly signIn?: SignInPorts;
  readonly questions?: QuestionQueue;
}

/** A host with a workspace, settings and a person in the test's hands. */
export class HostBed {
  readonly bed = new ConnectionBed();
  readonly questions: QuestionQueue;
  readonly decisions = new SlowDecisions(decisionKinds, path.join(this.bed.directory, 'decisions'));
  readonly key = new InstallationKey(path.join(this.bed.directory, 'launch-key'));
  /** The content of every `envFile`; without it, what does on the disk. */
  envFile: Readonly<Record<string, string>> | undefined;
  envFileReads = 0;
  /** The environment of the host. */
  readonly env: NodeJS.ProcessEnv = { ...process.env };
  readonly settings = {
    autoStart: true,
    rootsDefault: 'ask' as HostSettings['rootsDefault'],
    requestTimeout: () => 60_000,
  };
  /** What the user would type for each input. */
  readonly inputs = new Map<string, string>();
  readonly logs = new Map<string, RecordingLogger>();
  readonly host: McpHost;
  readonly roots: RootsConsent;
  readonly #onDidChangeSettings = new Emitter<void>();
  readonly #onDidChangeFolders = new Emitter<void>();
  readonly #onDidGrant = new Emitter<void>();
  readonly #onDidChangeRules = new Emitter<void>();
  #rules = readRules(() => undefined);
  #folders: readonly WorkspaceFolder[] = [];
  #isTrusted: boolean;

  constructor({
    isTrusted = true,
    backoff = { firstMs: 1, maxMs: 1, tries: 0, stableMs: 60_000 },
    disk = new FakeDisk(),
    after,
    sampling,
    elicitation,
    signIn,
    questions = new QuestionQueue(),
  }: HostBedOptions = {}) {
    this.questions = questions;
    this.#isTrusted = isTrusted;
    const { settings } = this;
    const folders = (): readonly WorkspaceFolder[] => this.#folders;
    const trusted = (): boolean => this.#isTrusted;
    const rules = (): ServerRules => this.#rules;
    const source = {
      get folders() {
        return folders();
      },
      onDidChange: this.#onDidChangeFolders.event,
    };
    const hostSettings: HostSettings = {
      get autoStart() {
        return settings.autoStart;
      },
      get rootsDefault() {
        return settings.rootsDefault;
      },
      onDidChange: this.#onDidChangeSettings.event,
      requestTimeout: settings.requestTimeout,
    };
    this.roots = new RootsConsent({
      folders: source,
      settings: hostSettings,
      decisions: this.decisions,
      disk,
    });
    this.host = new McpHost({
      folders: source,
      trust: {
        get isTrusted() {
          return trusted();
        },
        onDidGrant: this.#onDidGrant.event,
      },
      settings: hostSettings,
      approval: new LaunchApproval(this.decisions, this.roots, this.key),
      readEnvFile: (file) => {
        this.envFileReads += 1;
        const { envFile: variables } = this;
        return variables ? { variables, realPath: path.resolve(file.base, file.path) } : readEnvFile(file);
      },
      env: this.env,
      roots: this.roots,
      preferences: new Preferences(this.decisions),
      questions: this.questions,
      rules: {
        get now() {
          return rules();
        },
        onDidChange: this.#onDidChangeRules.event,
      },
      schemas: schemaChecks,
      inputs: {
        valueOf: ({ id }) => {
          const value = this.inputs.get(id);
          return value === undefined ? Promise.reject(new CancellationError()) : Promise.resolve(value);
        },
      },
      createLogger: (label) => {
        const logger = new RecordingLogger();
        this.logs.set(label, logger);
        return logger;
      },
      clientVersion: '0.0.0',
      backoff,
      ...(after && { after }),
      ...(sampling && { sampling }),
      ...(elicitation && { elicitation }),
      ...(signIn && { signIn }),
    });
  }

  set folders(folders: readonly WorkspaceFolder[]) {
    this.#folders = folders;
    this.#onDidChangeFolders.fire();
  }

  set rootsDefault(value: HostSettings['rootsDefault']) {
    this.settings.rootsDefault = value;
    this.#onDidChangeSettings.fire();
  }

  /** What your settings of the editor say about servers. */
  set rules(values: Partial<Record<RuleSetting, unknown>>) {
    this.#rules = readRules((setting) => ({
      value: values[setting],

      layers: [values[setting]],
    }));
    this.#onDidChangeRules.fire();
  }

  grantTrust(): void {
    this.#isTrusted = true;
    this.#onDidGrant.fire();
  }

  /** Makes the definitions the configuration. */
  configure(definitions: readonly ServerDefinition[], problems: readonly DefinitionProblem[] = []): void {
    this.host.reconcile({ definitions: definitions.map((one) => this.bed.recorded(one)), problems });
  }

  /** Makes the definitions the configuration, allows every launch, and waits until all run. */
  async run(...definitions: ServerDefinition[]): Promise<readonly ServerConnection[]> {
    this.configure(definitions);
    this.answerAll('allow');
    await Promise.all(definitions.map((one) => this.until(one, 'running')));
    return definitions.map((one) => this.of(one));
  }

  /** The questions of one kind that wait for an answer. */
  asked<Q extends Question, A>(kind: QuestionKind<Q, A>): readonly Q[] {
    return ofKind(this.questions.questions, kind);
  }

  /** Waits until so many questions of a kind wait, and gives the first. */
  async untilAsked<Q extends Question, A>(kind: QuestionKind<Q, A>, count = 1): Promise<Q> {
    await until(
      () => this.asked(kind).length === count,
      `${count} questions wait`,
      this.questions.onDidChange,
    );
    const [question] = this.asked(kind);
    assert.ok(question);
    return question;
  }

  untilNothingWaits(): Promise<void> {
    const { questions } = this;
    return until(() => questions.questions.length === 0, 'nothing waits', questions.onDidChange);
  }

  /** The launches that wait for an answer. */
  get launches(): readonly LaunchQuestion[] {
    return this.asked(launchQuestions);
  }

  /** The questions of servers that have asked for folders. */
  get rootsQuestions(): readonly RootsQuestion[] {
    return this.asked(rootsQuestions);
  }

  /** Answers every launch, with all folders. */
  answerAll(answer: Answer): void {
    this.launches.forEach((question) =>
      this.questions.answer(
        question,
        answer === 'allow' ? { answer, roots: question.folders.map(({ uri }) => uri) } : { answer },
      ),
    );
  }

  of({ id }: ServerDefinition): ServerConnection {
    const server = this.host.server(id);
    if (!server) {
      throw new Error(`There is no server ${id}`);
    }
    return server.connection;
  }

  stateOf(definition: ServerDefinition): ConnectionState['kind'] | undefined {
    return this.host.server(definition.id)?.connection.state.kind;
  }

  pidOf(definition: ServerDefinition): number | undefined {
    const { state } = this.of(definition);
    return state.kind === 'running' ? state.pid : undefined;
  }

  until(definition: ServerDefinition, kind: ConnectionState['kind']): Promise<void> {
    return until(
      () => this.stateOf(definition) === kind,
      `${definition.name} is ${kind}`,
      this.host.onDidChangeServer,
    );
  }

  async close(): Promise<void> {
    await this.host.close();
    await this.roots.close();
    this.decisions.dispose();
    await this.decisions.settled();
    await this.bed.close();
  }
}
