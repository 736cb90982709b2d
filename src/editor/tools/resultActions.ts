import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { Openable } from '../../host/documents/contentSection.ts';
import { resultJson } from '../../host/documents/resultDocument.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { askWhereToSave } from '../documents/saveTarget.ts';
import { confirmDone, reportingError } from '../messages/notifications.ts';
import type { ResultDocuments, ShownResult } from './resultDocuments.ts';
import { inQuickInput } from '../messages/plainText.ts';
import type { Review } from '../review/review.ts';

export interface ResultActionsDependencies {
  readonly results: ResultDocuments;
  readonly review: Pick<Review, 'reviewMissed'>;
  /** Runs the same tool, with the same arguments or with others that you enter first. */
  readonly runAgain: (shown: ShownResult, editsArguments: boolean) => Promise<void>;
}

/** Registers the actions on a result: the one of the active editor, or the one of a code lens. */
export function registerResultActions({ results, review, runAgain }: ResultActionsDependencies): Disposable {
  const on =
    (act: (shown: ShownResult, uri: vscode.Uri, index: unknown) => unknown) =>
    async (argument?: unknown, index?: unknown): Promise<void> => {
      const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
      const shown = results.resultIn(uri);
      if (uri && shown) {
        await act(shown, uri, index);
      } else {
        void vscode.window.showInformationMessage('There is no result in this editor. Run the tool again.');
      }
    };
  return registerCommands({
    runAgain: on((shown) => runAgain(shown, false)),
    editArguments: on((shown) => runAgain(shown, true)),
    copyResultJson: on(async ({ result }) => {
      await vscode.env.clipboard.writeText(resultJson(result));
      confirmDone('Copied the result as JSON');
    }),
    saveResult: on(({ result }, uri) => save(uri, resultJson(result))),
    reviewMissedRequest: on(({ missed }) => missed && review.reviewMissed(missed)),
    openFromResult: on(async ({ serverId }, uri, index) => {
      const all = results.openablesIn(uri);
      const opens = typeof index === 'number' ? all[index] : await choose(all);
      if (opens?.kind === 'resource') {
        const { mimeType } = opens;
        await runCommand('openResource', { address: { serverId, uri: opens.uri }, mimeType });
      } else if (opens) {
        await results.openMedia(uri, opens);
      }
    }),
  });
}

/**
 * Writes a result to a file: as JSON if its name ends so, otherwise as it is shown. The editor's own command would
 * offer the file system of these documents, which is read-only.
 */
async function save(uri: vscode.Uri, json: string): Promise<void> {
  const name = path.posix.basename(uri.path);
  const target = await askWhereToSave(name, {
    title: 'Save Result As',
    saveLabel: 'Save',
    filters: { Text: [path.posix.extname(name).slice(1)], JSON: ['json'] },
  });
  if (!target) {
    return;
  }
  const isJson = target.path.toLowerCase().endsWith('.json');
  await reportingError('The result could not be saved', async () => {
    const bytes = isJson ? new TextEncoder().encode(json) : await vscode.workspace.fs.readFile(uri);
    await vscode.workspace.fs.writeFile(target, bytes);
  });
}

/** What you select; undefined when there is nothing, or you select nothing. */
async function choose(all: readonly Openable[]): Promise<Openable | undefined> {
  if (all.length === 0) {
    void vscode.window.showInformationMessage('This result has no resource, image or sound to open.');
    return undefined;
  }
  const items = all.map((opens) =>
    opens.kind === 'resource'
      ? { label: inQuickInput(opens.uri, 200), description: inQuickInput(opens.mimeType ?? ''), opens }
      : { label: opens.media.name, description: opens.media.mimeType, opens },
  );
  const options = { title: 'Open from Result', placeHolder: 'Select what to open', matchOnDescription: true };
  return (items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, options))?.opens;
}
