import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import { DecisionStore } from '../../../src/host/decisions/decisionStore.ts';
import type { GateSettings } from '../../../src/host/config/settings.ts';
import type { HostSettings } from '../../../src/host/config/settings.ts';
import { serverId, type ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../../src/host/folders/sharedRoot.ts';
import { EraStore } from '../../../src/host/connection/eraStore.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { AgentGrants } from '../../../src/host/gate/agentGrants.ts';
import { CallDecisions } from '../../../src/host/gate/callDecisions.ts';
import { Gate } from '../../../src/host/gate/gate.ts';
import { HostTools } from '../../../src/host/gate/hostTools.ts';
import { PinStore } from '../../../src/host/gate/pins/pinStore.ts';
import { InstallationKey } from '../../../src/host/launch/installationKey.ts';
import { LaunchApproval } from '../../../src/host/launch/question/launchApproval.ts';
import type { Caller } from '../../../src/host/ledger/caller.ts';
import { Ledger } from '../../../src/host/ledger/ledger.ts';
import { GuardedProcesses } from '../../../src/host/processes/guardedProcesses.ts';
import { QuestionQueue } from '../../../src/host/questions/questionQueue.ts';
import { resourceTree } from '../../../src/host/resources/resourceTree.ts';
import { decisionKinds } from '../../../src/host/review/decisionKinds.ts';
import { RootsConsent } from '../../../src/host/roots/rootsConsent.ts';
import { SchemaChecks } from '../../../src/host/schemas/schemaCheck.ts';
import { McpHost } from '../../../src/host/servers/mcpHost.ts';
import { Preferences } from '../../../src/host/servers/preferences.ts';
import type { BenchServer, Side, ToolResult } from './side.ts';

/** How many other decisions stand beside those that a call needs. */
const otherDecisions = 75;

const extension: Caller = { kind: 'extension', id: 'acme.bench', label: 'Bench' };
const agentMode: Caller = { kind: 'agentMode' };
const never = new Emitter<void>().event;
const quiet = {
  isTracing: false,
  level: 'info' as const,
  onDidChangeLevel: never,
  log: () => {},
  dispose: () => {},
};

/** This host without the editor, built as `extension.ts` builds it. What it decides stays in `folder`. */
export class OwnSide implements Side {
  readonly #folders = new Emitter<void>();
  readonly #workspace: { folders: readonly WorkspaceFolder[]; onDidChange: Emitter<void>['event'] } = {
    folders: [],
    onDidChange: this.#folders.event,
  };
  readonly #questions = new QuestionQueue();
  readonly #decisions: DecisionStore;
  readonly #processes: GuardedProcesses;
  readonly #schemas: SchemaChecks;
  readonly #ledger: Ledger;
  readonly #grants: AgentGrants;
  readonly #calls: CallDecisions;
  readonly #pins: PinStore;
  readonly #tools: HostTools;
  readonly #gate: Gate;
  readonly #host: McpHost;
  readonly #roots: RootsConsent;
  #definitions: readonly ServerDefinition[] = [];
  /** What the view keeps. */
  tree: unknown;

  constructor(folder: string) {
    const settings: HostSettings = {
      autoStart: true,
      rootsDefault: 'all',
      onDidChange: never,
      requestTimeout: () => 60_000,
    };
    const gateSettings: GateSettings = {
      confirm: 'byTrust',
      maxResultTokens: 25_000,
      isGatewayOn: true,
      storesContent: false,
      onDidChange: never,
    };
    const workspace = this.#workspace;
    this.#decisions = new DecisionStore(decisionKinds, join(folder, 'decisions'));
    this.#roots = new RootsConsent({ folders: workspace, settings, decisions: this.#decisions });
    this.#ledger = new Ledger(join(folder, 'activity'), gateSettings);
    const bundles = dirname(process.argv[1] ?? '');
    const guard = join(bundles, 'guard.cjs');
    this.#schemas = new SchemaChecks(join(bundles, 'schemaWorker.cjs'));
    this.#processes = new GuardedProcesses({ guard, folder: join(folder, 'processes') }, quiet);
    const key = new InstallationKey(join(folder, 'launch-key'));
    this.#host = new McpHost({
      folders: workspace,
      trust: { isTrusted: true, onDidGrant: never },
      settings,
      approval: new LaunchApproval(this.#decisions, this.#roots, key),
      roots: this.#roots,
      preferences: new Preferences(this.#decisions),
      questions: this.#questions,
      inputs: { valueOf: () => Promise.reject(new Error('There is no input.')) },
      processes: this.#processes,
      schemas: this.#schemas,
      createLogger: () => quiet,
      clientVersion: '1.0.0',
      eras: new EraStore(join(folder, 'eras')),
    });
    this.#pins = new PinStore(join(folder, 'pins'));
    this.#tools = new HostTools({ host: this.#host, decisions: this.#decisions, pins: this.#pins });
    this.#grants = new AgentGrants(this.#decisions);
    this.#calls = new CallDecisions(this.#decisions, workspace);
    this.#gate = new Gate({
      host: this.#host,
      tools: this.#tools,
      grants: this.#grants,
      decisions: this.#calls,
      questions: this.#questions,
      settings: gateSettings,
      ledger: this.#ledger,
      workspace,
    });
    this.#questions.onDidChange(() => this.#allow());
  }

  async start(servers: readonly BenchServer[]): Promise<void> {
    this.#definitions = servers.map(definitionOf);
    this.#host.reconcile({ definitions: this.#definitions, problems: [] });
    await this.#listed();
  }

  /** Resolved when all tools are listed, and compared with what was approved. */
  async #listed(): Promise<void> {
    const isListed = (connection: ServerConnection): boolean =>
      connection.catalogue?.hasListed('tools') ?? false;
    await new Promise<void>((resolve, reject) => {
      const check = (): void => {
        const connections = this.#host.servers.map(({ connection }) => connection);
        const failed = connections.find(({ state }) => state.kind === 'failed');
        if (failed) {
          reject(new Error(`${failed.definition.name} has failed: ${JSON.stringify(failed.state)}`));
        } else if (connections.length === this.#definitions.length && connections.every(isListed)) {
          subscription.dispose();
          resolve();
        }
      };
      const subscription = this.#host.onDidChangeServer(check);
      check();
    });
    await this.#tools.settled();
  }

  /**
   * Prepares what is decided for good: calls of the first tool of each kind, and others beside them. Does nothing when a
   * trial before this one has done so; a server over HTTP has another port in each.
   */
  async decide(tools: readonly string[]): Promise<void> {
    const isHttp = this.#definitions.some(({ type }) => type !== 'stdio');
    if (!isHttp && this.#decisions.all().length >= otherDecisions) {
      return;
    }
    for (const { id, name } of this.#definitions) {
      await this.#grants.grant(id, true, { label: name });
      const launch = this.#tools.launchOf(id);
      for (const tool of tools) {
        await this.#remember(id, extension, tool, launch);
      }
    }
    for (let number = this.#decisions.all().length; number < otherDecisions; number += 1) {
      await this.#remember(serverId(origin, `other ${number % 10}`), extension, `tool ${number}`, 'launch');
    }
  }

  #remember(id: ServerDefinition['id'], caller: Caller, name: string, launch: string | undefined) {
    const target = { kind: 'tool', name } as const;
    const answer = { answer: 'run', span: 'always', scope: 'one' } as const;
    return this.#calls.remember({ serverId: id, caller, target, launch }, id, answer);
  }

  call(server: number, tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    return this.#gate.callTool(extension, this.#id(server), tool, args);
  }

  callAsAgent(server: number, tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    return this.#gate.callTool(agentMode, this.#id(server), tool, args);
  }

  setFolders(paths: readonly string[]): Promise<void> {
    this.#workspace.folders = paths.map((path) => ({ uri: pathToFileURL(path).href, name: path }));
    this.#folders.fire();
    return Promise.resolve();
  }

  async showResources(): Promise<{ readonly count: number; readonly shownMs: number }> {
    const connection = this.#connection(0);
    const read = (): number => connection.catalogue?.resources.length ?? 0;
    await new Promise<void>((resolve) => {
      const subscription = this.#host.onDidChangeServer(() => check());
      const check = (): void => {
        if (read() > 0) {
          subscription.dispose();
          resolve();
        }
      };
      connection.catalogue?.look('resources');
      check();
    });
    const arrived = performance.now();
    const tree = await resourceTree(connection.catalogue?.resources ?? []);
    await tree.top.entries();
    this.tree = tree;
    return { count: tree.total, shownMs: performance.now() - arrived };
  }

  async restart(): Promise<void> {
    await Promise.all(this.#definitions.map(({ id }) => this.#host.stop(id)));
    await Promise.all(this.#definitions.map(({ id }) => this.#host.start(id)));
    await this.#listed();
  }

  async close(): Promise<void> {
    await this.#host.close();
    this.#tools.dispose();
    await this.#tools.settled();
    this.#pins.dispose();
    await this.#pins.settled();
    await this.#roots.close();
    this.#grants.dispose();
    this.#calls.dispose();
    await this.#ledger.flush();
    this.#decisions.dispose();
    this.#schemas.dispose();
    await this.#processes.close();
  }

  /** Allows launches, as you would; nothing else is asked. */
  #allow(): void {
    for (const question of this.#questions.questions) {
      this.#questions.answer(question, { answer: 'allow', roots: [] });
    }
  }

  #connection(server: number): ServerConnection {
    const connection = this.#host.server(this.#id(server))?.connection;
    if (!connection) {
      throw new Error(`There is no server ${server}.`);
    }
    return connection;
  }

  #id(server: number): ServerDefinition['id'] {
    const definition = this.#definitions[server];
    if (!definition) {
      throw new Error(`There is no server ${server}.`);
    }
    return definition.id;
  }
}

const origin = { scope: 'user', format: 'settings', place: 'settings:user' } as const;

function definitionOf(server: BenchServer): ServerDefinition {
  const { name } = server;
  const common = { id: serverId(origin, name), name, origin, disabled: false, inputs: [] };
  return 'url' in server
    ? { ...common, type: 'http', url: server.url, headers: {} }
    : { ...common, type: 'stdio', command: process.execPath, args: server.args, env: {} };
}
