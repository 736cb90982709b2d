import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerDefinition, ServerId } from '../../host/config/serverDefinition.ts';
import { EraStore } from '../../host/connection/eraStore.ts';
import type { RequestInFlight } from '../../host/connection/requests/requestsInFlight.ts';
import { DecisionStore } from '../../host/decisions/decisionStore.ts';
import { ElicitationBroker } from '../../host/elicitation/elicitationBroker.ts';
import { AgentGrants } from '../../host/gate/agentGrants.ts';
import { KeptTasks } from '../../host/keptTasks/keptTasks.ts';
import { taskOwners } from '../../host/keptTasks/taskOwners.ts';
import { InstallationKey } from '../../host/launch/installationKey.ts';
import { LaunchApproval } from '../../host/launch/question/launchApproval.ts';
import type { ChatOffer } from '../../host/launch/question/launchChat.ts';
import { Ledger } from '../../host/ledger/ledger.ts';
import { GuardedProcesses } from '../../host/processes/guardedProcesses.ts';
import { sweepGroups } from '../../host/processes/sweepGroups.ts';
import { systemProcesses } from '../../host/processes/systemProcesses.ts';
import { QuestionQueue } from '../../host/questions/questionQueue.ts';
import { decisionKinds } from '../../host/review/decisionKinds.ts';
import { RootsConsent } from '../../host/roots/rootsConsent.ts';
import { SchemaChecks } from '../../host/schemas/schemaCheck.ts';
import { McpHost } from '../../host/servers/mcpHost.ts';
import { Preferences } from '../../host/servers/preferences.ts';
import { editorBrowser } from '../browser/editorBrowser.ts';
import { openGate } from '../gate/openGate.ts';
import { askForInput } from '../inputs/askForInput.ts';
import { InputStore } from '../inputs/inputStore.ts';
import { serversUsing } from '../inputs/manageInputs.ts';
import { openSampling } from '../sampling/openSampling.ts';
import { ChosenLevels } from '../servers/chosenLevels.ts';
import { ServerLog } from '../servers/serverLog.ts';
import { openSignIn } from '../signIn/openSignIn.ts';
import { gateSettings, hostSettings } from '../workspace/configuration.ts';
import { EditorRules } from '../workspace/editorRules.ts';
import { workspaceFolders, workspaceKey, workspaceTrust } from '../workspace/workspace.ts';

/** What servers need of parts that are registered after them; each part sets its own. */
interface LaterParts {
  /** See `AgentModeSource`. */
  offerFor?: (definition: ServerDefinition) => ChatOffer | undefined;
  /** Runs a tool again, as a click of yours. */
  runAgain?: (id: ServerId, request: RequestInFlight) => void;
  /** The end of the gateway, once it closes. */
  gatewayClosed?: Promise<void>;
}

/**
 * Builds what runs servers, decides about them and calls them, and what is kept about them on this machine. Starts
 * nothing until the host gets definitions. All of it ends with the store, after `close`.
 */
export function openHost(context: vscode.ExtensionContext, store: DisposableStore) {
  const { extensionUri, globalState, globalStorageUri, secrets } = context;
  const stored = (name: string): string => vscode.Uri.joinPath(globalStorageUri, name).fsPath;
  const built = (name: string): string => vscode.Uri.joinPath(extensionUri, 'dist', name).fsPath;
  const clientVersion = String((context.extension.packageJSON as { version?: unknown }).version);
  const later: LaterParts = {};
  // What asks about a server is built before the host, and finds the server in it.
  const server = (id: ServerId) => host.server(id);

  const decisions = store.add(new DecisionStore(decisionKinds, stored('decisions'), vscode.env.remoteName));
  const questions = new QuestionQueue();
  const rules = store.add(new EditorRules());
  const roots = store.add(new RootsConsent({ folders: workspaceFolders, settings: hostSettings, decisions }));
  const ledger = store.add(new Ledger(stored('activity'), gateSettings, { workspace: workspaceKey }));
  const schemas = store.add(new SchemaChecks(built('schemaWorker.cjs')));
  const levels = store.add(new ChosenLevels(globalState));
  const inputs = new InputStore(
    { secrets, state: globalState },
    askForInput((...asked) => serversUsing(host)(...asked)),
  );
  const sampling = openSampling(
    context,
    () => host,
    { decisions, questions, ledger, runAgain: (...again) => later.runAgain?.(...again) },
    store,
  );
  const elicitation = store.add(
    new ElicitationBroker({
      questions,
      decisions,
      settings: gateSettings,
      ledger,
      schemas,
      opener: editorBrowser,
      launchOf: (id) => host.runningLaunchOf(id),
      log: (id, ...line) => server(id)?.connection.logger.log(...line),
      secretsOf: (id) => server(id)?.connection.secrets ?? [],
    }),
  );
  const signIn = openSignIn(context, questions, (id) => server(id)?.signIn, store);
  const processLog = store.add(new ServerLog('Processes'));
  const processes = new GuardedProcesses(
    { guard: built('guard.cjs'), folder: stored('processes') },
    processLog,
  );
  // Ends in the background what other windows have left behind.
  setImmediate(() => void sweepGroups(stored('processes'), processLog));
  const grants = store.add(new AgentGrants(decisions, (id) => server(id)?.label ?? id));
  const approval = new LaunchApproval(decisions, roots, new InstallationKey(stored('launch-key')), {
    offerFor: (definition) => later.offerFor?.(definition),
    grant: (id, label) => grants.grant(id, true, { label }),
  });
  const host = new McpHost({
    folders: workspaceFolders,
    trust: workspaceTrust,
    settings: hostSettings,
    approval,
    roots,
    preferences: new Preferences(decisions),
    questions,
    inputs,
    rules,
    sampling: sampling.broker,
    elicitation,
    signIn: signIn.ports,
    schemas,
    processes,
    createLogger: (label) => new ServerLog(label),
    levels,
    clientVersion,
    eras: new EraStore(stored('eras')),
  });
  const taskLog = store.add(new ServerLog('Tasks'));
  const keptTasks = new KeptTasks({
    accounts: signIn.accounts,
    folder: stored('tasks'),
    owners: taskOwners(systemProcesses()),
    host,
    ledger,
    log: (message) => taskLog.log('warn', message),
  });
  const opened = openGate(
    { host, decisions, questions, ledger, keptTasks, grants, pins: stored('pins') },
    store,
  );
  /** Ends every session, then saves what is kept. The requests of a server end with it, and are recorded. */
  const close = async (): Promise<void> => {
    await Promise.allSettled([later.gatewayClosed, keptTasks.close(), host.close()]);
    await Promise.all([ledger.flush(), sampling.close(), processes.close()]);
  };
  return {
    ...opened,
    host,
    later,
    decisions,
    questions,
    approval,
    rules,
    ledger,
    levels,
    inputs,
    sampling,
    elicitation,
    signIn,
    keptTasks,
    clientVersion,
    close,
  };
}
