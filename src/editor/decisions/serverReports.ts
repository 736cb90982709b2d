import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { DecisionStore } from '../../host/decisions/decisionStore.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { changeSummary } from '../../host/gate/pins/changeText.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { serverReportText, type ServerReport } from '../../host/documents/serverReport.ts';
import type { ElicitationBroker } from '../../host/elicitation/elicitationBroker.ts';
import { environmentFor } from '../../host/processes/environment.ts';
import { registerCommand } from '../commands/commands.ts';
import { onServer } from '../commands/onServer.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { agentModeText, type AgentModeSource } from '../chat/agentModeState.ts';
import type { ModelAccessSource } from '../sampling/modelAccessSource.ts';
import type { AccountSource } from '../../host/auth/accountText.ts';
import { stateWords } from '../../host/connection/stateWords.ts';
import { placeText } from '../messages/words.ts';

/** Milliseconds for which changes are gathered before the documents are rewritten. */
const SETTLE_MS = 100;

export interface ReportDependencies {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly agentMode: AgentModeSource;
  readonly access: ModelAccessSource;
  readonly elicitation: Pick<ElicitationBroker, 'modesFor'>;
  readonly accounts: AccountSource;
  readonly decisions: DecisionStore;
  readonly viewDocuments: ViewDocuments;
}

/** "What This Server Sees": one document for each server, which stays up to date. */
export class ServerReports implements Disposable {
  readonly #dependencies: ReportDependencies;
  readonly #store = new DisposableStore();
  readonly #documents = new Map<ServerId, vscode.Uri>();
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: ReportDependencies) {
    this.#dependencies = dependencies;
    const { host, tools, agentMode, access, accounts, decisions } = dependencies;
    this.#store.add(
      registerCommand(
        'showWhatServerSees',
        onServer(host, {
          placeholder: 'Select a server to show what it sees',
          run: (server) => this.#show(server),
        }),
      ),
    );
    const events = [
      host.onDidChangeServers,
      host.onDidChangeServer,
      decisions.onDidChange,
      host.roots.onDidChange,
      tools.onDidChange,
      agentMode.onDidChange,
      access.onDidChange,
      accounts.onDidChange,
    ] as readonly ((listener: () => void) => Disposable)[];
    events.forEach((event) => this.#store.add(event(() => this.#renewSoon())));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  async #show(server: HostServer): Promise<void> {
    const { id } = server.connection.definition;
    const { viewDocuments } = this.#dependencies;
    const title = `What ${visibleText(server.label)} sees`;
    const uri = await viewDocuments.showText(title, this.#textFor(server), {
      language: 'mcp-host-result',
      instead: this.#documents.get(id),
    });
    this.#documents.set(id, uri);
  }

  #renewSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const [id, uri] of this.#documents) {
        const server = this.#dependencies.host.server(id);
        const isKept = server && this.#dependencies.viewDocuments.replace(uri, this.#textFor(server));
        if (!isKept) {
          this.#documents.delete(id);
        }
      }
    }, SETTLE_MS);
  }

  #textFor(server: HostServer): string {
    return serverReportText(reportOf(server, this.#dependencies));
  }
}

export function reportOf(server: HostServer, dependencies: ReportDependencies): ServerReport {
  const { connection, label } = server;
  const { host, tools, agentMode, access, elicitation, accounts, decisions } = dependencies;
  const { definition, state, rootsKnowledge, catalogue } = connection;
  const changes = tools.changes(definition.id);
  const launch = host.resolve(definition);
  return {
    label,
    definition,
    place: placeText(definition.origin),
    state,
    status: state.kind === 'running' ? `running · ${state.revision}` : stateWords(state).word,
    roots: host.rootsOf(definition),
    knowledge: rootsKnowledge,
    workingDirectory: launch.workingDirectory,
    launchPaths: host.launchPathsOf(launch),
    envFileNames: launch.envFile && Object.keys(launch.envFile),
    account: accounts.accountOf(definition.id),
    inheritedNames: Object.keys(environmentFor({})),
    access: access.accessOf(definition),
    isSamplingOffered: connection.isSamplingOffered,
    elicitationModes: connection.elicitationModes ?? elicitation.modesFor(definition),
    tools: catalogue && {
      all: tools.of(definition.id),
      instructions: tools.instructions(definition.id),
      heldBack: changes && changeSummary(changes),
      isTrusted: tools.isTrusted(definition.id),
      agentMode: agentModeText(agentMode, server, tools.of(definition.id)),
    },
    decisions: decisions.allAbout(definition.id).flatMap((decision) => {
      const what = decisions.wordsOf(decision)?.what(decision);
      return what === undefined ? [] : [{ at: decision.at, what }];
    }),
    when: (at) => new Date(at).toLocaleString(),
  };
}
