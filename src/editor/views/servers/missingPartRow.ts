import type * as vscode from 'vscode';
import { commandTo } from '../../commands/commandList.ts';
import type { MissingPart } from '../../../base/parts.ts';
import { visibleText } from '../../../base/visibleText.ts';
import { icon, plain } from '../rowParts.ts';

export function missingPartLabel({ name }: MissingPart): string {
  return `${name} isn't available`;
}

/** A part of this extension that failed; a click leads to the log. */
export function decorateMissingPart(item: vscode.TreeItem, part: MissingPart): void {
  const reason = visibleText(part.reason);
  item.iconPath = icon('warning', 'list.warningForeground');
  item.description = reason;
  item.tooltip = plain(
    `${missingPartLabel(part)}: ${reason}\n\nEverything else works. Select to open the log.`,
  );
  item.contextValue = 'missingPart';
  item.command = commandTo('showPartsLog', 'Show Log');
}
