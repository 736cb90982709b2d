import * as vscode from 'vscode';
import { capitalized } from '../../base/words.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import { repeatsWords } from '../../host/connection/lists/catalogue.ts';
import type { ConnectionState } from '../../host/connection/state/connectionState.ts';
import { changeSummary } from '../../host/gate/pins/changeText.ts';
import { needsTask } from '../../host/tools/hostTool.ts';
import { isHeldBack } from '../../host/tools/toolSummary.ts';
import { fullText } from '../../host/errors/hostError.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { placeText } from '../words.ts';
import { pictureOf, SERVER_ICON_BYTES } from './icons.ts';
import { icon, plain } from './rowParts.ts';
import { serverContext } from './serverContext.ts';
import { problemsOf, type TreeSources } from './serverNodes.ts';
import { serverWord, stateWord, type ServerFacts } from './serverWord.ts';

/** The row of a server: the one word that matters; everything else stands in its tooltip, or below it. */
export function decorateServer(item: vscode.TreeItem, server: HostServer, sources: TreeSources): void {
  const { state, definition, serverInfo } = server.connection;
  const facts = factsOf(server, sources);
  const picture = state.kind === 'running' ? pictureOf(serverInfo ?? {}, SERVER_ICON_BYTES) : undefined;
  item.description = serverWord(state, facts);
  item.iconPath = needsLook(facts) ? icon('warning', 'list.warningForeground') : (picture ?? iconOf(state));
  item.contextValue = serverContext(server, sources);
  item.tooltip = plain(tooltipLines(server, sources).join('\n'));
  if (state.kind === 'awaitingApproval') {
    item.command = { command: 'mcpHost.reviewQuestions', title: 'Review', arguments: [definition.id] };
  }
}

/** What the row of a server tells of its tools. */
export function serverMarks(server: HostServer, sources: TreeSources): string {
  return `${serverWord(server.connection.state, factsOf(server, sources), 0)} ${serverContext(server, sources)}`;
}

function factsOf({ connection }: HostServer, { host, tools }: TreeSources): ServerFacts {
  const { catalogue, definition, rootsKnowledge } = connection;
  const listed = tools.of(definition.id);
  return {
    tools: listed.filter(({ tool }) => !needsTask(tool)).length,
    prompts: catalogue?.prompts.length ?? 0,
    resources: (catalogue?.resources.length ?? 0) + (catalogue?.resourceTemplates.length ?? 0),
    heldBack: listed.filter(isHeldBack).length,
    areInstructionsHeldBack: tools.changes(definition.id)?.instructions !== undefined,
    lingering: rootsKnowledge.mayStillUse.length,
    problems: problemsOf(host, definition).length,
    isCut: (catalogue?.cuts ?? []).length > 0,
    repeatsItself: (catalogue?.repeated ?? []).length > 0,
    startWait: connection.startWait,
  };
}

function needsLook({ heldBack, areInstructionsHeldBack, lingering }: ServerFacts): boolean {
  return heldBack > 0 || areInstructionsHeldBack || lingering > 0;
}

function tooltipLines({ connection, label }: HostServer, { tools }: TreeSources): readonly string[] {
  const { state, definition, serverInfo, catalogue } = connection;
  const changes = tools.changes(definition.id);
  const isTrusted = state.kind === 'running' && tools.isTrusted(definition.id);
  return [
    state.kind === 'failed' ? `${label} failed` : `${label}: ${stateWord(state)}`,
    ...(state.kind === 'failed' || state.kind === 'backingOff' ? [capitalized(fullText(state.reason))] : []),
    ...(serverInfo ? [`Calls itself ${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`] : []),
    ...(state.kind === 'running' ? [`Protocol revision ${state.revision}`] : []),
    ...reachedBy(definition, state),
    `Defined in ${placeText(definition.origin)}`,
    ...(isTrusted ? ['You trust what it claims of its tools, for this launch'] : []),
    ...(changes ? [`Changed since you approved it, and held back: ${changeSummary(changes)}`] : []),
    ...(catalogue?.cuts ?? []).map((cut) => `Not all of it is listed: ${cut}`),
    ...(catalogue && catalogue.repeated.length > 0 ? [capitalized(repeatsWords(catalogue.repeated))] : []),
    ...(definition.origin.format === 'mcpJson' && editorRunsMcpJson()
      ? [
          "The editor's own MCP support may run this file too, by its own rules. Its setting chat.mcp.workspaceRootConfig.enabled switches that off.",
        ]
      : []),
  ];
}

/** The address without what may hold a secret; the command without its arguments. */
function reachedBy(definition: ServerDefinition, state: ConnectionState): readonly string[] {
  if (definition.type !== 'stdio') {
    return [`At ${definition.url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')}`];
  }
  const process = state.kind === 'running' && state.pid !== undefined ? ` (process ${state.pid})` : '';
  return [`Runs ${definition.command}${process}`];
}

/** Newer versions of the editor read `.mcp.json` themselves, unless told otherwise; older ones know no such setting. */
function editorRunsMcpJson(): boolean {
  return vscode.workspace.getConfiguration('chat.mcp').get('workspaceRootConfig.enabled') === true;
}

function iconOf(state: ConnectionState): vscode.ThemeIcon {
  switch (state.kind) {
    case 'running':
      return icon('pass-filled', 'testing.iconPassed');
    case 'starting':
    case 'authorizing':
    case 'stopping':
      return icon('loading~spin');
    case 'awaitingApproval':
      return icon('question', 'list.warningForeground');
    case 'restricted':
      return icon('workspace-untrusted');
    case 'backingOff':
      return icon('history', 'list.warningForeground');
    case 'failed':
      return icon('error', 'list.errorForeground');
    case 'denied':
      return icon('circle-slash');
    case 'disabled':
      return icon('circle-slash', 'disabledForeground');
    case 'stopped':
      return icon('circle-outline');
  }
}
