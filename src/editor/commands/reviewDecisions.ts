import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { KeptDecision } from '../../host/approval/decision.ts';
import type { DecisionStore } from '../../host/approval/decisionStore.ts';
import { decisionText, launchLine } from '../../host/approval/decisionText.ts';
import { messageOf } from '../../host/hostError.ts';
import { inNotification, inQuickInput, oneLine } from '../plainText.ts';
import { showUntilAnswered } from './quickInputs.ts';

/** Text longer than this is cut in the dialog, whose buttons would leave the screen. */
const DIALOG_CHARACTERS = 200;
const DIALOG_DETAIL_CHARACTERS = 600;

/** `mcpHost.reviewDecisions`: everything that was decided, by server; each can be taken back. */
export function registerReviewDecisions(decisions: DecisionStore): Disposable {
  return vscode.commands.registerCommand('mcpHost.reviewDecisions', async () => {
    try {
      await review(decisions);
    } catch (error) {
      void vscode.window.showErrorMessage(
        inNotification(`The decision could not be taken back: ${messageOf(error)}`),
      );
    }
  });
}

async function review(decisions: DecisionStore): Promise<void> {
  for (let hasForgotten = false; ;) {
    decisions.refresh();
    const all = decisions.all();
    if (all.length === 0) {
      if (!hasForgotten) {
        void vscode.window.showInformationMessage('MCP Host: nothing has been decided yet.');
      }
      return;
    }
    const picked = await pick(all);
    if (picked === undefined) {
      return;
    }
    if (picked === 'all') {
      if (await confirm('Forget all decisions?', everythingDetail(all.length), 'Forget All')) {
        await decisions.forgetAll();
        hasForgotten = true;
      }
    } else if (await confirm(takeBackQuestion(picked), takeBackDetail(picked), 'Take Back')) {
      await decisions.forget(picked.id);
      hasForgotten = true;
    }
  }
}

interface DecisionItem extends vscode.QuickPickItem {
  readonly decision?: KeptDecision;
}

const takeBack: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('discard'),
  tooltip: 'Take Back',
};
const forgetAll: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('clear-all'),
  tooltip: 'Forget All',
};

function itemsOf(all: readonly KeptDecision[]): DecisionItem[] {
  const servers = Map.groupBy(all, ({ serverId }) => serverId);
  return [...servers.values()].flatMap((ofServer): DecisionItem[] => [
    { label: inQuickInput(ofServer[0]?.label ?? ''), kind: vscode.QuickPickItemKind.Separator },
    ...ofServer.map((decision) => ({
      label: inQuickInput(`${decision.label}: ${decisionText(decision)}`),
      description: new Date(decision.at).toLocaleString(),
      detail: inQuickInput(detailOf(decision)),
      buttons: [takeBack],
      decision,
    })),
  ]);
}

/** The decision that is to be taken back, or all. */
function pick(all: readonly KeptDecision[]): Promise<KeptDecision | 'all' | undefined> {
  const input = vscode.window.createQuickPick<DecisionItem>();
  input.title = 'MCP Host: Decisions';
  input.placeholder = 'What was decided, by server. Choose one to take it back.';
  input.matchOnDescription = true;
  input.matchOnDetail = true;
  input.items = itemsOf(all);
  input.buttons = [forgetAll];
  return showUntilAnswered<KeptDecision | 'all'>(input, (store, { resolve }) => {
    store.add(input.onDidAccept(() => resolve(input.selectedItems[0]?.decision)));
    store.add(input.onDidTriggerItemButton(({ item }) => resolve(item.decision)));
    store.add(input.onDidTriggerButton(() => resolve('all')));
  });
}

async function confirm(message: string, detail: string, action: string): Promise<boolean> {
  const item: vscode.MessageItem = { title: action };
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, item)) === item;
}

function takeBackQuestion(decision: KeptDecision): string {
  return inQuickInput(
    `Take back the decision that '${decision.label}' ${decisionText(decision)}?`,
    DIALOG_CHARACTERS,
  );
}

/** Which of the server's decisions it is, and what follows. */
function takeBackDetail(decision: KeptDecision): string {
  return `${oneLine(detailOf(decision), DIALOG_DETAIL_CHARACTERS)}\n\n${consequence(decision)}`;
}

function consequence(decision: KeptDecision): string {
  switch (decision.kind) {
    case 'launch':
      return decision.answer === 'allow'
        ? 'If the server runs in this way it stops, and asks again before it starts so.'
        : 'The server asks again before it starts in this way.';
    case 'roots':
      return 'The server is told of no folder any more. You are asked when it asks for folders, or before it starts again.';
    case 'preference':
      return 'The server of your user settings runs again instead of it.';
    case 'exposure':
      return 'Its tools are offered as its definition says.';
    case 'grant':
      return 'Agent mode does not see the server any more.';
    case 'trust':
      return 'Reads of this server are asked about again, and its claims are handed on no more.';
    case 'call':
      return 'You are asked again.';
  }
}

function everythingDetail(count: number): string {
  const what = count === 1 ? 'One decision is' : `${count} decisions are`;
  return `${what} forgotten. Servers that run stop, and every server asks again before it starts.`;
}

function detailOf(decision: KeptDecision): string {
  switch (decision.kind) {
    case 'launch': {
      // A launch may be longer than the row: it comes last.
      return `${shownPlace(decision.place)} · ${launchLine(decision.snapshot)}`;
    }
    case 'roots':
      return decision.folders === 'all'
        ? decision.offered.map(shownUri).join(', ')
        : decision.folders.map(shownUri).join(', ');
    case 'preference':
      return 'A definition of the workspace';
    case 'exposure':
      return decision.except.join(', ');
    case 'grant':
      return 'The editor asks for each call, by its own settings';
    case 'trust':
      return 'For its launch as it was then';
    case 'call':
      return (decision.folders ?? []).map(shownUri).join(', ');
  }
}

/** The file of a definition, from its folder on if that is open. */
function shownPlace(place: string): string {
  if (place === 'settings:user') {
    return 'your user settings';
  }
  const uri = vscode.Uri.parse(place);
  return vscode.workspace.getWorkspaceFolder(uri)
    ? vscode.workspace.asRelativePath(uri, true)
    : shownUri(place);
}

function shownUri(uri: string): string {
  const parsed = vscode.Uri.parse(uri);
  return parsed.scheme === 'file' ? parsed.fsPath : uri;
}
