import type * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { ruleSettings } from '../../host/config/serverRules.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import type { ActivityNode } from '../nodes/activityNode.ts';
import type { MoreNode } from '../nodes/resourceNode.ts';
import type { NodeOf, ServerNode } from '../nodes/serverNode.ts';

/** What a command is called with by a row, a menu or another command. From the palette it comes without. */
interface Takes<Arguments extends readonly unknown[]> {
  /** For the types only. */
  readonly arguments?: Arguments;
}

function takes<Arguments extends readonly unknown[]>(): Takes<Arguments> {
  return {};
}

/** A resource as the rows of trees and quick picks name it. */
interface ResourceReference {
  readonly address: ResourceAddress;
  readonly mimeType?: string | undefined;
}

const nothing = takes<[]>();
const server = takes<[server?: ServerNode | ServerId]>();
const rowOfServer = takes<[row?: ServerNode]>();
const document = takes<[uri?: vscode.Uri]>();
/** The document of an entry of the traffic. */
const entryDocument = takes<[uri: vscode.Uri]>();
const resource = takes<[resource?: vscode.Uri | ResourceReference]>();

/** The commands in package.json, without `mcpHost.`: the only place in the code that lists them. */
const contributedCommands = {
  // Definitions
  addServer: nothing,
  editServer: server,
  duplicateServer: server,
  renameServer: server,
  removeServer: server,
  enableServer: server,
  disableServer: server,
  importServers: nothing,
  useCopilotServers: nothing,
  /** `user` opens the user settings. */
  openConfiguration: takes<[definition?: ServerNode | ServerId]>(),
  useDefinition: rowOfServer,
  manageInputs: takes<[server?: { readonly server: HostServer }]>(),
  // Servers
  startServer: server,
  stopServer: server,
  restartServer: server,
  showLog: server,
  checkUp: server,
  // Traffic
  filterTraffic: document,
  pauseTraffic: document,
  resumeTraffic: document,
  clearTraffic: document,
  recordTraffic: document,
  stopRecordingTraffic: document,
  exportRecording: document,
  /** Of two files that are selected, or a list or a file with another one. */
  compareRecordings: takes<[uri?: vscode.Uri, selected?: unknown]>(),
  setLogLevel: server,
  installProgram: server,
  trySampleServer: nothing,
  addRecording: document,
  // Accounts
  setKey: server,
  signIn: server,
  cancelSignIn: server,
  copySignInAddress: server,
  pasteSignInAnswer: server,
  registerAgain: server,
  signOut: server,
  // Questions and decisions
  reviewQuestions: server,
  reviewDecisions: nothing,
  openServer: server,
  // Folders
  manageRoots: server,
  addSubfolder: server,
  shareAllRoots: server,
  resetRoots: server,
  shareRootAgain: rowOfServer,
  stopSharingRoot: rowOfServer,
  removeSubfolder: rowOfServer,
  // Tools
  runTool: rowOfServer,
  runAgain: document,
  editArguments: document,
  copyResultJson: document,
  saveResult: document,
  openFromResult: takes<[uri?: vscode.Uri, index?: number]>(),
  reviewMissedRequest: document,
  // What models may use
  reviewToolChanges: server,
  acceptToolChanges: document,
  keepToolsBlocked: document,
  letToolTextVary: document,
  // Chat
  useInChat: server,
  removeFromChat: server,
  addResourceToChat: resource,
  // Model access
  setModelAccess: server,
  chooseModels: nothing,
  // Prompts
  usePrompt: rowOfServer,
  sendPrompt: document,
  copyPrompt: document,
  insertPrompt: document,
  // Resources
  openResource: takes<[resource?: ResourceAddress | ResourceReference]>(),
  openTemplate: takes<[template?: { readonly serverId: ServerId; readonly template: object }]>(),
  saveResource: resource,
  copyResourceUri: resource,
  refreshResource: resource,
  compareResource: document,
  revealResource: resource,
  filterResources: nothing,
  clearResourceFilter: nothing,
  refreshResources: nothing,
  // Activity
  openActivity: takes<[entry?: ActivityNode | string]>(),
  openTaskResult: takes<[entry?: ActivityNode]>(),
  /** `all` shows the activity of all workspaces, and asks nothing. */
  filterActivity: takes<[workspaces?: 'all']>(),
  clearActivityFilter: nothing,
  exportActivity: nothing,
  cancelCall: takes<[row?: ActivityNode | ServerNode]>(),
  // Documentation
  /** The name of a file in `docs/`, with a heading after `#`. */
  openDocumentation: takes<[topic?: string]>(),
  openTroubleshooting: nothing,
  openQuestionsHelp: nothing,
  openSignInHelp: nothing,
};

/** What rows, messages and answers run, and nothing else: these are not in package.json. */
const rowCommands = {
  showTraffic: takes<[id: ServerId]>(),
  openTrafficEntry: entryDocument,
  sendAgain: entryDocument,
  copyAsJsonRpc: entryDocument,
  copyAsCurl: entryDocument,
  continueChat: nothing,
  /** `key` is of the question that the button belongs to; `review` opens it in the panel. */
  answerCall: takes<[key: string, answer: 'allow' | 'refuse' | 'review']>(),
  showMore: takes<[row: NodeOf<'more'>]>(),
  showMoreActivity: nothing,
  showCalls: nothing,
  removeAddedServer: takes<[id: ServerId]>(),
  showMoreResources: takes<[row: MoreNode]>(),
  showPartsLog: nothing,
  /** As `runTool`, but runs nothing before you do. */
  showToolForm: takes<[row: NodeOf<'tool'>]>(),
  showServerResources: takes<[id: ServerId]>(),
  /** What a server asks for before it starts. */
  openAsked: takes<[id: ServerId]>(),
  copyAsked: takes<[id: ServerId, what: 'address' | 'code']>(),
  useClaimedAddress: takes<[id: ServerId]>(),
  /** Puts a folder first in the PATH of a definition in your user settings. */
  usePath: takes<[id: ServerId, folder: string]>(),
  /** Signs in, or sets the token: what the server requires, as far as it is known. */
  signInOrSetToken: takes<[id: ServerId]>(),
  /** A message has asked you to sign in to a server. */
  signInShown: takes<[id: ServerId]>(),
};

/** What the editor adds for each view. */
const viewCommands = {
  'servers.focus': nothing,
  'resources.focus': nothing,
  'activity.focus': nothing,
};

type Commands = typeof contributedCommands & typeof rowCommands & typeof viewCommands;
export type CommandName = keyof Commands;
export type ArgumentsOf<Name extends CommandName> =
  Commands[Name] extends Takes<infer Arguments> ? Arguments : never;
export function commandId(name: CommandName): string {
  return `mcpHost.${name}`;
}

/** A command as a row or a code lens runs it. */
export function commandTo<Name extends CommandName>(
  name: Name,
  title: string,
  ...args: ArgumentsOf<Name>
): vscode.Command {
  return { command: commandId(name), title, ...(args.length > 0 && { arguments: [...args] }) };
}

/** Opens a setting of the editor. Its settings page lists only one of the rules. */
export function openSetting(setting: string): vscode.Command {
  const title = 'Open Setting';
  return setting in ruleSettings && setting !== 'chat.mcp.access'
    ? {
        title,
        command: 'workbench.action.openSettingsJson',
        arguments: [{ revealSetting: { key: setting, edit: false } }],
      }
    : { title, command: 'workbench.action.openSettings', arguments: [setting] };
}
