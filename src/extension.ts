import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { McpHostApi } from './api.ts';
import { DisposableStore } from './base/disposable.ts';
import { IncreasingTime } from './base/increasingTime.ts';
import { callingDoor } from './editor/callingDoor.ts';
import { ChosenLevels } from './editor/chosenLevels.ts';
import { registerAddResourceToChat } from './editor/chat/addResourceToChat.ts';
import { registerAgentMode } from './editor/chat/registerAgentMode.ts';
import { registerActivityCommands } from './editor/commands/activityCommands.ts';
import { registerAddServer, type AddServerDependencies } from './editor/commands/addServer.ts';
import { registerEditServer } from './editor/commands/editServer.ts';
import { registerImportServers } from './editor/commands/importServers.ts';
import { registerModelAccessCommands } from './editor/commands/modelAccessCommands.ts';
import { registerOpenTemplate } from './editor/commands/openTemplate.ts';
import { registerOpenResource } from './editor/commands/openResource.ts';
import { registerReviewDecisions } from './editor/commands/reviewDecisions.ts';
import { registerRootCommands } from './editor/commands/rootCommands.ts';
import { registerRunTool, runToolAgain } from './editor/commands/runTool.ts';
import { registerServerCommands } from './editor/commands/serverCommands.ts';
import { registerSetLogLevel } from './editor/commands/setLogLevel.ts';
import { setShared } from './editor/commands/shareRoots.ts';
import { registerToolCommands, serverToggles } from './editor/commands/toolCommands.ts';
import { registerUsePrompt } from './editor/commands/usePrompt.ts';
import { DefinitionsWatcher, gateSettings, hostSettings } from './editor/configuration.ts';
import { ContextKeys } from './editor/contextKeys.ts';
import { DefinitionDiagnostics } from './editor/diagnostics/definitionDiagnostics.ts';
import { ViewDocuments } from './editor/documents/viewDocuments.ts';
import { ChangeReviews } from './editor/gate/changeReviews.ts';
import { openGate } from './editor/gate/openGate.ts';
import { askForInput } from './editor/inputs/askForInput.ts';
import { InputStore } from './editor/inputs/inputStore.ts';
import { registerManageInputs, serversUsing } from './editor/inputs/manageInputs.ts';
import { openProcesses } from './editor/openProcesses.ts';
import { openSampling } from './editor/openSampling.ts';
import { createApi } from './editor/publicApi.ts';
import { registerLiveDocuments } from './editor/resources/live/registerLiveDocuments.ts';
import { showingResources } from './editor/resources/showResource.ts';
import { ReadableResources } from './editor/resources/readableResources.ts';
import { RecentResources } from './editor/resources/recentResources.ts';
import { registerResources } from './editor/resources/registerResources.ts';
import { ResourceUris } from './editor/resources/resourceUris.ts';
import { Review } from './editor/review/review.ts';
import { ServerLog } from './editor/serverLog.ts';
import { ActivityView } from './editor/views/activityView.ts';
import { CallStatus } from './editor/views/callStatus.ts';
import { ResourcesView } from './editor/views/resourcesView.ts';
import { ServerSights } from './editor/sight/serverSights.ts';
import { ServersView } from './editor/views/serversView.ts';
import { TroubleStatus } from './editor/views/troubleStatus.ts';
import { workspaceFolders, workspaceTrust } from './editor/workspace.ts';
import { DecisionStore } from './host/approval/decisionStore.ts';
import { LaunchApproval } from './host/approval/launchApproval.ts';
import { Preferences } from './host/approval/preferences.ts';
import { QuestionQueue } from './host/approval/questionQueue.ts';
import { envFileNow } from './host/config/envFileNow.ts';
import { EraStore } from './host/connection/eraStore.ts';
import { Ledger } from './host/ledger/ledger.ts';
import { McpHost } from './host/mcpHost.ts';
import { ResourceReader } from './host/resources/resourceReader.ts';
import { RootsConsent } from './host/roots/rootsConsent.ts';

/** The end of every connection; `deactivate` has no other way to the host that `activate` built. */
let closed: Promise<void> | undefined;

export function activate(context: vscode.ExtensionContext): McpHostApi {
  const store = new DisposableStore();
  context.subscriptions.push(store);

  const decisions = store.add(
    new DecisionStore(
      vscode.Uri.joinPath(context.globalStorageUri, 'decisions').fsPath,
      vscode.env.remoteName,
    ),
  );
  const questions = new QuestionQueue();
  const roots = store.add(new RootsConsent({ folders: workspaceFolders, settings: hostSettings, decisions }));
  const approval = new LaunchApproval(
    decisions,
    (definition) => envFileNow(definition, { folders: workspaceFolders.folders, home: homedir() }),
    roots,
  );
  const inputs = new InputStore(
    { secrets: context.secrets, state: context.globalState },
    askForInput((...asked) => serversUsing(host)(...asked)),
  );
  const levels = store.add(new ChosenLevels(context.globalState));
  const clientVersion = String((context.extension.packageJSON as { version?: unknown }).version);
  const ledger = store.add(
    new Ledger(vscode.Uri.joinPath(context.globalStorageUri, 'activity').fsPath, gateSettings),
  );
  const sampling = openSampling(
    {
      context,
      decisions,
      questions,
      ledger,
      host: () => host,
      runAgain: (...again) => runToolAgain({ host, gate, viewDocuments, review }, ...again),
    },
    store,
  );
  const processes = openProcesses(context, store);
  const host = new McpHost({
    folders: workspaceFolders,
    trust: workspaceTrust,
    settings: hostSettings,
    approval,
    roots,
    preferences: new Preferences(decisions),
    questions,
    inputs,
    sampling: sampling.broker,
    processes,
    createLogger: (label) => new ServerLog(label),
    levels,
    clientVersion,
    eras: new EraStore(vscode.Uri.joinPath(context.globalStorageUri, 'eras').fsPath),
  });
  let gatewayClosed: Promise<void> | undefined;
  store.add({
    dispose: () => {
      // With its server a request ends, too, and is written down.
      closed = Promise.allSettled([gatewayClosed, host.close()]).then(async () => {
        await Promise.all([ledger.flush(), sampling.close(), processes.close()]);
      });
    },
  });

  const opened = openGate(
    { host, decisions, questions, ledger, pins: vscode.Uri.joinPath(context.globalStorageUri, 'pins') },
    store,
  );
  const { gate, tools } = opened;
  const viewDocuments = store.add(new ViewDocuments());
  const agentMode = registerAgentMode({ ...opened, host, viewDocuments, clientVersion }, store, (end) => {
    gatewayClosed = end;
  });
  const review = store.add(new Review(questions, viewDocuments, context.extensionUri));
  const resourceUris = new ResourceUris(host);
  const resourceTime = new IncreasingTime();
  const reader = store.add(new ResourceReader(host, resourceTime));
  const readable = store.add(new ReadableResources());
  store.add(registerResources({ host, uris: resourceUris, reader, readable, time: resourceTime }));
  const recent = new RecentResources(context.workspaceState);
  const show = showingResources({ reader, uris: resourceUris, readable, recent });
  store.add(registerOpenResource({ host, recent, show }));
  store.add(registerOpenTemplate({ host, reader, show }));
  store.add(registerAddResourceToChat({ uris: resourceUris, reader, readable }));
  const toggles = serverToggles(tools, (...toggled) => setShared(host, ...toggled));
  const serversView = store.add(
    new ServersView({ host, tools, agentMode, access: sampling.access, calls: ledger }, questions, toggles),
  );
  store.add(new ResourcesView(host, resourceUris));
  store.add(new TroubleStatus(host, questions));
  store.add(new DefinitionDiagnostics(host));
  const contextKeys = store.add(new ContextKeys(host, questions));
  store.add(
    registerLiveDocuments({ host, uris: resourceUris, reader, readable, viewDocuments, contextKeys }),
  );
  store.add(new ActivityView(ledger, contextKeys));
  store.add(new CallStatus(ledger, contextKeys));
  store.add(registerActivityCommands(ledger, viewDocuments));
  store.add(registerServerCommands(host, review));
  store.add(registerSetLogLevel(host, levels));
  store.add(registerRootCommands(host));
  store.add(registerToolCommands(host, tools));
  store.add(registerModelAccessCommands({ host, ...sampling }));
  store.add(new ChangeReviews({ host, tools, viewDocuments, contextKeys }));
  store.add(new ServerSights({ host, tools, agentMode, access: sampling.access, decisions, viewDocuments }));
  store.add(registerReviewDecisions(decisions, sampling.record));
  store.add(registerRunTool({ host, gate, viewDocuments, review }));
  store.add(registerUsePrompt({ host, gate, viewDocuments }));
  store.add(registerManageInputs(host, inputs));
  const adding: AddServerDependencies = {
    host,
    viewDocuments,
    inputs,
    extensionUri: context.extensionUri,
    approve: (question, roots) => approval.record(question, { answer: 'allow', roots }),
    reveal: (id) => serversView.reveal(id),
  };
  store.add(registerAddServer(adding));
  store.add(registerEditServer(adding));
  store.add(registerImportServers(adding));
  store.add(new DefinitionsWatcher((reading) => host.reconcile(reading)));
  return createApi({ host, gate, tools, callingDoor: callingDoor(context.extension.id, store) }, store);
}

/** The editor's API is gone by now, and five seconds are all there is: the children are waited for. */
export async function deactivate(): Promise<void> {
  await closed;
}
