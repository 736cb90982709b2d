import * as vscode from 'vscode';
import { commandTo } from '../../commands/commandList.ts';
import { visibleText } from '../../../base/visibleText.ts';
import { isEditable } from '../../../host/config/edit/changeServer.ts';
import { serverId, type ServerId } from '../../../host/config/serverDefinition.ts';
import { listedNames } from '../../../host/roots/rootsSummary.ts';
import { placeText } from '../../messages/words.ts';
import { pictureOf, ROW_ICON_BYTES } from '../icons.ts';
import { decorateFailure, decorateRemedy, failureLabel, remedyLabel } from './failureRows.ts';
import { BELOW } from './openRows.ts';
import { decorateServer } from './serverRow.ts';
import { decorateModelAccess } from './modelAccessRow.ts';
import { decorateMalformed, leftOutText, malformedLabel } from '../malformedRows.ts';
import { decorateMissingPart, missingPartLabel } from './missingPartRow.ts';
import { promptLabel, promptTooltip } from './promptRows.ts';
import { decorateRoots } from './rootRows.ts';
import { icon, nameAndFirstLine, plain } from '../rowParts.ts';
import { PAGE, type ServerNode, type TreeSources } from './serverNodes.ts';
import { decorateTools } from './toolRows.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** How a node looks; text of a server is shown as text, nothing in it invisible. */
export function treeItem(node: ServerNode, sources: TreeSources): vscode.TreeItem {
  const label = labelOf(node);
  const item = new vscode.TreeItem(label, collapsibleStateOf(node));
  item.id = idOf(node);
  decorate(item, node, sources);
  // Without it a screen reader says the tooltip instead of the row.
  const { description } = item;
  item.accessibilityInformation = { label: description ? `${label}, ${String(description)}` : label };
  return item;
}

function labelOf(node: ServerNode): string {
  switch (node.kind) {
    case 'missingPart':
      return missingPartLabel(node.part);
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
      return 'Chat';
    case 'modelAccess':
      return 'Model access';
    case 'prompts':
      return 'Prompts';
    case 'prompt':
      return promptLabel(node.prompt);
    case 'roots':
      return 'Folders';
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
  return `${id}${BELOW}tool ${name}`;
}

/** What the editor knows a row by. */
export function idOf(node: ServerNode): string {
  switch (node.kind) {
    case 'missingPart':
      return `missing ${node.part.name}`;
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
      const id = `${node.server.connection.definition.id}${BELOW}${node.kind}`;
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

function collapsibleStateOf(node: ServerNode): vscode.TreeItemCollapsibleState {
  switch (node.kind) {
    case 'server':
    case 'unreadable':
      return Collapsed;
    case 'tools':
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
    case 'missingPart':
      decorateMissingPart(item, node.part);
      break;
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
      item.command = commandTo('showServerResources', 'Show', node.server.connection.definition.id);
      break;
    case 'more':
      item.command = commandTo('showMore', 'Show More', node);
      break;
    case 'shadowed': {
      const { definition } = node.shadowed;
      const { by } = node.shadowed;
      item.iconPath = icon('eye-closed');
      item.description = `in ${placeText(definition.origin)} · hidden by ${placeText(by.origin)}`;
      item.tooltip = plain(
        `Defined in ${placeText(definition.origin)}, and by the same name in ${placeText(by.origin)}, which runs.`,
      );
      item.contextValue = isEditable(definition.origin) ? 'shadowed editable' : 'shadowed';
      break;
    }
    case 'unreadable': {
      const [{ name, origin }] = node.problems;
      item.iconPath = icon('error', 'list.errorForeground');
      item.description = name === undefined ? 'cannot be read' : 'cannot be started';
      item.tooltip = plain(
        [...node.problems.map(({ message }) => message), `Defined in ${placeText(origin)}`].join('\n'),
      );
      item.contextValue = name !== undefined && isEditable(origin) ? 'unreadable editable' : 'unreadable';
      break;
    }
    case 'problem': {
      const { severity, message } = node.problem;
      item.iconPath = icon(severity, `list.${severity}Foreground`);
      item.tooltip = plain(`${message}\n\nIn ${placeText(node.problem.origin)}`);
      item.command = commandTo('openConfiguration', 'Open the Definition', node);
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
