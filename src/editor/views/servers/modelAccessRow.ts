import type * as vscode from 'vscode';
import { visibleText } from '../../../base/visibleText.ts';
import { accessLines, accessMeaning, accessSummary, isTroubled } from '../../../host/sampling/accessText.ts';
import { icon, plain } from '../rowParts.ts';
import type { NodeOf, TreeSources } from './serverNodes.ts';

/** The row of a server that says how it stands with the editor's language models. */
export function decorateModelAccess(
  item: vscode.TreeItem,
  { server }: NodeOf<'modelAccess'>,
  { access: source }: TreeSources,
): void {
  const { definition, state } = server.connection;
  const access = source.accessOf(definition);
  const needsRestart = state.kind === 'running' && !access.isOffered;
  item.description = visibleText(accessSummary(access));
  item.iconPath = isTroubled(access) ? icon('warning', 'list.warningForeground') : icon('sparkle');
  item.contextValue = needsRestart ? 'modelAccess restart' : 'modelAccess';
  item.tooltip = plain([accessMeaning, ...accessLines(access, source.maxTokensPerDay)].join('\n\n'));
}
