import * as vscode from 'vscode';
import type { MediaContent } from '../../host/results/mediaContent.ts';
import type { ViewDocuments } from './viewDocuments.ts';

/** Images and sounds that are opened without a question. */
const MAX_OPENED = 4;

/** Opens images and sounds beside, in the editor's own viewers; if there are many, those that you select. */
export async function openMedia(
  viewDocuments: ViewDocuments,
  /** The name of the document that they belong to, without its ending. */
  name: string,
  media: readonly MediaContent[],
): Promise<void> {
  for (const { bytes, name: mediaName } of media.length <= MAX_OPENED ? media : await choose(media)) {
    await viewDocuments.show(`${name} ${mediaName}`, bytes, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
  }
}

async function choose(media: readonly MediaContent[]): Promise<readonly MediaContent[]> {
  const items = media.map((one, index) => ({
    label: one.name,
    description: one.mimeType,
    picked: index < MAX_OPENED,
    one,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: `There are ${media.length} images and sounds`,
    placeHolder: 'Select what to open',
  });
  return (chosen ?? []).map(({ one }) => one);
}
