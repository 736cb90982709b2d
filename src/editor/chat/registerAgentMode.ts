import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Gateway } from '../../host/gateway/gateway.ts';
import type { Ledger } from '../../host/ledger/ledger.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { gateSettings } from '../workspace/configuration.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import type { OpenGate } from '../gate/openGate.ts';
import { ServerLog } from '../servers/serverLog.ts';
import type { RulesSource } from '../../host/config/serverRules.ts';
import { AgentMode } from './agentMode.ts';
import { EditorMcp } from './editorMcp.ts';
import { registerRemoveFromChat } from './removeFromChat.ts';

export interface AgentModeServices extends OpenGate {
  readonly host: McpHost;
  readonly viewDocuments: ViewDocuments;
  readonly ledger: Ledger;
  readonly clientVersion: string;
  readonly rules: RulesSource;
}

/**
 * Starts the gateway for the servers that you make available, and registers them with the editor's agent mode. All of
 * it ends with the store; `ended` gets the promise of the gateway's end.
 */
export function registerAgentMode(
  { host, gate, tools, grants, viewDocuments, ledger, clientVersion, rules }: AgentModeServices,
  store: DisposableStore,
  ended: (closed: Promise<void>) => void,
): AgentMode {
  const gateway = new Gateway({
    host,
    tools,
    gate,
    grants,
    settings: gateSettings,
    ledger,
    logger: store.add(new ServerLog('Agent Mode')),
    clientVersion,
    keepWhole: (_server, tool, text) => Promise.resolve(viewDocuments.keepText(tool, text)),
  });
  store.add({ dispose: () => ended(gateway.close()) });
  const editorMcp = store.add(new EditorMcp());
  const agentMode = store.add(
    new AgentMode({ gateway, grants, host, tools, settings: gateSettings, editorMcp, rules }),
  );
  store.add(registerRemoveFromChat(host, grants));
  void gateway.start();
  return agentMode;
}
