import * as vscode from 'vscode';
import { iconFor } from '../../host/tools/icon.ts';

/** Bytes of the icon of a server: there are few of them. */
export const SERVER_ICON_BYTES = 64 * 1024;

/** Bytes of the icon of one row among many: five hundred of them are handed over at once. */
export const ROW_ICON_BYTES = 16 * 1024;

/** What was found fit to show, by the list of icons: rows are drawn again and again. */
const known = new WeakMap<readonly unknown[], vscode.TreeItem['iconPath']>();

/** A server's picture for a row, or undefined where it has none that is fit to show; see `iconFor`. */
export function pictureOf(
  { icons }: { readonly icons?: readonly unknown[] | undefined },
  maxBytes: number,
): vscode.TreeItem['iconPath'] {
  if (!icons || icons.length === 0) {
    return undefined;
  }
  if (!known.has(icons)) {
    const [light, dark] = (['light', 'dark'] as const).map((theme) => iconFor(icons, theme, maxBytes));
    known.set(
      icons,
      light && dark ? { light: vscode.Uri.parse(light), dark: vscode.Uri.parse(dark) } : undefined,
    );
  }
  return known.get(icons);
}
