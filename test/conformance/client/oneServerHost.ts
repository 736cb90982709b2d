import path from 'node:path';
import { CancellationError } from '../../../src/base/lifetime/cancellation.ts';
import { DisposableStore, type Disposable } from '../../../src/base/lifetime/disposable.ts';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { LevelledLogger } from '../../../src/base/logging/logger.ts';
import { HostError } from '../../../src/host/errors/hostError.ts';
import type { SignInOptions } from '../../../src/host/config/signInFields.ts';
import { signInQuestions } from '../../../src/host/auth/signInQuestion.ts';
import { ElicitationBroker } from '../../../src/host/elicitation/elicitationBroker.ts';
import { isElicitationQuestion } from '../../../src/host/elicitation/elicitationQuestion.ts';
import type { Entered, FormField } from '../../../src/form/formField.ts';
import { signInPorts } from './signInPorts.ts';
import { DecisionStore } from '../../../src/host/decisions/decisionStore.ts';
import { InstallationKey } from '../../../src/host/launch/installationKey.ts';
import { LaunchApproval } from '../../../src/host/launch/question/launchApproval.ts';
import { Preferences } from '../../../src/host/servers/preferences.ts';
import { readDefinitions } from '../../../src/host/config/readDefinitions.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { Catalogue } from '../../../src/host/connection/lists/catalogue.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { AgentGrants } from '../../../src/host/gate/agentGrants.ts';
import { CallDecisions } from '../../../src/host/gate/callDecisions.ts';
import { Gate } from '../../../src/host/gate/gate.ts';
import type { GateSettings } from '../../../src/host/config/settings.ts';
import type { HostTool } from '../../../src/host/tools/hostTool.ts';
import { HostTools } from '../../../src/host/gate/hostTools.ts';
import { PinStore } from '../../../src/host/gate/pins/pinStore.ts';
import type { HostSettings } from '../../../src/host/config/settings.ts';
import type { RootsSource } from '../../../src/host/folders/sharedRoot.ts';
import { Ledger } from '../../../src/host/ledger/ledger.ts';
import { SchemaChecks } from '../../../src/host/schemas/schemaCheck.ts';
import { McpHost } from '../../../src/host/servers/mcpHost.ts';
import { RootsConsent } from '../../../src/host/roots/rootsConsent.ts';
import { TemporaryFolder } from '../../editor/temporaryFolder.ts';
import { QuestionQueue } from '../../../src/host/questions/questionQueue.ts';
import { decisionKinds } from '../../../src/host/review/decisionKinds.ts';

/** How often the user signs in before it is too much. */
const MAX_SIGN_INS = 4;
const requestTimeoutMs = 10_000;
const person = { kind: 'person' } as const;
const unchanging = new Emitter<void>().event;

/** No folder is open. */
const workspace: RootsSource = { folders: [], onDidChange: unchanging };

/** As they are before the user has changed one. */
const settings: HostSettings & GateSettings = {
  autoStart: true,
  rootsDefault: 'ask',
  requestTimeout: () => requestTimeoutMs,
  confirm: 'byTrust',
  maxResultTokens: 25_000,
  isGatewayOn: false,
  storesContent: false,
  onDidChange: unchanging,
};

/**
 * The host of the extension, composed as `activate` does it, with one server over HTTP that the user has added.
 * What the editor gives is replaced by the least that there is: an empty workspace, settings, a log on stderr. What
 * is asked of the server is asked through the gate, by the user's click.
 */
export class OneServerHost {
  readonly #folder = new TemporaryFolder('conformance');
  readonly #store = new DisposableStore();
  readonly #decisions = this.#store.add(new DecisionStore(decisionKinds, this.#folder.join('decisions')));
  readonly #questions = new QuestionQueue();
  readonly #signInPorts = signInPorts(this.#folder.join('accounts'));
  readonly #roots = new RootsConsent({ folders: workspace, settings, decisions: this.#decisions });
  readonly #approval = new LaunchApproval(
    this.#decisions,
    this.#roots,
    new InstallationKey(this.#folder.join('launch-key')),
  );
  readonly #ledger = this.#store.add(new Ledger(this.#folder.join('activity'), settings));
  readonly #pins = this.#store.add(new PinStore(this.#folder.join('pins')));
  /** Of the sources: the client itself is a bundle. */
  readonly #schemas = this.#store.add(new SchemaChecks(path.resolve('src/host/schemas/schemaWorker.ts')));
  readonly #elicitation: ElicitationBroker = this.#store.add(
    new ElicitationBroker({
      questions: this.#questions,
      decisions: this.#decisions,
      settings,
      ledger: this.#ledger,
      schemas: this.#schemas,
      // No scenario has an address to open.
      opener: { open: () => Promise.resolve(false) },
      launchOf: (id) => this.#host.runningLaunchOf(id),
    }),
  );
  readonly #host: McpHost = new McpHost({
    folders: workspace,
    trust: { isTrusted: true, onDidGrant: unchanging },
    settings,
    approval: this.#approval,
    roots: this.#roots,
    preferences: new Preferences(this.#decisions),
    questions: this.#questions,
    signIn: { ...this.#signInPorts, questions: this.#questions },
    schemas: this.#schemas,
    elicitation: {
      forServer: (server) => this.#elicitation.forServer(server),
    },
    inputs: { valueOf: () => Promise.reject(new CancellationError()) },
    createLogger: () => standardError,
    clientVersion: '0.0.0',
  });
  readonly #tools = this.#store.add(
    new HostTools({ host: this.#host, decisions: this.#decisions, pins: this.#pins }),
  );
  readonly #gate = new Gate({
    host: this.#host,
    tools: this.#tools,
    grants: this.#store.add(new AgentGrants(this.#decisions)),
    decisions: this.#store.add(new CallDecisions(this.#decisions, workspace)),
    questions: this.#questions,
    settings,
    workspace,
    ledger: this.#ledger,
  });
  readonly #definition: ServerDefinition;

  constructor(url: string, oauth: SignInOptions | undefined) {
    const origin = { scope: 'user', format: 'settings', place: 'settings:user' } as const;
    const { definitions, problems } = readDefinitions([
      { origin, servers: { server: { type: 'http', url } } },
    ]);
    const [definition] = definitions;
    if (!definition) {
      throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    this.#definition = oauth ? Object.assign({}, definition, { oauth }) : definition;
    this.#store.add(this.#questions.onDidChange(() => this.#clickSignIn()));
    this.#store.add(this.#questions.onDidChange(() => this.#submitForm()));
  }

  /**
   * Connects, and lists what the server offers.
   *
   * @throws HostError that says why it does not run.
   */
  async start(): Promise<void> {
    // As "Add Server…" does it: saving the server is the approval.
    const question = this.#host.questionAbout(this.#definition);
    await this.#approval.record(question, { answer: 'allow', roots: [] });
    this.#host.reconcile({ definitions: [this.#definition], problems: [] });
    await this.#host.start(this.#definition.id).catch((error: unknown) => this.#signedIn(error));
    // Lists may require a sign-in, too, and are then read again.
    for (let round = 0; round < MAX_SIGN_INS && (round === 0 || this.#isSigningIn); round += 1) {
      await this.#signedIn();
      const catalogue = this.#connection?.catalogue;
      for (const kind of ['tools', 'resources', 'prompts'] as const) {
        await catalogue?.listing(kind);
      }
    }
    await this.#tools.settled();
  }

  get #isSigningIn(): boolean {
    return this.#connection?.state.signIn !== undefined;
  }

  /** The user submits a form as it is shown, with something in each required text; declines if that isn't valid. */
  #submitForm(): void {
    setImmediate(() => {
      const question = this.#questions.questions.find(isElicitationQuestion);
      if (question) {
        const { open } = question;
        const { form } = open.request;
        const entered =
          form.kind === 'object'
            ? form.fields.map((field, index) => filledIn(field, open.entered[index] ?? ''))
            : open.entered;
        void open.submit(entered).then((problems) => {
          if (problems.length > 0) {
            open.end({ action: 'decline' });
          }
        });
      }
    });
  }

  /** The user's click on "Sign In", once the question is shown. */
  #clickSignIn(): void {
    setImmediate(() => {
      const question = this.#questions.questions.find(({ kind }) => kind === signInQuestions);
      if (question) {
        this.#questions.answer(question, 'signIn');
      }
    });
  }

  /**
   * Waits until you are signed in, if the server requires that, and the server runs.
   *
   * @throws `error` if it requires no sign-in; HostError that says why you can't sign in.
   */
  async #signedIn(error?: unknown): Promise<void> {
    const { id } = this.#definition;
    const signIn = this.#host.server(id)?.signIn;
    const isAsked = (): boolean => this.#questions.questions.some(({ kind }) => kind === signInQuestions);
    if (
      !signIn ||
      (error !== undefined && !(error instanceof HostError && error.code === 'signInRequired'))
    ) {
      throw error;
    }
    await until(this.#host.onDidChangeServer, this.#questions.onDidChange, () => {
      const state = this.#connection?.state.signIn;
      if (state?.kind === 'required' && state.offer && state.reason.needs === 'token' && !isAsked()) {
        // Without metadata, signing in is the second choice: the user's click on "Sign In…" in the row.
        signIn.askAgain(true);
      }
      if (state?.kind === 'required' && !isAsked()) {
        throw state.reason;
      }
      return state === undefined;
    });
    await until(this.#host.onDidChangeServer, this.#host.onDidChangeServers, () => {
      const state = this.#connection?.state;
      if (state?.kind === 'failed') {
        throw state.reason;
      }
      return state?.kind === 'running';
    });
  }

  /** Does something with the server, and once more after a sign-in that it required. */
  async #withSignIn(use: () => Promise<unknown>): Promise<void> {
    try {
      await use();
    } catch (error) {
      await this.#signedIn(error);
      await use();
    }
  }

  /** The tools as the user is shown them. */
  get tools(): readonly HostTool[] {
    return this.#tools.of(this.#definition.id);
  }

  get offered(): Pick<Catalogue, 'resources' | 'prompts'> {
    return this.#connection?.catalogue ?? { resources: [], prompts: [] };
  }

  /** @throws as `Gate.callTool`. */
  async callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#withSignIn(() => this.#gate.callTool(person, this.#definition.id, name, args));
  }

  /**
   * Calls a tool with arguments that the gate would not let through, because they do not fit its schema.
   *
   * @throws as `ServerConnection.callTool`.
   */
  async callUnchecked(name: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#connection?.callTool(name, args);
  }

  /** @throws as `Gate.callTool`. */
  async readResource(uri: string): Promise<void> {
    await this.#withSignIn(() => this.#gate.readResource(person, this.#definition.id, uri));
  }

  /** @throws as `Gate.callTool`. */
  async getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<void> {
    await this.#withSignIn(() => this.#gate.getPrompt(person, this.#definition.id, name, args));
  }

  async close(): Promise<void> {
    await this.#host.close();
    await this.#roots.close();
    this.#store.dispose();
    this.#signInPorts.accounts.dispose();
    await Promise.all([this.#tools.settled(), this.#pins.settled(), this.#ledger.flush()]);
    this.#folder.remove();
  }

  get #connection(): ServerConnection | undefined {
    return this.#host.server(this.#definition.id)?.connection;
  }
}

/** What the user enters in a field: nothing where something is shown already, or need not be. */
function filledIn({ kind, isRequired }: FormField, entered: Entered): Entered {
  if (!isRequired || entered !== '') {
    return entered;
  }
  switch (kind) {
    case 'boolean':
      return 'yes';
    case 'number':
      return '1';
    case 'choice':
      return '0';
    default:
      return 'text';
  }
}

/** An event of any value. */
type AnyEvent = (listener: () => void) => Disposable;

/** Resolves when the claim holds, which is asked now and after each event; rejects with what it throws. */
function until(one: AnyEvent, other: AnyEvent, claim: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const store = new DisposableStore();
    const look = (): void => {
      try {
        if (claim()) {
          store.dispose();
          resolve();
        }
      } catch (error) {
        store.dispose();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    // Later, because an answer is no longer waiting before it has had its effect.
    [one, other].forEach((event) => store.add(event(() => setImmediate(look))));
    look();
  });
}

const standardError: LevelledLogger & Disposable = {
  level: 'info',
  onDidChangeLevel: unchanging,
  isTracing: false,
  log: (level, message) => console.error(`${level}: ${message}`),
  dispose: () => {},
};
