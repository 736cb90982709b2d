import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { DecisionWords, KeptDecision, ShownPlaces } from '../../host/decisions/decision.ts';
import type { DecisionStore } from '../../host/decisions/decisionStore.ts';
import { samplePlace } from '../../host/sample/sampleDefinition.ts';
import { registerCommand } from '../commands/commands.ts';
import type { KeptModelRecord, RecordedModel } from '../sampling/modelRecord.ts';
import { inQuickInput, oneLine } from '../messages/plainText.ts';
import { inputButton, showUntilAnswered } from '../quickInput/quickInputs.ts';
import { reportingError } from '../messages/tellFailure.ts';

/** Longer text is cut in the dialog, or its buttons would be pushed off the screen. */
const DIALOG_CHARACTERS = 200;
const DIALOG_DETAIL_CHARACTERS = 600;

/** A decision about a server, or that a model may be used. */
type Entry =
  | { readonly kind: 'decision'; readonly decision: KeptDecision; readonly words: DecisionWords }
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
    ...decisions.all().flatMap((decision): readonly Entry[] => {
      const words = decisions.wordsOf(decision);
      return words ? [{ kind: 'decision', decision, words }] : [];
    }),
    ...record.all.map((model): Entry => ({ kind: 'model', model })),
  ];
}

interface EntryItem extends vscode.QuickPickItem {
  readonly entry?: Entry;
}

const takeBack = inputButton('discard', 'Take Back');
const forgetAll = inputButton('clear-all', 'Forget All');

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
    ? `${entry.decision.label}: ${entry.words.what(entry.decision)}`
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
      ? `Take back the decision that '${entry.decision.label}' ${entry.words.what(entry.decision)}?`
      : `Take back that '${entry.model.name}' may be used without a review?`,
    DIALOG_CHARACTERS,
  );
}

/** The decision, and what taking it back means. */
function takeBackDetail(entry: Entry): string {
  const follows =
    entry.kind === 'decision'
      ? entry.words.undone(entry.decision)
      : 'The next request to it waits for your review, whatever you have allowed.';
  return `${oneLine(detailOf(entry), DIALOG_DETAIL_CHARACTERS)}\n\n${follows}`;
}

function everythingDetail(count: number): string {
  const what = count === 1 ? 'One decision is' : `${count} decisions are`;
  return `${what} forgotten. Running servers stop, and you are asked before each server starts again.`;
}

function detailOf(entry: Entry): string {
  return entry.kind === 'decision'
    ? entry.words.detail(entry.decision, shownPlaces)
    : 'It answered a request that you sent for a server';
}

const shownPlaces: ShownPlaces = { uri: shownUri, place: shownPlace };

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
