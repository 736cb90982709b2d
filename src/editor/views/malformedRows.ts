import type * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText.ts';
import type { ListKind } from '../../host/connection/lists/listKind.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import type { MalformedItem } from '../../host/results/listFaults.ts';
import { icon, plain } from './rowParts.ts';

/** Characters of a row; the tooltip has more. */
const MAX_ROW = 200;

export function malformedLabel({ name, place }: MalformedItem): string {
  return name === undefined ? `Number ${place}` : visibleText(name.slice(0, MAX_ROW));
}

/** The row of something that a server lists and that cannot be used: why not. */
export function decorateMalformed(item: vscode.TreeItem, malformed: MalformedItem, what: ListKind): void {
  const { place, reason } = malformed;
  item.iconPath = icon('warning', 'list.warningForeground');
  item.description = visibleText(`left out: ${reason}`.slice(0, MAX_ROW));
  item.tooltip = plain(
    `${malformedLabel(malformed)}\n\nNumber ${place} of the ${what} that the server lists is left out, because of a fault of the server: ${reason}.`,
  );
  item.contextValue = 'malformed';
}

/** How many of a list cannot be used, if any. */
export function leftOutText({ connection }: HostServer, what: ListKind): readonly string[] {
  const { length } = connection.catalogue?.malformed(what) ?? [];
  return length > 0 ? [`${length} left out`] : [];
}
