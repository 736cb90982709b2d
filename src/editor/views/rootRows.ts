import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { basisText, rootsMeaning, rootsSummary, standingText } from '../../host/roots/rootsSummary.ts';
import { pathOf } from '../../host/folders/sharedRoot.ts';
import { icon, plain } from './rowParts.ts';
import type { NodeOf } from './serverNodes.ts';

/** What stands under a server about the folders that it sees. */
export type RootsNode = NodeOf<'lingering' | 'roots' | 'root'>;

export function decorateRoots(item: vscode.TreeItem, node: RootsNode): void {
  switch (node.kind) {
    case 'lingering':
      item.iconPath = icon('warning', 'list.warningForeground');
      item.description = 'until restarted';
      item.contextValue = 'lingering';
      item.tooltip = plain(
        `${node.roots.map(pathOf).join('\n')}\n\nThis is not shared with the server any more. It was told so, ` +
          'but it may keep what it knew. Restart it to be sure that it does not.',
      );
      break;
    case 'roots':
      decorateList(item, node);
      break;
    case 'root':
      decorateRoot(item, node);
      break;
  }
}

function decorateList(item: vscode.TreeItem, { server, view }: NodeOf<'roots'>): void {
  const isSilent = hasNotAsked(server);
  item.iconPath = icon('root-folder');
  item.description = rootsSummary(view, isSilent);
  item.contextValue = `roots ${view.basis}${view.candidates.length > 0 ? ' folders' : ''}`;
  item.tooltip = plain(
    [
      rootsMeaning,
      basisText(view),
      ...(isSilent
        ? ['Since its start this server has not asked for roots: what is checked here does not reach it.']
        : []),
    ].join('\n\n'),
  );
}

/** A server that runs and never wanted to know: what is checked reaches it only once it does. */
function hasNotAsked({ connection }: HostServer): boolean {
  return connection.state.kind === 'running' && !connection.rootsKnowledge.hasAsked;
}

function decorateRoot(item: vscode.TreeItem, { server, candidate, view }: NodeOf<'root'>): void {
  const { root, within, isChosen, problem } = candidate;
  const standing = standingText(view, candidate);
  item.description = visibleText(standing);
  item.iconPath = problem ? icon('warning', 'list.warningForeground') : icon('folder');
  item.contextValue = [
    'root',
    within ? 'subfolder' : 'folder',
    isChosen ? 'chosen' : 'open',
    ...(problem ? [problem.kind] : []),
  ].join(' ');
  const place = root.uri.startsWith('file:') ? pathOf(root) : root.name;
  if (problem) {
    item.tooltip = plain(`${place}\n\nNot shared with '${server.label}': ${problem.message}`);
    return;
  }
  const name = visibleText(root.name);
  const label = visibleText(server.label);
  item.tooltip = plain(standing ? `${place}\n\n${standing}` : place);
  item.checkboxState = {
    state: isChosen ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: isChosen ? `Stop sharing '${name}' with '${label}'` : `Share '${name}' with '${label}'`,
    accessibilityInformation: { label: `Share ${name} with ${label}` },
  };
}
