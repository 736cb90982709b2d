import type * as vscode from 'vscode';
import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import { usableAddress } from '../../host/auth/signInActions.ts';
import { ServerDecisions } from '../../host/decisions/serverDecisions.ts';
import { launchDecisionKind } from '../../host/launch/question/launchDecision.ts';
import { editorNode } from '../../host/processes/editorNode.ts';
import {
  recordingDefinition,
  sampleDefinition,
  type AddedRecording,
} from '../../host/added/addedDefinitions.ts';
import { AddedServers } from '../../host/added/addedServers.ts';
import { registerAddResourceToChat } from '../chat/addResourceToChat.ts';
import { registerParticipant } from '../chat/participant/registerParticipant.ts';
import { registerChatTools } from '../chat/registerChatTools.ts';
import { CheckUpDocuments } from '../checkUp/checkUpDocuments.ts';
import { registerReviewDecisions } from '../decisions/reviewDecisions.ts';
import { ServerPages } from '../decisions/serverPages.ts';
import { registerAddServer, type AddServerDependencies } from '../definitions/addServer.ts';
import { registerDefinitionCommands } from '../definitions/definitionCommands.ts';
import { registerEditServer } from '../definitions/editServer.ts';
import { FoundServers } from '../definitions/foundServers.ts';
import { registerImportServers } from '../definitions/importServers.ts';
import { UserSettingsFile } from '../definitions/userSettingsFile.ts';
import { DefinitionDiagnostics } from '../diagnostics/definitionDiagnostics.ts';
import { ownScript } from '../documents/openDefinition.ts';
import { registerDocumentation } from '../documents/openDocumentation.ts';
import { ChangeReviews } from '../gate/changeReviews.ts';
import { serverToggles } from '../gate/serverToggles.ts';
import { registerManageInputs } from '../inputs/manageInputs.ts';
import { registerModelAccessCommands } from '../modelAccess/modelAccessCommands.ts';
import { registerUsePrompt } from '../prompts/usePrompt.ts';
import { registerLiveDocuments } from '../resources/live/registerLiveDocuments.ts';
import { registerOpenResource } from '../resources/openResource.ts';
import { registerOpenTemplate } from '../resources/openTemplate.ts';
import { registerResources } from '../resources/registerResources.ts';
import { showingResources } from '../resources/showResource.ts';
import { registerRootCommands } from '../roots/rootCommands.ts';
import { setShared } from '../roots/shareRoots.ts';
import { registerAddedServers } from '../servers/addedServers.ts';
import { registerServerCommands } from '../servers/serverCommands.ts';
import { registerSetLogLevel } from '../servers/setLogLevel.ts';
import { registerSignIn } from '../signIn/signInCommands.ts';
import { registerRunTool } from '../tools/runTool.ts';
import { TrafficDocuments } from '../traffic/trafficDocuments.ts';
import { ActivityView } from '../views/activity/activityView.ts';
import { registerActivityCommands } from '../views/activity/activityCommands.ts';
import { CallStatus } from '../views/activity/callStatus.ts';
import { ResourcesView } from '../views/resources/resourcesView.ts';
import { OpenRows } from '../views/servers/openRows.ts';
import { ServersView } from '../views/servers/serversView.ts';
import { showTroubleStatus } from '../views/servers/troubleStatus.ts';
import { DefinitionsWatcher } from '../workspace/configuration.ts';
import { recentResources, RecentList, recentTools } from '../workspace/recentList.ts';
import { WalkthroughProgress } from '../workspace/walkthroughProgress.ts';
import type { OpenWindow } from './openWindow.ts';

/** What this workspace remembers about what you opened. */
export function rememberedIn(state: vscode.Memento) {
  return {
    rows: new OpenRows(state, 'openRows.servers'),
    resources: new RecentList(state, recentResources),
    tools: new RecentList(state, recentTools),
  };
}

export type Remembered = ReturnType<typeof rememberedIn>;

/** Undefined if the view could not be registered. */
export type ShownServers = ServersView | undefined;

/** The view of servers, and what else shows how they are. */
export function registerServers(window: OpenWindow, { rows }: Remembered): ShownServers {
  const { parts, host, tools, questions, sampling, contextKeys, review, accounts } = window;
  const sources = { ...window, calls: window.ledger };
  const toggles = serverToggles(tools, (...toggled) => setShared(host, ...toggled));
  const serversView = parts.register(
    'The Servers view',
    () => new ServersView(sources, questions, toggles, rows, new FoundServers()),
  );
  parts.register('The status of servers', () => showTroubleStatus(host, questions));
  parts.register('Starting and stopping servers', () => registerServerCommands(host, review));
  parts.register('Signing in', () => registerSignIn({ host, accounts, review }));
  parts.register('Check Up', () => new CheckUpDocuments(window));
  parts.register('Traffic', () => new TrafficDocuments(window));
  parts.register('Set Log Level', () => registerSetLogLevel(host, window.levels));
  parts.register('Choosing folders', () =>
    registerRootCommands(host, (row) => serversView?.isRow(row) === true),
  );
  parts.register('Choosing model access', () =>
    registerModelAccessCommands(host, sampling.access, sampling.models, sampling.settings),
  );
  parts.register('Reviewing changed tools', () => new ChangeReviews(window));
  parts.register('The page of a server', () => new ServerPages({ ...window, ...sources }, toggles));
  parts.register('Review Decisions', () => registerReviewDecisions(window));
  parts.register('The walkthrough', () => new WalkthroughProgress(window, contextKeys));
  return serversView;
}

/** What models in chat, and you, can do with running servers. */
export function registerRequests(window: OpenWindow, recent: Remembered): void {
  const { parts, host, uris, ledger, contextKeys } = window;
  const show = showingResources({ ...window, recent: recent.resources });
  parts.register('Tools for chat', (part) => registerChatTools(window, part));
  parts.register('The chat participant', () => registerParticipant(window));
  parts.register('Run Tool', () => registerRunTool({ ...window, recent: recent.tools }));
  parts.register('Use Prompt', () => registerUsePrompt(window));
  parts.register('Reading resources', () => registerResources(window));
  parts.register('Open Resource', () => registerOpenResource({ host, recent: recent.resources, show }));
  parts.register('Open Template', () => registerOpenTemplate({ ...window, show }));
  parts.register('Adding resources to chat', () => registerAddResourceToChat(window));
  parts.register('The Resources view', () => new ResourcesView(host, uris, contextKeys));
  parts.register('Following resources', () => registerLiveDocuments(window));
  parts.register('The status of calls', () => new CallStatus(ledger));
  parts.register('The Activity view', (part) =>
    registerActivityCommands(window, part.add(new ActivityView(ledger, contextKeys))),
  );
}

/** What adds, changes and removes definitions, and reads them from now on. */
export function registerDefinitions(
  context: vscode.ExtensionContext,
  window: OpenWindow,
  { rows, resources, tools }: Remembered,
  serversView: ShownServers,
  store: DisposableStore,
): void {
  const { parts, host, decisions, inputs, signIn, sampling, levels, keptTasks } = window;
  const userSettings = new UserSettingsFile(context.globalStorageUri, context.globalState);
  const serverDecisions = new ServerDecisions(decisions);
  parts.register('Changing definitions', () =>
    registerDefinitionCommands({
      host,
      userSettings,
      inputs,
      decisions: serverDecisions,
      accounts: signIn.kept,
      reveal: async (id) => serversView?.reveal(id),
      selected: () => serversView?.selected,
      claimedAddress: (id) => {
        const server = host.server(id);
        return server && usableAddress(server.connection.state.signIn, server.connection.definition);
      },
      launchesOf: (id) =>
        serverDecisions.ofKind(launchDecisionKind, id).map(({ fingerprint }) => fingerprint),
      kept: [
        serverDecisions,
        window.kept,
        sampling.kept,
        signIn.kept,
        keptTasks,
        levels,
        rows,
        resources,
        tools,
      ],
    }),
  );
  const adding: AddServerDependencies = {
    ...window,
    userSettings,
    approve: (question, roots, inChat = false) =>
      window.approval.record(question, { answer: 'allow', roots, ...(inChat && { inChat }) }),
    // It is read a moment after you saved it: you may be somewhere else by then.
    reveal: async (id) => serversView?.reveal(id, { preserveFocus: true }),
    keepToken: (...kept) => signIn.keepToken(...kept),
  };
  parts.register('Add Server', () => registerAddServer(adding));
  parts.register('Edit Server', () => registerEditServer(adding));
  parts.register('Import Servers', () => registerImportServers(adding));
  parts.register('Checking definitions', () => new DefinitionDiagnostics(host));
  parts.register('Manage Stored Inputs', () => registerManageInputs(host, inputs));
  parts.register('Documentation', () => registerDocumentation(context));
  const scriptOf = (name: Parameters<typeof ownScript>[1]): string =>
    ownScript(context.extensionUri, name).fsPath;
  const own = {
    sample: sampleDefinition(scriptOf('sampleServer'), editorNode()),
    recording: (added: AddedRecording) =>
      recordingDefinition(scriptOf('recordedServer'), editorNode(), added),
  };
  const added = store.add(new AddedServers(decisions, own, (reading) => host.reconcile(reading)));
  store.add(new DefinitionsWatcher((reading) => added.read(reading)));
  parts.register('Added servers', () =>
    registerAddedServers({ ...window, added, showTools: async (id) => serversView?.showTools(id) }),
  );
}
