import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter, type Event } from '../../base/lifetime/event.ts';
import type { ServerDefinition, ServerId } from '../../host/config/serverDefinition.ts';
import type { ChatOffer } from '../../host/launch/question/launchChat.ts';
import type { AgentGrants } from '../../host/gate/agentGrants.ts';
import { refusalBy, type RulesSource } from '../../host/config/serverRules.ts';
import type { GateSettings } from '../../host/config/settings.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { HostTool } from '../../host/tools/hostTool.ts';
import {
  canBeInChat,
  chatOffer,
  isChoosable,
  isInChat,
  twiceNote,
  whoAsks,
  type AgentModeSource,
  type AgentModeState,
  type ShownForChat,
  type Twin,
} from './agentModeState.ts';
import type { EditorMcp } from './editorMcp.ts';

/** An address like those of the gateway, whose port and path differ in each window. */
const SERVED_AT = 'http://127.0.0.1/server';

/** The editor's setting that turns off everything about chat. */
const AI_FEATURES = 'chat.disableAIFeatures';

/** As package.json declares it. */
const PROVIDER = 'mcpHost.gateway';

/** One server as the gateway offers it. */
interface AgentEndpoint {
  readonly serverId: ServerId;
  readonly label: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Changes when its tools have changed while no client was connected. */
  readonly version: string;
}

/** What agent mode needs of the gateway. */
interface AgentEndpoints {
  readonly endpoints: readonly AgentEndpoint[];
  readonly onDidChangeEndpoints: Event<void>;
  /** Whether tools are left out, because the editor takes only so many. */
  readonly leavesToolsOut: boolean;
  readonly onDidChangeLeftOut: Event<void>;
  isLeftOut(tool: HostTool): boolean;
}

/** As `AgentModeState`, with what decides it. */
interface AgentStanding {
  readonly kind: AgentModeState;
  /** The editor's setting that keeps it out of chat. */
  readonly setting?: string | undefined;
}

export interface AgentModeDependencies {
  readonly gateway: AgentEndpoints;
  readonly grants: AgentGrants;
  readonly host: McpHost;
  readonly tools: Pick<HostTools, 'acknowledge'>;
  readonly settings: GateSettings;
  readonly editorMcp: EditorMcp;
  readonly rules: RulesSource;
}

/** Registers the servers that you made available with the editor's agent mode. */
export class AgentMode implements AgentModeSource, Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** The state of a server may have changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeDefinitions = new Emitter<void>();
  readonly #dependencies: AgentModeDependencies;
  readonly #store = new DisposableStore();
  readonly #isSupported = hasApi();
  readonly #hasTools = hasTools();
  #shown = '';

  constructor(dependencies: AgentModeDependencies) {
    const { gateway, grants, settings, editorMcp, rules } = dependencies;
    this.#dependencies = dependencies;
    const update = (): void => {
      this.#announce();
      this.#onDidChange.fire();
    };
    this.#store.add(gateway.onDidChangeEndpoints(() => this.#announce()));
    this.#store.add(gateway.onDidChangeLeftOut(() => this.#onDidChange.fire()));
    this.#store.add(grants.onDidChange(update));
    this.#store.add(settings.onDidChange(update));
    this.#store.add(editorMcp.onDidChange(update));
    this.#store.add(rules.onDidChange(update));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(AI_FEATURES)) {
          update();
        }
      }),
    );
    if (this.#isSupported) {
      this.#store.add(
        vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
          onDidChangeMcpServerDefinitions: this.#onDidChangeDefinitions.event,
          provideMcpServerDefinitions: async () => {
            await editorMcp.read();
            return this.#definitions();
          },
          // What is provided has the header, too, because parts of the editor use definitions without resolving them.
          resolveMcpServerDefinition: (definition) => this.#current(definition),
        }),
      );
    }
  }

  dispose(): void {
    this.#store.dispose();
    this.#onDidChange.dispose();
    this.#onDidChangeDefinitions.dispose();
  }

  get isAvailable(): boolean {
    return (this.isServing || this.#hasTools) && this.#switchedOffBy === undefined;
  }

  /** The editor's setting that turns off servers in chat. */
  get #switchedOffBy(): string | undefined {
    if (vscode.workspace.getConfiguration().get(AI_FEATURES) === true) {
      return AI_FEATURES;
    }
    return this.#dependencies.rules.now.access === 'all' ? undefined : 'chat.mcp.access';
  }

  /** Whether agent mode gets servers by the gateway. */
  get isServing(): boolean {
    return this.#isSupported && this.#dependencies.settings.isGatewayOn;
  }

  get whoAsks(): string {
    return whoAsks(this.#dependencies.settings.confirm, this.isServing);
  }

  settingAgainst({ connection }: HostServer): string | undefined {
    return this.#standingOf(connection.definition).setting;
  }

  meaningOf(server: HostServer): string {
    const { definition } = server.connection;
    return chatOffer(false, this.whoAsks, twiceNote(definition, this.twinOf(server))).meaning;
  }

  async use(server: HostServer, { tools, twin }: ShownForChat): Promise<void> {
    const { grants, editorMcp, tools: hostTools } = this.#dependencies;
    const { id } = server.connection.definition;
    await editorMcp.read();
    const isAsShown = isDeepStrictEqual(this.twinOf(server), twin);
    if (isAsShown && isChoosable(this.stateOf(server))) {
      await grants.grant(id, true, { besideTwin: twin !== undefined });
      // Tools that came since are still new, and what is held back stays held back.
      await hostTools.acknowledge(id, tools);
    }
  }

  offerFor(definition: ServerDefinition): ChatOffer | undefined {
    const { kind } = this.#standingOf(definition);
    const note = twiceNote(definition, undefined);
    return canBeInChat(kind) ? chatOffer(isInChat(kind), this.whoAsks, note) : undefined;
  }

  #standingOf(definition: ServerDefinition): AgentStanding {
    const { grants, editorMcp, host, rules } = this.#dependencies;
    const { id } = definition;
    if (!this.isAvailable) {
      const hasChat = this.isServing || this.#hasTools;
      return { kind: 'unavailable', setting: hasChat ? this.#switchedOffBy : undefined };
    }
    const name = servedLabel(host.server(id)?.label ?? definition.name);
    const served = { name, written: SERVED_AT, filled: SERVED_AT };
    const reason = this.isServing ? refusalBy(rules.now, served) : undefined;
    if (reason) {
      return { kind: 'forbidden', setting: reason.setting };
    }
    const twin = editorMcp.twinOf(definition);
    if (twin ? !grants.isGrantedBesideTwin(id) : !grants.isGranted(id)) {
      return { kind: twin ? 'twin' : 'notGranted' };
    }
    return { kind: this.isServing ? 'granted' : 'grantedByTools' };
  }

  get leavesToolsOut(): boolean {
    return this.isAvailable && this.isServing && this.#dependencies.gateway.leavesToolsOut;
  }

  isLeftOut(tool: HostTool): boolean {
    return this.leavesToolsOut && this.#dependencies.gateway.isLeftOut(tool) && this.#isServed(tool.serverId);
  }

  stateOf({ connection }: HostServer): AgentModeState {
    return this.#standingOf(connection.definition).kind;
  }

  twinOf({ connection }: HostServer): Twin | undefined {
    return this.#dependencies.editorMcp.twinOf(connection.definition);
  }

  #isServed(id: ServerId): boolean {
    const server = this.#dependencies.host.server(id);
    return server !== undefined && this.stateOf(server) === 'granted';
  }

  #definitions(): vscode.McpHttpServerDefinition[] {
    const offered = this.#dependencies.gateway.endpoints.filter(({ serverId }) => this.#isServed(serverId));
    const labels = uniqueLabels(offered.map(({ label }) => label));
    return offered.map(
      ({ url, headers, version }, index) =>
        new vscode.McpHttpServerDefinition(
          labels[index] ?? '',
          vscode.Uri.parse(url, true),
          { ...headers },
          version,
        ),
    );
  }

  /** The definition as it is now; undefined for a server that has been removed from chat since. */
  #current(definition: vscode.McpServerDefinition): vscode.McpServerDefinition | undefined {
    return this.#definitions().find(({ label }) => label === definition.label);
  }

  /** Announcing a definition again ends its connection, so only changes are announced. */
  #announce(): void {
    const definitions = this.#isSupported ? this.#definitions() : [];
    const shown = JSON.stringify(
      definitions.map(({ label, uri, version }) => [label, uri.toString(), version]),
    );
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#onDidChangeDefinitions.fire();
    }
  }
}

/**
 * Labels that differ from those of the editor's own servers, and from each other: of two equal ones the editor disables
 * one. They say where the server runs, because the editor's list says "Stopped" while it isn't connected.
 */
function uniqueLabels(labels: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    let unique = servedLabel(label);
    for (let number = 2; taken.has(unique); number += 1) {
      unique = `${label} (${number}, runs in MCP Host)`;
    }
    taken.add(unique);
    return unique;
  });
}

/** The label of a server in the editor's list, where the editor's lists of allowed and denied servers find it. */
function servedLabel(label: string): string {
  return `${label} (runs in MCP Host)`;
}

/** Forks may lack all of this API, or parts of it. */
function hasApi(): boolean {
  const { lm, McpHttpServerDefinition } = vscode as Partial<typeof vscode>;
  return (
    typeof lm?.registerMcpServerDefinitionProvider === 'function' &&
    typeof McpHttpServerDefinition === 'function'
  );
}

function hasTools(): boolean {
  const { lm } = vscode as Partial<typeof vscode>;
  return typeof lm?.registerTool === 'function';
}
