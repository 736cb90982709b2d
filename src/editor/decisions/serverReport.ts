import { changeSummary } from '../../host/gate/pins/changeText.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { ServerReport } from '../../host/documents/serverReport.ts';
import type { ElicitationBroker } from '../../host/elicitation/elicitationBroker.ts';
import { environmentFor } from '../../host/processes/environment.ts';
import { agentModeText, type AgentModeSource } from '../chat/agentModeState.ts';
import type { ModelAccessSource } from '../sampling/modelAccessSource.ts';
import type { AccountSource } from '../../host/auth/accountText.ts';
import { stateWords } from '../../host/connection/stateWords.ts';
import { placeText } from '../messages/words.ts';

export interface ReportDependencies {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly agentMode: AgentModeSource;
  readonly access: ModelAccessSource;
  readonly elicitation: Pick<ElicitationBroker, 'modesFor'>;
  readonly accounts: AccountSource;
}

/** What is known of what a server sees. */
export function reportOf(server: HostServer, dependencies: ReportDependencies): ServerReport {
  const { connection } = server;
  const { host, tools, agentMode, access, elicitation, accounts } = dependencies;
  const { definition, state, rootsKnowledge, catalogue } = connection;
  const changes = tools.changes(definition.id);
  const launch = host.resolve(definition);
  return {
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
    when: (at) => new Date(at).toLocaleString(),
  };
}
