import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { EditorServer } from '../../host/config/import/editorServers.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { AgentGrants } from '../../host/gate/agentGrants.ts';
import type { GateSettings } from '../../host/config/gateSettings.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { EditorMcp } from './editorMcp.ts';

/** As package.json declares it. */
const PROVIDER = 'mcpHost.gateway';

/** One server as the gateway serves it again. */
interface AgentEndpoint {
  readonly serverId: ServerId;
  readonly label: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Another one when its tools have changed while nobody was connected. */
  readonly version: string;
}

/** What agent mode needs of the gateway. */
interface AgentEndpoints {
  readonly endpoints: readonly AgentEndpoint[];
  readonly onDidChangeEndpoints: Event<void>;
}

/** How a server stands to the editor's agent mode. */
export type AgentStanding =
  /** By the person's grant; its tools are there while it runs. */
  | { readonly kind: 'granted' }
  | { readonly kind: 'notGranted' }
  /** This editor has no agent mode that takes servers, or its settings switch that off. */
  | { readonly kind: 'unavailable'; readonly isBySetting: boolean }
  /** By `mcpHost.chat.gateway`. */
  | { readonly kind: 'switchedOff' }
  /** The editor's own MCP configuration has it, too: its tools would be there twice. */
  | { readonly kind: 'editorRunsIt'; readonly twin: EditorServer };

export interface AgentModeDependencies {
  readonly gateway: AgentEndpoints;
  readonly grants: AgentGrants;
  readonly host: McpHost;
  readonly settings: GateSettings;
  readonly editorMcp: EditorMcp;
}

/** Hands the servers that the person has granted to the editor's own agent mode. */
export class AgentMode implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** How one of the servers stands may be different. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeDefinitions = new Emitter<void>();
  readonly #dependencies: AgentModeDependencies;
  readonly #store = new DisposableStore();
  readonly #isSupported = hasApi();
  #shown = '';

  constructor(dependencies: AgentModeDependencies) {
    const { gateway, grants, settings, editorMcp } = dependencies;
    this.#dependencies = dependencies;
    const update = (): void => {
      this.#announce();
      this.#onDidChange.fire();
    };
    this.#store.add(gateway.onDidChangeEndpoints(() => this.#announce()));
    this.#store.add(grants.onDidChange(update));
    this.#store.add(settings.onDidChange(update));
    this.#store.add(editorMcp.onDidChange(update));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('chat')) {
          update();
        }
      }),
    );
    if (this.#isSupported) {
      this.#store.add(
        vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
          onDidChangeMcpServerDefinitions: this.#onDidChangeDefinitions.event,
          provideMcpServerDefinitions: async () => {
            await editorMcp.whenRead();
            return this.#definitions();
          },
          // The header is in what was provided, too, because not every part of the editor has it resolved.
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

  /** False in an editor without an agent mode that takes servers, and where its settings switch that off. */
  get isAvailable(): boolean {
    return this.#isSupported && !isSwitchedOff();
  }

  standingOf(id: ServerId): AgentStanding {
    const { host, grants, settings, editorMcp } = this.#dependencies;
    if (!this.isAvailable) {
      return { kind: 'unavailable', isBySetting: this.#isSupported };
    }
    if (!settings.isGatewayOn) {
      return { kind: 'switchedOff' };
    }
    const definition = host.server(id)?.connection.definition;
    const twin = definition && editorMcp.twinOf(definition);
    if (twin) {
      return { kind: 'editorRunsIt', twin };
    }
    return { kind: grants.isGranted(id) ? 'granted' : 'notGranted' };
  }

  /** As `standingOf`, in the tree's words. */
  stateOf({ connection }: HostServer): AgentStanding['kind'] {
    return this.standingOf(connection.definition.id).kind;
  }

  #definitions(): vscode.McpHttpServerDefinition[] {
    const offered = this.#dependencies.gateway.endpoints.filter(
      ({ serverId }) => this.standingOf(serverId).kind === 'granted',
    );
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

  /** The definition as it is now; none for a server that has been withdrawn since. */
  #current(definition: vscode.McpServerDefinition): vscode.McpServerDefinition | undefined {
    return this.#definitions().find(({ label }) => label === definition.label);
  }

  /** A definition that is announced anew ends its connection, so nothing is said of what is as it was. */
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

/** Told apart from the editor's own servers of that name; of equal labels the editor would disable one. */
function uniqueLabels(labels: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    let unique = `${label} (MCP Host)`;
    for (let number = 2; taken.has(unique); number += 1) {
      unique = `${label} (MCP Host ${number})`;
    }
    taken.add(unique);
    return unique;
  });
}

/** Forks may lack all of it, or parts. */
function hasApi(): boolean {
  const { lm, McpHttpServerDefinition } = vscode as Partial<typeof vscode>;
  return (
    typeof lm?.registerMcpServerDefinitionProvider === 'function' &&
    typeof McpHttpServerDefinition === 'function'
  );
}

function isSwitchedOff(): boolean {
  const chat = vscode.workspace.getConfiguration('chat');
  return chat.get('disableAIFeatures') === true || chat.get('mcp.access') === 'none';
}
