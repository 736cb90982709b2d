import type * as vscode from 'vscode';
import { visibleText } from '../../base/text/visibleText.ts';
import { cutTo } from '../../base/text/words.ts';
import type { ListKind } from '../../host/connection/lists/serverList.ts';
import type { MalformedItem } from '../../host/results/soundPage.ts';
import { iconFor } from '../../host/tools/icon.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';

/** How a row of a tree looks. Every tree makes its rows of this; a row that has children says whether they show. */
export interface Row {
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon?: Icon | undefined;
  readonly tooltip?: string | undefined;
  /** What the menus in package.json ask about the row. */
  readonly context?: string | undefined;
  readonly command?: vscode.Command | undefined;
  readonly checkbox?: Checkbox | undefined;
  readonly children?: 'closed' | 'open' | undefined;
  readonly resourceUri?: vscode.Uri | undefined;
}

interface Checkbox {
  readonly isChecked: boolean;
  readonly tooltip: string;
  readonly label: string;
}

/** An icon of the editor's, or a picture that a server sent along. */
export type Icon = { readonly name: string; readonly color?: string } | Picture;

/** The `data:` URIs of a picture for light and dark themes. */
export interface Picture {
  readonly light: string;
  readonly dark: string;
}

export const iconOfWarning: Icon = { name: 'warning', color: 'list.warningForeground' };
export const iconOfAsking: Icon = { name: 'question', color: 'list.warningForeground' };
export const iconOfError: Icon = { name: 'error', color: 'list.errorForeground' };

/** A row that does what its label says. */
export function actionRow(command: vscode.Command, icon: string, tooltip: string, description?: string): Row {
  return { label: command.title, description, icon: { name: icon }, tooltip, command };
}

/** Expanding more children at once would hold up the extension host. */
export const PAGE = 500;

/** The label of the row that shows the next page. */
export function moreLabel(hidden: number, which: 'More' | 'Previous' = 'More'): string {
  return `Show ${Math.min(PAGE, hidden)} ${which}…`;
}

/** Text as a tooltip: a string, which the editor shows letter by letter, never as Markdown. */
export function tooltipText(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

/** The name where the label is a title, and the first line of the description. */
export function nameAndFirstLine(name: string, label: string, description: string | undefined): string {
  const first = visibleText(description?.trim().split('\n', 1)[0] ?? '');
  return [...(label === name ? [] : [visibleText(name)]), ...(first ? [first] : [])].join(' · ');
}

/** Bytes of the icon of a server: there are few of them. */
export const SERVER_ICON_BYTES = 64 * 1024;

/** Bytes of the icon of one row among many: five hundred of them are handed over at once. */
const ROW_ICON_BYTES = 16 * 1024;

/** The pictures that are fit to show, by the list of icons: rows are drawn often. */
const knownPictures = new WeakMap<readonly unknown[], Picture | undefined>();

/** A server's picture for a row, or undefined where it has none that is fit to show; see `iconFor`. */
export function pictureOf(
  { icons }: { readonly icons?: readonly unknown[] | undefined },
  maxBytes = ROW_ICON_BYTES,
): Picture | undefined {
  if (!icons || icons.length === 0) {
    return undefined;
  }
  if (!knownPictures.has(icons)) {
    const [light, dark] = (['light', 'dark'] as const).map((theme) => iconFor(icons, theme, maxBytes));
    knownPictures.set(icons, light && dark ? { light, dark } : undefined);
  }
  return knownPictures.get(icons);
}

/** Characters of a row of something malformed; the tooltip has more. */
const MAX_MALFORMED = 200;

/** The row of something that a server lists and that cannot be used: why not. */
export function malformedRow({ name, place, reason }: MalformedItem, what: ListKind): Row {
  const label = name === undefined ? `Number ${place}` : visibleText(cutTo(name, MAX_MALFORMED));
  return {
    label,
    icon: iconOfWarning,
    description: visibleText(cutTo(`left out: ${reason}`, MAX_MALFORMED)),
    tooltip: tooltipText(
      `${label}\n\nNumber ${place} of the ${what} that the server lists is left out, because of a fault of the server: ${reason}.`,
    ),
    context: 'malformed',
  };
}

/** How many of a list cannot be used, if any. */
export function leftOutText({ connection }: HostServer, what: ListKind): readonly string[] {
  const { length } = connection.catalogue?.malformed(what) ?? [];
  return length > 0 ? [`${length} left out`] : [];
}
