import * as vscode from 'vscode';
import { commandTo } from '../../commands/commandList.ts';
import { counted } from '../../../base/words.ts';
import { stateWord } from '../servers/serverWord.ts';
import type { ResourceUris } from '../../resources/resourceUris.ts';
import { sizeText } from '../../messages/sizeText.ts';
import { pictureOf, ROW_ICON_BYTES, SERVER_ICON_BYTES } from '../icons.ts';
import { decorateMalformed, leftOutText, malformedLabel } from '../malformedRows.ts';
import type { ResourceNode, ResourceRow, ServerRow } from './resourceNodes.ts';
import { countsText, inRow, resourceTooltip, tooltipOf } from './resourceText.ts';
import { PAGE } from '../servers/serverNodes.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** A row of the tree of resources, open or not, as the editor draws it. */
export function resourceItem(node: ResourceNode, isOpen: boolean, uris: ResourceUris): vscode.TreeItem {
  const label = labelOf(node);
  const isParent = node.kind === 'server' || node.kind === 'folder' || node.kind === 'templates';
  const item = new vscode.TreeItem(label, isParent ? (isOpen ? Expanded : Collapsed) : None);
  item.id = node.id;
  item.contextValue = node.kind;
  decorate(item, node, uris);
  // Without it a screen reader says the tooltip instead of the row.
  const { description } = item;
  item.accessibilityInformation = { label: description ? `${label}, ${String(description)}` : label };
  return item;
}

function labelOf(node: ResourceNode): string {
  switch (node.kind) {
    case 'server':
      return inRow(node.server.label);
    case 'folder': {
      const { segments } = node.folder;
      return inRow(segments.length > 1 && segments.endsWith('/') ? segments.slice(0, -1) : segments);
    }
    case 'resource':
      return inRow(node.label);
    case 'templates':
      return 'Templates';
    case 'template':
      return inRow(node.template.title?.trim() || node.template.name.trim() || node.template.uriTemplate);
    case 'malformed':
      return malformedLabel(node.item);
    case 'more':
      return `Show ${Math.min(PAGE, node.hidden)} ${node.side === 'before' ? 'Previous' : 'More'}…`;
  }
}

function decorate(item: vscode.TreeItem, node: ResourceNode, uris: ResourceUris): void {
  switch (node.kind) {
    case 'server':
      decorateServer(item, node);
      break;
    case 'folder':
      item.iconPath = vscode.ThemeIcon.Folder;
      item.description = String(node.folder.count);
      item.tooltip = tooltipOf(node.folder.prefix, [], counted(node.folder.count, 'resource'));
      break;
    case 'resource':
      decorateResource(item, node, uris);
      break;
    case 'templates':
      item.iconPath = new vscode.ThemeIcon('symbol-variable');
      item.description = String(node.count);
      item.tooltip = 'Resources whose URIs have parts to fill in';
      break;
    case 'template': {
      const { uriTemplate, mimeType, description, name } = node.template;
      item.iconPath = pictureOf(node.template, ROW_ICON_BYTES) ?? new vscode.ThemeIcon('symbol-variable');
      item.description = inRow(uriTemplate);
      item.tooltip = tooltipOf(
        labelOf(node),
        [
          ['Name', name],
          ['URI', uriTemplate],
          ['Type', mimeType],
        ],
        description,
      );
      item.command = commandTo('openTemplate', 'Open', node);
      break;
    }
    case 'malformed':
      decorateMalformed(item, node.item, 'resources');
      break;
    case 'more':
      item.command = commandTo('showMoreResources', 'Show More', node);
      break;
  }
}

function decorateServer(item: vscode.TreeItem, { server, matching }: ServerRow): void {
  const { state, catalogue, serverInfo } = server.connection;
  const counts = countsText(catalogue?.resources.length ?? 0, catalogue?.resourceTemplates.length ?? 0);
  const all = [counts, ...leftOutText(server, 'resources')].filter(Boolean).join(' · ');
  item.description = matching === undefined ? all : `${matching} found`;
  item.iconPath =
    pictureOf(serverInfo ?? {}, SERVER_ICON_BYTES) ??
    new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'));
  item.tooltip = tooltipOf(`${server.label}: ${stateWord(state)}`, [], counts);
}

function decorateResource(item: vscode.TreeItem, node: ResourceRow, uris: ResourceUris): void {
  const { resource, label, segment, mimeType } = node;
  const { size } = resource;
  const isNamedOtherwise = segment.trim() !== '' && segment !== label && segment !== resource.uri;
  item.description = [
    ...(isNamedOtherwise ? [inRow(segment)] : []),
    ...(size === undefined ? [] : [sizeText(size)]),
  ].join(' · ');
  const uri = uris.uriOf(node.address, mimeType);
  if (uri) {
    item.resourceUri = uri;
  }
  item.iconPath = pictureOf(resource, ROW_ICON_BYTES) ?? vscode.ThemeIcon.File;
  item.tooltip = resourceTooltip(resource, label);
  item.command = commandTo('openResource', 'Open', node);
}
