import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { KeptDecision, PersonDecision } from '../../host/decisions/decision.ts';
import type { DecisionStore } from '../../host/decisions/decisionStore.ts';
import { decisionText, isByPerson, launchLine } from '../../host/decisions/decisionText.ts';
import { samplePlace } from '../../host/sample/sampleDefinition.ts';
import { registerCommand } from '../commands/commands.ts';
import type { KeptModelRecord, RecordedModel } from '../modelRecord.ts';
import { inQuickInput, oneLine } from '../messages/plainText.ts';
import { showUntilAnswered } from '../quickInput/quickInputs.ts';
import { reportingError } from '../messages/tellFailure.ts';

/** Longer text is cut in the dialog, or its buttons would be pushed off the screen. */
const DIALOG_CHARACTERS = 200;
const DIALOG_DETAIL_CHARACTERS = 600;

/** A decision about a server, or that a model may be used. */
type Entry =
  | { readonly kind: 'decision'; readonly decision: KeptDecision & PersonDecision }
  | { readonly kind: 'model'; readonly model: RecordedModel };

/** Registers "Review Decisions": your decisions by server, each of which you can take back. */
export function registerReviewDecisions(decisions: DecisionStore, record: KeptModelRecord): Disposable {
  return registerCommand('reviewDecisions', () =>
    reportingError('The decision could not be taken back', () => review(decisions, record)),
  );
}

async function review(decisions: DecisionStore, record: KeptModelRecord): Promise<void> {
  for (let hasForgotten = false; ;) {
    decisions.refresh();
    const all = entriesOf(decisions, record);
    if (all.length === 0) {
      if (!hasForgotten) {
        void vscode.window.showInformationMessage('MCP Host: There are no decisions yet.');
      }
      return;
    }
    const picked = await pick(all);
    if (picked === undefined) {
      return;
    }
    if (picked === 'all') {
      if (await confirm('Forget all decisions?', everythingDetail(all.length), 'Forget All')) {
        await Promise.all([decisions.forgetAll(), record.forget()]);
        hasForgotten = true;
      }
    } else if (await confirm(takeBackQuestion(picked), takeBackDetail(picked), 'Take Back')) {
      await (picked.kind === 'model'
        ? record.forget(picked.model.key)
        : decisions.forget(picked.decision.id));
      hasForgotten = true;
    }
  }
}

function entriesOf(decisions: DecisionStore, record: KeptModelRecord): readonly Entry[] {
  return [
    ...decisions
      .all()
      .filter(isByPerson)
      .map((decision): Entry => ({ kind: 'decision', decision })),
    ...record.all.map((model): Entry => ({ kind: 'model', model })),
  ];
}

interface EntryItem extends vscode.QuickPickItem {
  readonly entry?: Entry;
}

const takeBack: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('discard'),
  tooltip: 'Take Back',
};
const forgetAll: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('clear-all'),
  tooltip: 'Forget All',
};

function itemsOf(all: readonly Entry[]): EntryItem[] {
  const groups = Map.groupBy(all, (entry) =>
    entry.kind === 'decision' ? `server ${entry.decision.serverId}` : entry.kind,
  );
  return [...groups.values()].flatMap((entries): EntryItem[] => [
    { label: inQuickInput(headingOf(entries)), kind: vscode.QuickPickItemKind.Separator },
    ...entries.map((entry) => ({
      label: inQuickInput(entryText(entry)),
      description: new Date(timeOf(entry)).toLocaleString(),
      detail: inQuickInput(detailOf(entry)),
      buttons: [takeBack],
      entry,
    })),
  ]);
}

function headingOf([first]: readonly Entry[]): string {
  return first?.kind === 'decision' ? first.decision.label : 'Language models';
}

function entryText(entry: Entry): string {
  return entry.kind === 'decision'
    ? `${entry.decision.label}: ${decisionText(entry.decision)}`
    : `${entry.model.name}: may be used without a review, if you allow that for a server`;
}

function timeOf(entry: Entry): number {
  return entry.kind === 'decision' ? entry.decision.at : entry.model.at;
}

/** The entry to take back, or all. */
function pick(all: readonly Entry[]): Promise<Entry | 'all' | undefined> {
  const input = vscode.window.createQuickPick<EntryItem>();
  input.title = 'MCP Host: Decisions';
  input.placeholder = 'Select a decision to take back';
  input.matchOnDescription = true;
  input.matchOnDetail = true;
  input.items = itemsOf(all);
  input.buttons = [forgetAll];
  return showUntilAnswered<Entry | 'all'>(input, (store, { resolve }) => {
    store.add(input.onDidAccept(() => resolve(input.selectedItems[0]?.entry)));
    store.add(input.onDidTriggerItemButton(({ item }) => resolve(item.entry)));
    store.add(input.onDidTriggerButton(() => resolve('all')));
  });
}

async function confirm(message: string, detail: string, action: string): Promise<boolean> {
  const item: vscode.MessageItem = { title: action };
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, item)) === item;
}

function takeBackQuestion(entry: Entry): string {
  return inQuickInput(
    entry.kind === 'decision'
      ? `Take back the decision that '${entry.decision.label}' ${decisionText(entry.decision)}?`
      : `Take back that '${entry.model.name}' may be used without a review?`,
    DIALOG_CHARACTERS,
  );
}

/** The decision, and what taking it back means. */
function takeBackDetail(entry: Entry): string {
  const follows =
    entry.kind === 'decision'
      ? consequence(entry.decision)
      : 'The next request to it waits for your review, whatever you have allowed.';
  return `${oneLine(detailOf(entry), DIALOG_DETAIL_CHARACTERS)}\n\n${follows}`;
}

function consequence(decision: PersonDecision): string {
  switch (decision.kind) {
    case 'launch':
      return decision.answer === 'allow'
        ? 'If the server runs in this way, it stops, and you are asked before it starts in this way again.'
        : 'You are asked before the server starts in this way again.';
    case 'roots':
      return 'No folder is shared with the server. You are asked when it asks for folders, or before it starts again.';
    case 'preference':
      return 'The server of your user settings runs again instead.';
    case 'sample':
      return 'The sample server stops and leaves the Servers view.';
    case 'exposure':
      return 'Its tools are offered as its definition says, and new ones are held back until you review them.';
    case 'grant':
      return 'Chat no longer sees the server.';
    case 'trust':
      return 'You are asked again before this server reads, and its claims are no longer passed on.';
    case 'call':
      return 'You are asked again.';
    case 'sampling':
      return 'Its definition and your settings decide again what happens to its requests for a language model.';
  }
}

function everythingDetail(count: number): string {
  const what = count === 1 ? 'One decision is' : `${count} decisions are`;
  return `${what} forgotten. Running servers stop, and you are asked before each server starts again.`;
}

function detailOf(entry: Entry): string {
  return entry.kind === 'decision'
    ? decisionDetail(entry.decision)
    : 'It answered a request that you sent for a server';
}

function decisionDetail(decision: PersonDecision): string {
  switch (decision.kind) {
    case 'launch': {
      // A launch may be longer than the row, so it comes last.
      return `${shownPlace(decision.place)} · ${launchLine(decision.snapshot)}`;
    }
    case 'roots':
      return decision.folders === 'all'
        ? decision.offered.map(shownUri).join(', ')
        : decision.folders.map(shownUri).join(', ');
    case 'preference':
      return 'A definition of the workspace';
    case 'sample':
      return 'It comes with MCP Host';
    case 'exposure':
      return decision.except.join(', ');
    case 'grant':
      return 'The editor asks for each call, by its own settings';
    case 'trust':
      return 'For its launch at that time';
    case 'call':
      return (decision.folders ?? []).map(shownUri).join(', ');
    case 'sampling':
      return 'Applies to its launch at that time';
  }
}

/** The file of a definition, relative to its folder if that is open. */
function shownPlace(place: string): string {
  if (place === 'settings:user') {
    return 'your user settings';
  }
  if (place === samplePlace) {
    return 'the MCP Host extension';
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
