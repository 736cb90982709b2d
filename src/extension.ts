import * as vscode from 'vscode';
import type { McpHostApi } from './api.ts';
import { DisposableStore } from './base/lifetime/disposable.ts';
import { editorNode } from './host/processes/editorNode.ts';
import { IncreasingTime } from './base/time/increasingTime.ts';
import { Parts } from './base/lifetime/parts.ts';
import { callingExtension } from './editor/api/callingExtension.ts';
import { editorBrowser } from './editor/browser/editorBrowser.ts';
import { ChosenLevels } from './editor/servers/chosenLevels.ts';
import { registerAddResourceToChat } from './editor/chat/addResourceToChat.ts';
import { registerAgentMode } from './editor/chat/registerAgentMode.ts';
import { registerParticipant } from './editor/chat/participant/registerParticipant.ts';
import { registerChatTools } from './editor/chat/registerChatTools.ts';
import { registerActivityCommands } from './editor/views/activity/activityCommands.ts';
import { registerAddServer, type AddServerDependencies } from './editor/definitions/addServer.ts';
import { registerEditServer } from './editor/definitions/editServer.ts';
import { FoundServers } from './editor/definitions/foundServers.ts';
import { UserSettingsFile } from './editor/definitions/userSettingsFile.ts';
import { registerImportServers } from './editor/definitions/importServers.ts';
import { sampleScript } from './editor/documents/openDefinition.ts';
import { registerDefinitionCommands } from './editor/definitions/definitionCommands.ts';
import { registerModelAccessCommands } from './editor/modelAccess/modelAccessCommands.ts';
import { registerOpenTemplate } from './editor/resources/openTemplate.ts';
import { registerOpenResource } from './editor/resources/openResource.ts';
import { registerReviewDecisions } from './editor/decisions/reviewDecisions.ts';
import { registerRootCommands } from './editor/roots/rootCommands.ts';
import { registerRunTool, runToolAgain } from './editor/tools/runTool.ts';
import { registerSampleCommands } from './editor/servers/sampleCommands.ts';
import { registerServerCommands } from './editor/servers/serverCommands.ts';
import { registerSetLogLevel } from './editor/servers/setLogLevel.ts';
import { setShared } from './editor/roots/shareRoots.ts';
import { registerToolCommands, serverToggles } from './editor/gate/toolCommands.ts';
import { registerUsePrompt } from './editor/prompts/usePrompt.ts';
import { RequestPanels } from './editor/requestForms/requestPanels.ts';
import { DefinitionsWatcher, gateSettings, hostSettings } from './editor/workspace/configuration.ts';
import { EditorRules } from './editor/workspace/editorRules.ts';
import { ContextKeys } from './editor/workspace/contextKeys.ts';
import { DefinitionDiagnostics } from './editor/diagnostics/definitionDiagnostics.ts';
import { registerDocumentation } from './editor/documents/openDocumentation.ts';
import { ResultDocuments } from './editor/tools/resultDocuments.ts';
import { ViewDocuments } from './editor/documents/viewDocuments.ts';
import { ChangeReviews } from './editor/gate/changeReviews.ts';
import { openGate } from './editor/gate/openGate.ts';
import { askForInput } from './editor/inputs/askForInput.ts';
import { InputStore } from './editor/inputs/inputStore.ts';
import { registerManageInputs, serversUsing } from './editor/inputs/manageInputs.ts';
import { openSampling } from './editor/sampling/openSampling.ts';
import { inNotification } from './editor/messages/plainText.ts';
import { createApi } from './editor/api/publicApi.ts';
import { registerLiveDocuments } from './editor/resources/live/registerLiveDocuments.ts';
import { showingResources } from './editor/resources/showResource.ts';
import { ReadableResources } from './editor/resources/readableResources.ts';
import { registerResources } from './editor/resources/registerResources.ts';
import { ResourceUris } from './editor/resources/resourceUris.ts';
import { recentResources, RecentList, recentTools } from './editor/workspace/recentList.ts';
import { Review } from './editor/review/review.ts';
import { openSignIn } from './editor/signIn/openSignIn.ts';
import { ShownAccounts } from './editor/signIn/shownAccounts.ts';
import { usableAddress } from './host/auth/signInActions.ts';
import { registerSignIn } from './editor/signIn/signInCommands.ts';
import { ServerLog } from './editor/servers/serverLog.ts';
import { tellMissingParts } from './editor/commands/tellFailure.ts';
import { noAgentMode } from './editor/chat/agentModeState.ts';
import { ActivityView } from './editor/views/activity/activityView.ts';
import { CallStatus } from './editor/views/activity/callStatus.ts';
import { OpenRows } from './editor/views/servers/openRows.ts';
import { ResourcesView } from './editor/views/resources/resourcesView.ts';
import { ServerReports } from './editor/decisions/serverReports.ts';
import { ServersView } from './editor/views/servers/serversView.ts';
import { showTroubleStatus } from './editor/views/servers/troubleStatus.ts';
import { workspaceFolders, workspaceKey, workspaceTrust } from './editor/workspace/workspace.ts';
import { WalkthroughProgress } from './editor/workspace/walkthroughProgress.ts';
import { DecisionStore } from './host/decisions/decisionStore.ts';
import { decisionKinds } from './host/review/decisionKinds.ts';
import { InstallationKey } from './host/launch/installationKey.ts';
import { LaunchApproval } from './host/launch/question/launchApproval.ts';
import { Preferences } from './host/servers/preferences.ts';
import { ServerDecisions } from './host/decisions/serverDecisions.ts';
import { EraStore } from './host/connection/eraStore.ts';
import { messageOf } from './host/errors/hostError.ts';
import { Ledger } from './host/ledger/ledger.ts';
import { ElicitationBroker } from './host/elicitation/elicitationBroker.ts';
import { KeptTasks } from './host/keptTasks/keptTasks.ts';
import { taskOwners } from './host/keptTasks/taskOwners.ts';
import { SchemaChecks } from './host/schemas/schemaCheck.ts';
import { McpHost } from './host/servers/mcpHost.ts';
import { GuardedProcesses } from './host/processes/guardedProcesses.ts';
import { systemProcesses } from './host/processes/systemProcesses.ts';
import { sweepGroups } from './host/processes/sweepGroups.ts';
import { ResourceReader } from './host/resources/resourceReader.ts';
import { RootsConsent } from './host/roots/rootsConsent.ts';
import { sampleDefinition } from './host/sample/sampleDefinition.ts';
import { AddedSample } from './host/sample/addedSample.ts';
import { QuestionQueue } from './host/questions/questionQueue.ts';
import { launchDecisionKind } from './host/launch/question/launchDecision.ts';

/** The end of every connection; `deactivate` has no other way to the host that `activate` built. */
let closed: Promise<void> | undefined;

export function activate(context: vscode.ExtensionContext): McpHostApi {
  try {
    return build(context);
  } catch (error) {
    void vscode.window.showErrorMessage(`MCP Host can't start. ${inNotification(messageOf(error))}`);
    throw error;
  }
}

function build(context: vscode.ExtensionContext): McpHostApi {
  const store = new DisposableStore();
  context.subscriptions.push(store);

  const decisions = store.add(
    new DecisionStore(
      decisionKinds,
      vscode.Uri.joinPath(context.globalStorageUri, 'decisions').fsPath,
      vscode.env.remoteName,
    ),
  );
  const questions = new QuestionQueue();
  const roots = store.add(new RootsConsent({ folders: workspaceFolders, settings: hostSettings, decisions }));
  const launchKey = new InstallationKey(vscode.Uri.joinPath(context.globalStorageUri, 'launch-key').fsPath);
  const approval = new LaunchApproval(decisions, roots, launchKey, {
    offerFor: (definition) => agentMode.offerFor(definition),
    grant: (id, label) => opened.grants.grant(id, true, { label }),
  });
  const inputs = new InputStore(
    { secrets: context.secrets, state: context.globalState },
    askForInput((...asked) => serversUsing(host)(...asked)),
  );
  const levels = store.add(new ChosenLevels(context.globalState));
  const clientVersion = String((context.extension.packageJSON as { version?: unknown }).version);
  const ledger = store.add(
    new Ledger(vscode.Uri.joinPath(context.globalStorageUri, 'activity').fsPath, gateSettings, {
      workspace: workspaceKey,
    }),
  );
  const schemas = store.add(
    new SchemaChecks(vscode.Uri.joinPath(context.extensionUri, 'dist', 'schemaWorker.cjs').fsPath),
  );
  const sampling = openSampling(
    context,
    () => host,
    { decisions, questions, ledger, runAgain: (...again) => runToolAgain({ host, panels }, ...again) },
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
      log: (id, ...line) => host.server(id)?.connection.logger.log(...line),
      secretsOf: (id) => host.server(id)?.connection.secrets ?? [],
    }),
  );
  const signIn = openSignIn(context, questions, (id) => host.server(id)?.signIn, store);
  const processes = guardedProcesses(context, store);
  const rules = store.add(new EditorRules());
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
    eras: new EraStore(vscode.Uri.joinPath(context.globalStorageUri, 'eras').fsPath),
  });
  const taskLog = store.add(new ServerLog('Tasks'));
  const keptTasks = new KeptTasks({
    accounts: signIn.accounts,
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'tasks').fsPath,
    owners: taskOwners(systemProcesses()),
    host,
    ledger,
    log: (message) => taskLog.log('warn', message),
  });
  let gatewayClosed: Promise<void> | undefined;
  store.add({
    dispose: () => {
      // The requests of a server end with it, and are recorded.
      closed = Promise.allSettled([gatewayClosed, keptTasks.close(), host.close()]).then(async () => {
        await Promise.all([ledger.flush(), sampling.close(), processes.close()]);
      });
    },
  });

  // What follows does not need the rest: the tree shows a part that fails, and the others go on.
  const parts = store.add(new Parts(store.add(new ServerLog('Activation'))));
  const opened = openGate(
    {
      host,
      decisions,
      questions,
      ledger,
      keptTasks,
      pins: vscode.Uri.joinPath(context.globalStorageUri, 'pins'),
    },
    store,
  );
  const { gate, tools } = opened;
  const viewDocuments = store.add(new ViewDocuments());
  const contextKeys = store.add(new ContextKeys(host, questions));
  const results = store.add(new ResultDocuments(viewDocuments, contextKeys));
  const agentMode =
    parts.register('Agent mode', (part) =>
      registerAgentMode({ ...opened, host, viewDocuments, ledger, clientVersion, rules }, part, (end) => {
        gatewayClosed = end;
      }),
    ) ?? noAgentMode;
  const review = store.add(new Review(questions, viewDocuments, context.extensionUri, sampling.missed));
  parts.register('Tools for chat', (part) =>
    registerChatTools({ ...opened, host, agentMode, questions, review, viewDocuments, contextKeys }, part),
  );
  const resourceUris = new ResourceUris(host);
  const resourceTime = new IncreasingTime();
  parts.register('The chat participant', () =>
    registerParticipant({
      host,
      tools,
      agentMode,
      uris: resourceUris,
      viewDocuments,
      extensionUri: context.extensionUri,
    }),
  );
  const panels = store.add(
    new RequestPanels({ host, tools, questions, review, extensionUri: context.extensionUri }),
  );
  const reader = store.add(new ResourceReader(host, resourceTime));
  const readable = store.add(new ReadableResources());
  const usedResources = new RecentList(context.workspaceState, recentResources);
  const usedTools = new RecentList(context.workspaceState, recentTools);
  const show = showingResources({ reader, uris: resourceUris, readable, recent: usedResources });
  const toggles = serverToggles(tools, (...toggled) => setShared(host, ...toggled));
  const accounts = store.add(new ShownAccounts(host, signIn.accounts, contextKeys));
  const sources = {
    host,
    tools,
    agentMode,
    access: sampling.access,
    elicitation,
    accounts,
    calls: ledger,
    parts,
  };
  const openRows = new OpenRows(context.workspaceState, 'openRows.servers');
  const serversView = parts.register(
    'The Servers view',
    () => new ServersView(sources, questions, toggles, openRows, new FoundServers()),
  );
  parts.register('Reading resources', () =>
    registerResources({ host, uris: resourceUris, reader, readable, time: resourceTime }),
  );
  parts.register('Open Resource', () => registerOpenResource({ host, recent: usedResources, show }));
  parts.register('Open Template', () => registerOpenTemplate({ host, reader, show, panels }));
  parts.register('Adding resources to chat', () =>
    registerAddResourceToChat({ uris: resourceUris, reader, readable }),
  );
  parts.register('The Resources view', () => new ResourcesView(host, resourceUris, contextKeys));
  parts.register('The status of servers', () => showTroubleStatus(host, questions));
  parts.register('Checking definitions', () => new DefinitionDiagnostics(host));
  parts.register('Following resources', () =>
    registerLiveDocuments({ host, uris: resourceUris, reader, readable, viewDocuments, contextKeys }),
  );
  parts.register('The status of calls', () => new CallStatus(ledger, contextKeys));
  parts.register('The Activity view', (part) =>
    registerActivityCommands(
      { ledger, viewDocuments, keptTasks, results },
      part.add(new ActivityView(ledger, contextKeys)),
    ),
  );
  parts.register('Starting and stopping servers', () => registerServerCommands(host, review));
  parts.register('Signing in', () => registerSignIn({ host, accounts, review }));
  parts.register('Set Log Level', () => registerSetLogLevel(host, levels));
  const userSettings = new UserSettingsFile(context.globalStorageUri, context.globalState);
  const serverDecisions = new ServerDecisions(decisions);
  parts.register('Changing definitions', () =>
    registerDefinitionCommands({
      host,
      userSettings,
      reveal: async (id) => serversView?.reveal(id),
      selected: () => serversView?.selected,
      inputs,
      accounts: signIn.kept,
      claimedAddress: (id) => {
        const server = host.server(id);
        return server && usableAddress(server.connection.state.signIn, server.connection.definition);
      },
      decisions: serverDecisions,
      launchesOf: (id) =>
        serverDecisions.ofKind(launchDecisionKind, id).map(({ fingerprint }) => fingerprint),
      kept: [
        serverDecisions,
        opened.kept,
        sampling.kept,
        signIn.kept,
        keptTasks,
        levels,
        openRows,
        usedResources,
        usedTools,
      ],
    }),
  );
  parts.register('Choosing folders', () =>
    registerRootCommands(host, (row) => serversView?.isRow(row) === true),
  );
  parts.register('Choosing tools', () => registerToolCommands(host, tools));
  parts.register('Choosing model access', () =>
    registerModelAccessCommands(host, sampling.access, sampling.models, sampling.settings),
  );
  parts.register(
    'Reviewing changed tools',
    () => new ChangeReviews({ host, tools, viewDocuments, contextKeys }),
  );
  parts.register('What This Server Sees', () => new ServerReports({ ...sources, decisions, viewDocuments }));
  parts.register('Review Decisions', () =>
    registerReviewDecisions({ host, decisions, record: sampling.record, signIn }),
  );
  parts.register('Run Tool', () =>
    registerRunTool({
      host,
      gate,
      results,
      review,
      missed: sampling.missed,
      panels,
      tools,
      viewDocuments,
      recent: usedTools,
    }),
  );
  parts.register('Use Prompt', () => registerUsePrompt({ host, gate, viewDocuments, contextKeys, panels }));
  parts.register('Manage Stored Inputs', () => registerManageInputs(host, inputs));
  const adding: AddServerDependencies = {
    host,
    userSettings,
    inputs,
    extensionUri: context.extensionUri,
    rules,
    approve: (question, roots, inChat = false) =>
      approval.record(question, { answer: 'allow', roots, ...(inChat && { inChat }) }),
    // It is read a moment after you saved it: you may be somewhere else by then.
    reveal: async (id) => serversView?.reveal(id, { preserveFocus: true }),
    keepToken: (...kept) => signIn.keepToken(...kept),
  };
  parts.register('Add Server', () => registerAddServer(adding));
  parts.register('Edit Server', () => registerEditServer(adding));
  parts.register('Import Servers', () => registerImportServers(adding));
  const sample = store.add(
    new AddedSample(
      decisions,
      sampleDefinition(sampleScript(context.extensionUri).fsPath, editorNode()),
      (reading) => host.reconcile(reading),
    ),
  );
  parts.register('Documentation', () => registerDocumentation(context));
  parts.register('The sample server', () =>
    registerSampleCommands({
      host,
      tools,
      sample,
      review,
      showTools: async (id) => serversView?.showTools(id),
    }),
  );
  parts.register(
    'The walkthrough',
    () =>
      new WalkthroughProgress(
        { host, decisions, ledger, hasAgentMode: () => agentMode.isAvailable },
        contextKeys,
      ),
  );
  store.add(new DefinitionsWatcher((reading) => sample.read(reading)));
  void keptTasks.takeOver();
  // Disposed first: the sessions end before the callers, so that nobody cancels a task that can go on.
  store.add({ dispose: () => void Promise.allSettled([keptTasks.close(), host.close()]) });
  if (!serversView) {
    void tellMissingParts(parts);
  }
  return createApi(
    { host, gate, tools, callingExtension: callingExtension(context.extension.id, store) },
    store,
  );
}

/** Keeps track of the processes of this window, and ends in the background those that other windows left behind. */
function guardedProcesses(
  { extensionUri, globalStorageUri }: vscode.ExtensionContext,
  store: DisposableStore,
): GuardedProcesses {
  const folder = vscode.Uri.joinPath(globalStorageUri, 'processes').fsPath;
  const guard = vscode.Uri.joinPath(extensionUri, 'dist', 'guard.cjs').fsPath;
  const logger = store.add(new ServerLog('Processes'));
  setImmediate(() => void sweepGroups(folder, logger));
  return new GuardedProcesses({ guard, folder }, logger);
}

/** The editor's API is gone by now, and five seconds are all there is: the children are waited for. */
export async function deactivate(): Promise<void> {
  await closed;
}
