import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText.ts';
import { serverId, type ServerId } from '../../host/config/serverDefinition.ts';
import { isActive, type ConnectionState } from '../../host/connection/connectionState.ts';
import { changeSummary } from '../../host/gate/changeText.ts';
import type { HostServer } from '../../host/mcpHost.ts';
import { listedNames } from '../../host/roots/rootsSummary.ts';
import { placeText, startingText, stateText } from '../words.ts';
import { pictureOf, ROW_ICON_BYTES, SERVER_ICON_BYTES } from './icons.ts';
import { remedyMark } from './failureNodes.ts';
import { decorateFailure, decorateRemedy, failureLabel, remedyLabel } from './failureRows.ts';
import { decorateModelAccess } from './modelAccessRow.ts';
import { decorateMalformed, leftOutText, malformedLabel } from './malformedRows.ts';
import { promptLabel, promptTooltip } from './promptRows.ts';
import { decorateRoots } from './rootRows.ts';
import { icon, nameAndFirstLine, plain } from './rowParts.ts';
import { malformedNodes, PAGE, type ServerNode, type TreeSources } from './serverNodes.ts';
import { decorateTools } from './toolRows.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** How a node looks; text of a server is shown as text, nothing in it invisible. */
export function treeItem(node: ServerNode, sources: TreeSources): vscode.TreeItem {
  const label = labelOf(node);
  const item = new vscode.TreeItem(label, collapsibleStateOf(node, sources));
  item.id = idOf(node);
  decorate(item, node, sources);
  // Without it a screen reader says the tooltip instead of the row.
  const { description } = item;
  item.accessibilityInformation = { label: description ? `${label}, ${String(description)}` : label };
  return item;
}

function labelOf(node: ServerNode): string {
  switch (node.kind) {
    case 'server':
      return visibleText(node.server.label);
    case 'failure':
      return failureLabel(node);
    case 'remedy':
      return remedyLabel(node);
    case 'tools':
      return 'Tools';
    case 'tool':
      return visibleText(node.tool.title ?? node.tool.annotations?.title ?? node.tool.name);
    case 'malformed':
      return malformedLabel(node.item);
    case 'agentMode':
      return 'Agent mode';
    case 'modelAccess':
      return 'Model access';
    case 'prompts':
      return 'Prompts';
    case 'prompt':
      return promptLabel(node.prompt);
    case 'roots':
      return 'Roots';
    case 'lingering':
      return `May still use ${listedNames(node.roots.map(({ name }) => name))}`;
    case 'root':
      return visibleText(node.candidate.root.name);
    case 'leftOut':
      return visibleText(node.folder.name);
    case 'count':
      return node.what;
    case 'more':
      return `Show ${Math.min(PAGE, node.hidden)} More…`;
    case 'shadowed':
      return visibleText(node.shadowed.definition.name);
    case 'unreadable': {
      const [{ name, origin }] = node.problems;
      return visibleText(name?.trim() ? name : placeText(origin));
    }
    case 'problem':
      return visibleText(node.problem.message);
  }
}

/** What the editor knows the row of a tool by. */
export function toolRowId(id: ServerId, name: string): string {
  return `${id} tool ${name}`;
}

/** What the editor knows a row by. */
export function idOf(node: ServerNode): string {
  switch (node.kind) {
    case 'server':
      return node.server.connection.definition.id;
    case 'shadowed':
      return `shadowed ${node.shadowed.definition.id}`;
    case 'unreadable': {
      const [{ origin, name }] = node.problems;
      return `unreadable ${serverId(origin, name ?? '')}`;
    }
    case 'problem': {
      const { origin, name, message } = node.problem;
      return `problem ${serverId(origin, name ?? '')} ${message}`;
    }
    default: {
      const id = `${node.server.connection.definition.id} ${node.kind}`;
      switch (node.kind) {
        case 'tool':
          return toolRowId(node.server.connection.definition.id, node.tool.name);
        case 'malformed':
          return `${id} ${node.what} ${node.item.place}`;
        case 'prompt':
          return `${id} ${node.prompt.name}`;
        case 'more':
          return `${id} ${node.what}`;
        case 'root':
          return `${id} ${node.candidate.root.uri}`;
        case 'leftOut':
          return `${id} ${node.folder.uri}`;
        case 'remedy':
          return `${id} ${node.remedy.kind}`;
        case 'count':
          return `${id} ${node.what}`;
        default:
          return id;
      }
    }
  }
}

function collapsibleStateOf(node: ServerNode, { tools }: TreeSources): vscode.TreeItemCollapsibleState {
  switch (node.kind) {
    case 'server':
    case 'unreadable':
      return Expanded;
    case 'tools':
      return tools.of(node.server.connection.definition.id).length > 0 ||
        malformedNodes(node.server, 'tools').length > 0
        ? Collapsed
        : None;
    case 'prompts':
      return Collapsed;
    case 'roots':
      return node.view.candidates.length + node.view.leftOut.length > 0 ? Collapsed : None;
    default:
      return None;
  }
}

function decorate(item: vscode.TreeItem, node: ServerNode, sources: TreeSources): void {
  switch (node.kind) {
    case 'server':
      decorateServer(item, node.server, sources);
      break;
    case 'failure':
      decorateFailure(item, node);
      break;
    case 'remedy':
      decorateRemedy(item, node);
      break;
    case 'tools':
    case 'tool':
    case 'agentMode':
      decorateTools(item, node, sources);
      break;
    case 'malformed':
      decorateMalformed(item, node.item, node.what);
      break;
    case 'modelAccess':
      decorateModelAccess(item, node, sources);
      break;
    case 'prompts':
      item.iconPath = icon('comment');
      item.description = [String(node.count), ...leftOutText(node.server, 'prompts')].join(' · ');
      item.tooltip =
        'Texts that this server prepares for a language model. You look at each before you send it.';
      break;
    case 'prompt':
      item.description = nameAndFirstLine(node.prompt.name, item.label, node.prompt.description);
      item.tooltip = plain(promptTooltip(node.prompt));
      setPicture(item, node.prompt);
      item.contextValue = 'prompt';
      break;
    case 'lingering':
    case 'roots':
    case 'root':
      decorateRoots(item, node);
      break;
    case 'leftOut':
      item.iconPath = icon('warning', 'list.warningForeground');
      item.description = `not shared: ${vscode.Uri.parse(node.folder.uri).scheme}: is no disk that a server could read`;
      item.tooltip = plain(node.folder.uri);
      break;
    case 'count':
      item.iconPath = icon('file');
      item.description = String(node.count);
      item.command = {
        command: 'mcpHost.showServerResources',
        title: 'Show',
        arguments: [node.server.connection.definition.id],
      };
      break;
    case 'more':
      item.command = {
        command: 'mcpHost.showMore',
        title: 'Show More',
        arguments: [node.server.connection.definition.id, node.what],
      };
      break;
    case 'shadowed': {
      const { definition } = node.shadowed;
      const { by } = node.shadowed;
      item.iconPath = icon('eye-closed');
      item.description = `in ${placeText(definition.origin)} · hidden by ${placeText(by.origin)}`;
      item.tooltip = plain(
        `Defined in ${placeText(definition.origin)}, and by the same name in ${placeText(by.origin)}, which runs.`,
      );
      item.contextValue = 'shadowed';
      break;
    }
    case 'unreadable': {
      const [{ name, origin }] = node.problems;
      item.iconPath = icon('error', 'list.errorForeground');
      item.description = name === undefined ? 'cannot be read' : 'cannot be started';
      item.tooltip = plain(`Defined in ${placeText(origin)}`);
      item.contextValue = 'unreadable';
      break;
    }
    case 'problem': {
      const { severity, message } = node.problem;
      item.iconPath = icon(severity, `list.${severity}Foreground`);
      item.tooltip = plain(`${message}\n\nIn ${placeText(node.problem.origin)}`);
      item.command = {
        command: 'mcpHost.openConfiguration',
        title: 'Open the Definition',
        arguments: [node],
      };
      break;
    }
  }
}

function setPicture(item: vscode.TreeItem, offered: Parameters<typeof pictureOf>[0]): void {
  const picture = pictureOf(offered, ROW_ICON_BYTES);
  if (picture) {
    item.iconPath = picture;
  }
}

/** What the row of a server tells of its tools. */
export function serverMarks({ connection }: HostServer, { tools }: TreeSources): string {
  const { id } = connection.definition;
  const changes = tools.changes(id);
  return `${changes ? changeSummary(changes) : ''} ${tools.isTrusted(id)}`;
}

function decorateServer(item: vscode.TreeItem, server: HostServer, { tools }: TreeSources): void {
  const { connection, label } = server;
  const { state, definition, serverInfo, startWait } = connection;
  const changes = tools.changes(definition.id);
  const words = startWait ? startingText(startWait) : stateText(state);
  const [first, ...details] = words.split(' · ');
  const cuts = connection.catalogue?.cuts ?? [];
  item.description = [
    first,
    ...(changes ? [`${changeSummary(changes)} changed`] : []),
    ...(cuts.length > 0 ? ['not all of it is listed'] : []),
    ...details,
  ].join(' · ');
  const picture = state.kind === 'running' ? pictureOf(serverInfo ?? {}, SERVER_ICON_BYTES) : undefined;
  item.iconPath = picture ?? iconOf(state);
  const inputs = definition.inputs.length > 0 ? ' inputs' : '';
  const isTrusted = tools.isTrusted(definition.id);
  const claims = state.kind === 'running' ? (isTrusted ? ' trusted' : ' untrusted') : '';
  const changed = changes ? ' changed' : '';
  item.contextValue = `server ${isActive(state) ? 'active' : 'idle'} ${state.kind}${claims}${changed}${remedyMark(server)}${inputs}`;
  const lines = [`${label}: ${words}`, `Defined in ${placeText(definition.origin)}`];
  if (state.kind === 'failed' || state.kind === 'backingOff') {
    lines.push(sentence(state.reason.message));
  }
  if (serverInfo) {
    lines.push(`Calls itself ${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`);
  }
  if (state.kind === 'running' && state.pid !== undefined) {
    lines.push(`Process ${state.pid}`);
  }
  if (state.kind === 'running' && isTrusted) {
    lines.push('You trust what it claims of its tools, for this launch');
  }
  if (changes) {
    lines.push(
      `${sentence(changeSummary(changes))} changed since you approved it: held back until you review it`,
    );
  }
  lines.push(...cuts.map((cut) => `Not all of it is listed: ${cut}`));
  if (definition.origin.format === 'mcpJson' && editorRunsMcpJson()) {
    lines.push(
      "The editor's own MCP support may run this file too, by its own rules. Its setting chat.mcp.workspaceRootConfig.enabled switches that off.",
    );
  }
  item.tooltip = plain(lines.join('\n'));
  if (state.kind === 'awaitingApproval') {
    item.command = { command: 'mcpHost.reviewQuestions', title: 'Review', arguments: [definition.id] };
  }
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
      return icon('warning', 'list.warningForeground');
    case 'failed':
      return icon('error', 'list.errorForeground');
    case 'denied':
    case 'disabled':
      return icon('circle-slash');
    case 'stopped':
      return icon('circle-outline');
  }
}

function sentence(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}
