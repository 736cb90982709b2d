import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { Openable } from '../../host/documents/contentSection.ts';
import { resultJson } from '../../host/documents/resultDocument.ts';
import type { ResultDocuments, ShownResult } from '../documents/resultDocuments.ts';
import { inNotification, inQuickInput } from '../plainText.ts';
import type { Review } from '../review/review.ts';

/** Milliseconds for which a quiet confirmation stays in the status bar. */
const CONFIRMATION_MS = 5_000;

export interface ResultActionsDependencies {
  readonly results: ResultDocuments;
  readonly review: Pick<Review, 'reviewMissed'>;
  /** Runs the same tool, with the same arguments or with others that are asked for first. */
  readonly runAgain: (shown: ShownResult, editsArguments: boolean) => Promise<void>;
}

/** Registers what can be done with a result that is shown: with the one in front, or the one of a code lens. */
export function registerResultActions({ results, review, runAgain }: ResultActionsDependencies): Disposable {
  const store = new DisposableStore();
  const register = (
    command: string,
    act: (shown: ShownResult, uri: vscode.Uri, more: unknown) => unknown,
  ): void => {
    store.add(
      vscode.commands.registerCommand(command, async (argument?: unknown, more?: unknown) => {
        const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
        const shown = results.resultIn(uri);
        if (uri && shown) {
          await act(shown, uri, more);
        } else {
          void vscode.window.showInformationMessage(
            'There is no result of a tool in this editor. Run the tool again.',
          );
        }
      }),
    );
  };
  register('mcpHost.runAgain', (shown) => runAgain(shown, false));
  register('mcpHost.editArguments', (shown) => runAgain(shown, true));
  register('mcpHost.copyResultJson', async ({ result }) => {
    await vscode.env.clipboard.writeText(resultJson(result));
    vscode.window.setStatusBarMessage('$(check) Copied the result as JSON', CONFIRMATION_MS);
  });
  register('mcpHost.saveResult', ({ result }, uri) => save(uri, resultJson(result)));
  register('mcpHost.reviewMissedRequest', ({ missed }) => missed && review.reviewMissed(missed));
  register('mcpHost.openFromResult', async ({ serverId }, uri, index) => {
    const all = results.openablesIn(uri);
    const opens = typeof index === 'number' ? all[index] : await choose(all);
    if (opens?.kind === 'resource') {
      const address = { serverId, uri: opens.uri };
      await vscode.commands.executeCommand('mcpHost.openResource', {
        address,
        ...(opens.mimeType !== undefined && { mimeType: opens.mimeType }),
      });
    } else if (opens) {
      await results.openMedia(uri, opens);
    }
  });
  return store;
}

/**
 * Writes a result where the person says: as it is shown, or as JSON where the name ends so. The editor's own command
 * would offer the file system of these documents, where nothing can be written.
 */
async function save(uri: vscode.Uri, json: string): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = path.posix.basename(uri.path);
  const target = await vscode.window.showSaveDialog({
    title: 'Save Result As',
    saveLabel: 'Save',
    filters: { Text: [path.posix.extname(name).slice(1)], JSON: ['json'] },
    defaultUri: vscode.Uri.joinPath(folder?.uri ?? vscode.Uri.file(homedir()), name),
  });
  if (!target) {
    return;
  }
  const isJson = target.path.toLowerCase().endsWith('.json');
  try {
    const bytes = isJson ? new TextEncoder().encode(json) : await vscode.workspace.fs.readFile(uri);
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    void vscode.window.showErrorMessage(inNotification(`The result could not be saved: ${messageOf(error)}`));
  }
}

/** The one that the person wants; undefined when there is none, or they take none. */
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
