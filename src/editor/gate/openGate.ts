import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { DecisionStore } from '../../host/decisions/decisionStore.ts';
import type { AgentGrants } from '../../host/gate/agentGrants.ts';
import { CallDecisions } from '../../host/gate/callDecisions.ts';
import { Gate } from '../../host/gate/gate.ts';
import { HostTools } from '../../host/gate/hostTools.ts';
import { PinStore } from '../../host/gate/pins/pinStore.ts';
import type { Ledger } from '../../host/ledger/ledger.ts';
import type { KeptByServer } from '../../host/config/keptByServer.ts';
import type { KeptTasks } from '../../host/keptTasks/keptTasks.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { gateSettings } from '../workspace/configuration.ts';
import { workspaceFolders } from '../workspace/workspace.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';

/** What the gate needs. */
export interface GateDependencies {
  readonly host: McpHost;
  readonly decisions: DecisionStore;
  readonly questions: QuestionQueue;
  readonly ledger: Ledger;
  readonly keptTasks: KeptTasks;
  /** Which servers are available to chat. */
  readonly grants: AgentGrants;
  /** The path of the folder in which pins are kept. */
  readonly pins: string;
}

/** The gate, and what it decides by. */
export interface OpenGate {
  readonly gate: Gate;
  readonly tools: HostTools;
  readonly grants: AgentGrants;
  /** What holds for the session, and the tools as they were approved. */
  readonly kept: KeptByServer;
}

/** Builds the gate to all servers. All of it ends with the store. */
export function openGate(dependencies: GateDependencies, store: DisposableStore): OpenGate {
  const { host, decisions, questions, ledger, keptTasks, grants } = dependencies;
  const pins = store.add(new PinStore(dependencies.pins, decisions.remoteName));
  const tools = store.add(new HostTools({ host, decisions, pins }));
  const calls = store.add(new CallDecisions(decisions, workspaceFolders));
  const gate = new Gate({
    host,
    tools,
    grants,
    decisions: calls,
    questions,
    settings: gateSettings,
    ledger,
    keptTasks,
    workspace: workspaceFolders,
  });
  const kept: KeptByServer = {
    copy: async (from, to) => {
      calls.copySession(from, to);
      await Promise.all(to.launches.map((launch) => pins.copy(from, to.id, launch)));
    },
    forget: (id) => calls.forgetSession(id),
  };
  return { gate, tools, grants, kept };
}
