import * as vscode from 'vscode';
import { until } from '../../base/lifetime/until.ts';

/** Milliseconds within which an editor becomes active after it was opened. */
const OPENED_MS = 5_000;

/** The user's settings in a text editor. */
export interface OpenSettings {
  readonly editor: vscode.TextEditor;
  /** Closes the tab again, unless it was open before or has unsaved changes. */
  readonly close: () => Promise<void>;
}

/** Opens the user settings as the editor itself does, because no stable API gives their path. */
export async function openUserSettings(): Promise<OpenSettings> {
  const before = new Set(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(keyOf)));
  const wasOpen = (one: vscode.Tab): boolean => before.has(keyOf(one));
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  await until(vscode.window.onDidChangeActiveTextEditor, () => activeSettings() !== undefined, OPENED_MS);
  const editor = activeSettings();
  if (!editor) {
    throw new Error('The user settings could not be opened as a file.');
  }
  return {
    editor,
    close: async () => {
      const uri = editor.document.uri.toString();
      const shown = (): readonly vscode.Tab[] =>
        vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((one) => uriOf(one) === uri);
      if (editor.document.isDirty) {
        return;
      }
      // The editor reports a tab later than its document.
      const { onDidChangeTabs } = vscode.window.tabGroups;
      await until(onDidChangeTabs, () => shown().some((one) => wasOpen(one) || !one.isDirty), OPENED_MS);
      const tab = shown().find((one) => !wasOpen(one) && !one.isDirty);
      if (tab) {
        // It may already be closed.
        await vscode.window.tabGroups.close(tab).then(undefined, () => {});
      }
    },
  };
}

function activeSettings(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && /\/User\/(profiles\/[^/]+\/)?settings\.json$/.test(editor.document.uri.path)
    ? editor
    : undefined;
}

function keyOf(tab: vscode.Tab): string {
  return `${tab.group.viewColumn} ${uriOf(tab) ?? ''}`;
}

function uriOf({ input }: vscode.Tab): string | undefined {
  return input instanceof vscode.TabInputText ? input.uri.toString() : undefined;
}
