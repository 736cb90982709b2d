import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { accountSummary, shownAccount, type ShownAccount } from '../../host/auth/accountText.ts';
import { hostOf } from '../../host/addresses/addressKind.ts';
import type { DecisionWords, KeptDecision, ShownPlaces } from '../../host/decisions/decision.ts';
import type { DecisionStore } from '../../host/decisions/decisionStore.ts';
import { recordingAt, samplePlace } from '../../host/added/addedDefinitions.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand } from '../commands/commands.ts';
import type { KeptModelRecord, RecordedModel } from '../sampling/modelRecord.ts';
import { inQuickInput, oneLine } from '../messages/plainText.ts';
import { inputButton, showUntilAnswered } from '../quickInput/quickInputs.ts';
import { reportingError } from '../messages/notifications.ts';
import type { OpenSignIn } from '../signIn/openSignIn.ts';
import { tellingSignOut } from '../signIn/signInCommands.ts';

/** Longer text is cut in the dialog, or its buttons would be pushed off the screen. */
const DIALOG_CHARACTERS = 200;
const DIALOG_DETAIL_CHARACTERS = 600;

/** A decision about a server, that a model may be used, or an account. */
type Entry =
  | { readonly kind: 'decision'; readonly decision: KeptDecision; readonly words: DecisionWords }
  | { readonly kind: 'model'; readonly model: RecordedModel }
  | { readonly kind: 'account'; readonly account: ShownAccount; readonly label: string };

interface Reviewed {
  readonly host: McpHost;
  readonly decisions: DecisionStore;
  readonly record: KeptModelRecord;
  readonly signIn: Pick<OpenSignIn, 'accounts' | 'signOut'>;
}

/** Registers "Review Decisions": your decisions by server and your accounts, each of which you can take back. */
export function registerReviewDecisions(reviewed: Reviewed): Disposable {
  return registerCommand('reviewDecisions', () =>
    reportingError('The decision could not be taken back', () => review(reviewed)),
  );
}

async function review(reviewed: Reviewed): Promise<void> {
  const { decisions } = reviewed;
  for (let hasForgotten = false; ;) {
    decisions.refresh();
    const all = await entriesOf(reviewed);
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
        await Promise.all([decisions.forgetAll(), reviewed.record.forget()]);
        for (const entry of all.filter(({ kind }) => kind === 'account')) {
          await forget(reviewed, entry);
        }
        hasForgotten = true;
      }
    } else if (await confirm(takeBackQuestion(picked), takeBackDetail(picked), actionOf(picked))) {
      await forget(reviewed, picked);
      hasForgotten = true;
    }
  }
}

async function forget({ decisions, record, signIn }: Reviewed, entry: Entry): Promise<void> {
  switch (entry.kind) {
    case 'decision':
      return decisions.forget(entry.decision.id);
    case 'model':
      return record.forget(entry.model.key);
    case 'account':
      return tellingSignOut(entry.label, () => signIn.signOut(entry.account));
  }
}

async function entriesOf({ host, decisions, record, signIn }: Reviewed): Promise<readonly Entry[]> {
  // Where accounts can't be read, the decisions still are.
  const accounts = await signIn.accounts.all().catch(() => []);
  return [
    ...accounts.map((account): Entry => ({
      kind: 'account',
      account: shownAccount(account),
      label: host.server(account.server)?.label ?? hostOf(account.url),
    })),
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
const signOut = inputButton('sign-out', 'Sign Out');
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
      buttons: [entry.kind === 'account' ? signOut : takeBack],
      entry,
    })),
  ]);
}

function headingOf([first]: readonly Entry[]): string {
  switch (first?.kind) {
    case 'decision':
      return first.decision.label;
    case 'account':
      return 'Accounts';
    default:
      return 'Language models';
  }
}

function entryText(entry: Entry): string {
  switch (entry.kind) {
    case 'decision':
      return `${entry.decision.label}: ${entry.words.what(entry.decision)}`;
    case 'account':
      return `${entry.label}: ${entry.account.kind === 'token' ? 'token' : 'signed in as'} ${accountSummary(entry.account)}`;
    case 'model':
      return `${entry.model.name}: may be used without a review, if you allow that for a server`;
  }
}

function timeOf(entry: Entry): number {
  switch (entry.kind) {
    case 'decision':
      return entry.decision.at;
    case 'account':
      return entry.account.since;
    case 'model':
      return entry.model.at;
  }
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

function actionOf({ kind }: Entry): string {
  return kind === 'account' ? 'Sign Out' : 'Take Back';
}

function takeBackQuestion(entry: Entry): string {
  return inQuickInput(questionOf(entry), DIALOG_CHARACTERS);
}

function questionOf(entry: Entry): string {
  switch (entry.kind) {
    case 'decision':
      return `Take back the decision that '${entry.decision.label}' ${entry.words.what(entry.decision)}?`;
    case 'account':
      return `Sign out of '${entry.label}'?`;
    case 'model':
      return `Take back that '${entry.model.name}' may be used without a review?`;
  }
}

/** The decision, and what taking it back means. */
function takeBackDetail(entry: Entry): string {
  return `${oneLine(detailOf(entry), DIALOG_DETAIL_CHARACTERS)}\n\n${undoneText(entry)}`;
}

function undoneText(entry: Entry): string {
  switch (entry.kind) {
    case 'decision':
      return entry.words.undone(entry.decision);
    case 'account':
      if (entry.account.kind === 'token') {
        return 'MCP Host forgets the token. It stays valid until you revoke it where you got it.';
      }
      return entry.account.lentBy !== undefined
        ? 'The server no longer gets the token of this account. The editor itself stays signed in: to sign out there, open the Accounts menu in the Activity Bar.'
        : 'Its token is revoked if whoever issued it can do that, and forgotten on this machine. If the server requires an account, you are asked to sign in again.';
    case 'model':
      return 'The next request to it waits for your review, whatever you have allowed.';
  }
}

function everythingDetail(count: number): string {
  const what = count === 1 ? 'One decision is' : `${count} decisions are`;
  return `${what} forgotten. Running servers stop, you are signed out of all of them, and you are asked before each server starts again.`;
}

function detailOf(entry: Entry): string {
  switch (entry.kind) {
    case 'decision':
      return entry.words.detail(entry.decision, shownPlaces);
    case 'account':
      return `At ${hostOf(entry.account.url)}${scopesOf(entry.account)}`;
    case 'model':
      return 'It answered a request that you sent for a server';
  }
}

function scopesOf(account: ShownAccount): string {
  if (account.kind === 'token') {
    return '';
  }
  const { scopes } = account;
  return `. ${scopes.length > 0 ? `Permissions: ${scopes.join(' ')}` : 'Permissions not named'}`;
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
  const recording = recordingAt(place);
  const uri = recording === undefined ? vscode.Uri.parse(place) : vscode.Uri.file(recording);
  return vscode.workspace.getWorkspaceFolder(uri)
    ? vscode.workspace.asRelativePath(uri, true)
    : shownUri(place);
}

function shownUri(uri: string): string {
  const parsed = vscode.Uri.parse(uri);
  return parsed.scheme === 'file' ? parsed.fsPath : uri;
}
