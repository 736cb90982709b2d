import { CancellationError } from '../../../src/base/lifetime/cancellation.ts';
import { DisposableStore, type Disposable } from '../../../src/base/lifetime/disposable.ts';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { LevelledLogger } from '../../../src/base/logging/logger.ts';
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
import type { GateSettings } from '../../../src/host/config/gateSettings.ts';
import type { HostTool } from '../../../src/host/tools/hostTool.ts';
import { HostTools } from '../../../src/host/gate/hostTools.ts';
import { PinStore } from '../../../src/host/gate/pins/pinStore.ts';
import type { HostSettings } from '../../../src/host/config/hostSettings.ts';
import type { RootsSource } from '../../../src/host/folders/sharedRoot.ts';
import { Ledger } from '../../../src/host/ledger/ledger.ts';
import { McpHost } from '../../../src/host/servers/mcpHost.ts';
import { RootsConsent } from '../../../src/host/roots/rootsConsent.ts';
import { TemporaryFolder } from '../../editor/temporaryFolder.ts';
import { QuestionQueue } from '../../../src/host/questions/questionQueue.ts';
import { decisionKinds } from '../../../src/host/review/decisionKinds.ts';

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
  readonly #roots = new RootsConsent({ folders: workspace, settings, decisions: this.#decisions });
  readonly #approval = new LaunchApproval(
    this.#decisions,
    this.#roots,
    new InstallationKey(this.#folder.join('launch-key')),
  );
  readonly #ledger = this.#store.add(new Ledger(this.#folder.join('activity'), settings));
  readonly #pins = this.#store.add(new PinStore(this.#folder.join('pins')));
  readonly #host = new McpHost({
    folders: workspace,
    trust: { isTrusted: true, onDidGrant: unchanging },
    settings,
    approval: this.#approval,
    roots: this.#roots,
    preferences: new Preferences(this.#decisions),
    questions: this.#questions,
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

  constructor(url: string) {
    const origin = { scope: 'user', format: 'settings', place: 'settings:user' } as const;
    const { definitions, problems } = readDefinitions([
      { origin, servers: { server: { type: 'http', url } } },
    ]);
    const [definition] = definitions;
    if (!definition) {
      throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    this.#definition = definition;
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
    await this.#host.start(this.#definition.id);
    await this.#tools.settled();
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
    await this.#gate.callTool(person, this.#definition.id, name, args);
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
    await this.#gate.readResource(person, this.#definition.id, uri);
  }

  /** @throws as `Gate.callTool`. */
  async getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<void> {
    await this.#gate.getPrompt(person, this.#definition.id, name, args);
  }

  async close(): Promise<void> {
    await this.#host.close();
    await this.#roots.close();
    this.#store.dispose();
    await Promise.all([this.#tools.settled(), this.#pins.settled(), this.#ledger.flush()]);
    this.#folder.remove();
  }

  get #connection(): ServerConnection | undefined {
    return this.#host.server(this.#definition.id)?.connection;
  }
}

const standardError: LevelledLogger & Disposable = {
  level: 'info',
  onDidChangeLevel: unchanging,
  isTracing: false,
  log: (level, message) => console.error(`${level}: ${message}`),
  dispose: () => {},
};
